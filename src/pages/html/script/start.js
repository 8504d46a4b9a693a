// Begins, or says why the page cannot be shown.

start().catch((problem) => {
  const isOld = typeof DecompressionStream === 'undefined';
  byId('problem').textContent = isOld
    ? 'This browser is too old for the report: it needs one of 2023 or later.'
    : `The report cannot be shown: ${problem.message}`;
  byId('problem').hidden = false;
});
