// What leaves the page: the chosen design in the address, and the designs as CSV.

/** The design that an address names; none if it names none of the page. */
const designOfHash = (hash) => (hash === '#smallest' ? report.smallest : report.designs.find((design) => design.hash === hash));

/** Writes the design into the address, without a step in the history. */
function keepInAddress(hash) {
  try {
    history.replaceState(null, '', hash);
  } catch {
    // A page in a frame may have no address of its own.
  }
}

/** A name that no spreadsheet takes for a formula. */
const harmless = (name) => (/^['=+\-@\t\r]/.test(name) ? `'${name}` : name);

/** A field as RFC 4180 has it. */
const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The designs of the page in the columns of front.csv. */
function csvOf() {
  const { sheet, names, areaUnit, modes } = report;
  const fractionOf = (name, numberOf) => [
    [`${name}_num`, (design) => String(numberOf(design).n)],
    [`${name}_den`, (design) => String(numberOf(design).d)],
    [name, (design) => String(numberOf(design).x)],
  ];
  const verdict = (known) => String(known ?? '');
  const built = (blocks) => blocks.map((name) => name.replace(/[+\\]/g, '\\$&')).join('+');
  const columns = [
    ...names.map((name, at) => [harmless(areaUnit === null ? name : 'area'), ({ cost }) => exactly(cost[at]).replace('−', '-')]),
    ...fractionOf('utilization', ({ utilization }) => utilization),
    ['schedulable', ({ schedulable }) => verdict(schedulable)],
    ['schedulable_within', ({ schedulable_within }) => verdict(schedulable_within)],
    ...(sheet.blocks.length ? [['blocks', ({ blocks }) => harmless(built(blocks))]] : []),
    ...(sheet.variants.length ? [['variant', ({ variant }) => harmless(variant ?? '')]] : []),
    ...modes.map((mode, at) => [harmless(`utilization ${mode}`), (design) => String(design.modes[at].x)]),
    ...(report.hasClocks ? [['clock_hz', ({ clock }) => clock ?? '']] : []),
    ...(report.isByMargin ? fractionOf('margin', ({ margin }) => margin) : []),
  ];
  const taken = columns.map(([name]) => name);
  const isTaken = (name) => taken.includes(name.replace(/^(task )*/, ''));
  const named = report.choosing.map((task) => [task, sheet.tasks[task].name]);
  columns.push(...named.map(([task, name]) => [harmless(isTaken(name) ? `task ${name}` : name), ({ choices }) => harmless(choices[task] ?? '')]));
  const rows = [columns.map(([name]) => name), ...report.front.map((design) => columns.map(([, of]) => of(design)))];
  return rows.map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** Saves the designs as a file, made here: nothing is fetched. */
function saveCsv() {
  const address = URL.createObjectURL(new Blob([csvOf()], { type: 'text/csv' }));
  const name = report.document.taskset.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'front';
  make('a', { href: address, download: `${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function connectSharing() {
  const { kept, count } = report;
  const isPart = kept < count ? `, the ${grouped(kept)} of ${grouped(count)} in this page` : '';
  byId('save-csv').title = `The designs${isPart} in the columns of front.csv`;
  byId('save-csv').addEventListener('click', () => saveCsv());
  addEventListener('hashchange', () => {
    const design = designOfHash(location.hash);
    if (design) app.show(design);
  });
  app.isShared = true;
}
