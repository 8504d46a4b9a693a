// What leaves the page: the chosen design in the address, and the designs as CSV.

/** The address of a design: its number on the front, or that of a minimal schedulable one beside it. */
function hashOf({ front, hasOneObjective }, { number, at, index }) {
  if (at >= 0) return `#design=${index}`;
  return hasOneObjective ? '#smallest' : `#minimal=${front.minimalAt.indexOf(number)}`;
}

/** The design that an address names; null if it names none of the page. */
function designOfHash(report, hash) {
  const { index, minimalAt } = report.front;
  const [, kind, told] = /^#(design|minimal)=(\d{1,12})$/.exec(hash.replace('#smallest', '#minimal=0')) ?? [];
  const number = kind === 'minimal' ? minimalAt[Number(told)] ?? -1 : index.indexOf(Number(told ?? NaN));
  return number < 0 ? null : report.design(number);
}

/** Writes the design into the address, without a step in the history. */
function keepInAddress(report, design) {
  if (design.kind === 'base') return;
  try {
    history.replaceState(null, '', hashOf(report, design));
  } catch {
    // A page in a frame may have no address of its own.
  }
}

/** The double nearest to a fraction. */
function nearest({ n, d }) {
  if (n === 0n) return 0;
  const length = (number) => number.toString(2).length;
  const shift = Math.max(0, 66 + length(d) - length(n));
  const scaled = n << BigInt(shift);
  // The last bit says whether anything follows, so that the conversion rounds as it would round all digits.
  const quotient = scaled / d | (scaled % d === 0n ? 0n : 1n);
  return Number(quotient) / 2 ** Math.min(shift, 1000) / 2 ** Math.max(0, shift - 1000);
}

/** A name that no spreadsheet takes for a formula. */
const harmless = (name) => (/^['=+\-@\t\r]/.test(name) ? `'${name}` : name);

/** A field as RFC 4180 has it. */
const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The columns before those of the tasks. */
function fixedColumns({ sheet }) {
  const costs = sheet.resources.area_unit === null ? sheet.resources.names : ['area'];
  const fixed = [...costs, 'utilization_num', 'utilization_den', 'utilization', 'schedulable', 'schedulable_within'];
  if (sheet.blocks.length) fixed.push('blocks');
  if (sheet.variants.length) fixed.push('variant');
  fixed.push(...sheet.modes.map((mode) => `utilization ${mode}`));
  if (sheet.clocks.length) fixed.push('clock_hz');
  if (sheet.by_margin) fixed.push('margin_num', 'margin_den', 'margin');
  return fixed;
}

/** The designs of the page in the columns of front.csv. */
function csvOf(report) {
  const { sheet, front } = report;
  const fixed = fixedColumns(report);
  const isTaken = (name) => fixed.includes(name.replace(/^(task )*/, ''));
  const heads = sheet.tasks.map(({ name }) => harmless(isTaken(name) ? `task ${name}` : name));
  const rows = [[...fixed.map(harmless), ...heads]];
  const escaped = sheet.blocks.map(({ name }) => name.replace(/[+\\]/g, '\\$&'));
  const verdict = (known) => (known === null ? '' : String(known));
  for (let at = 0; at < front.kept; at++) {
    const design = report.design(at);
    const { utilization } = design;
    const costs = design.cost.map((amount) => exactly(amount).replace('−', '-'));
    const row = [...costs, String(utilization.n), String(utilization.d), String(nearest(utilization))];
    row.push(verdict(design.schedulable), verdict(design.schedulable_within));
    if (sheet.blocks.length) row.push(harmless(design.blocks.map((block) => escaped[block]).join('+')));
    if (sheet.variants.length) row.push(harmless(sheet.variants[design.variant] ?? ''));
    row.push(...design.modes.map((utilization) => String(nearest(utilization))));
    if (sheet.clocks.length) row.push(sheet.clocks[design.clock]);
    if (design.margin) row.push(String(design.margin.n), String(design.margin.d), String(nearest(design.margin)));
    row.push(...sheet.tasks.map((_, task) => harmless(report.choiceOf(design, task)?.name ?? '')));
    rows.push(row);
  }
  return rows.map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** Saves the designs as a file, made here: nothing is fetched. */
function saveCsv(report) {
  const address = URL.createObjectURL(new Blob([csvOf(report)], { type: 'text/csv' }));
  const name = report.sheet.taskset.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'front';
  make('a', { href: address, download: `${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function connectSharing(app) {
  const { report } = app;
  const { kept, count } = report.front;
  const isPart = kept < count ? `, the ${grouped(kept)} of ${grouped(count)} in this page` : '';
  byId('save-csv').title = `The designs${isPart} in the columns of front.csv`;
  byId('save-csv').addEventListener('click', () => saveCsv(report));
  addEventListener('hashchange', () => {
    const design = designOfHash(report, location.hash);
    if (design) app.show(design);
  });
  app.isShared = true;
}
