// The page of a task set on several numbers of cores: a table of them, then for each its cores as columns and in a table.

const RESULTS = { proved: ['proved', 'yes'], infeasible: ['infeasible', 'no'], unknown: ['unknown', 'open'] };

/** Pixels of a column of utilization 1, and the fewest for the name of a task. */
const COLUMN = 220;
const LEAST_FOR_NAME = 15;

class CorePage {
  constructor(sheet) {
    this.sheet = sheet;
    this.rows = sheet.partition.rows.map((row, at) => ({ ...row, shares: sheet.shares[at], areas: sheet.areas[at] }));
    this.unit = shown(sheet.partition.area_unit);
    this.areaColumn = [this.unit ? `Area in ${this.unit}` : 'Area', 'number'];
    const found = this.rows.filter((row) => row.area !== null);
    this.cheapest = found.reduce((best, row) => (best && !isLess(parsed(row.area), parsed(best.area)) ? best : row), null);
  }

  area(text) {
    return `${exactly(parsed(text))} ${this.unit}`.trim();
  }

  load(row, core) {
    return ratio([row.utilizations[core].num, row.utilizations[core].den]);
  }

  largest(row) {
    const all = row.utilizations.map((_, core) => this.load(row, core));
    return all.reduce((most, load) => (isLess(most, load) ? load : most), ZERO);
  }

  /** The tasks of a core, each with its place in the file. */
  tasks(row, core) {
    return this.sheet.tasks.flatMap((name, at) => (row.assignment[name] === core ? [{ name, at, choice: row.choices[name] }] : []));
  }

  render() {
    const { rows } = this;
    const { certificate } = this.sheet.origin;
    renderFrame(this, this.answer(), this.facts(), [
      ...(certificate ? [['Certificate', ...fileWords(certificate)]] : []),
      ['Made of', 'the search itself: whether deadlines are met was decided exactly for every core'],
    ]);
    byId('rows-hint').textContent = 'The least area with every core, choice and block counted; the margin is by how much all WCETs may grow. ' +
      'Below, each core is a column of its tasks: blue with a custom instruction, gray in software; the dashed line is utilization 1.';
    const columns = [['Cores', 'number'], ['Result', ''], this.areaColumn, ['Cores used', 'number'], ['Largest utilization', 'number'], ['Margin', 'number']];
    fillTable(byId('rows'), columns, rows.map((row) => this.row(row)));
    byId('partitions').replaceChildren(...rows.map((row) => this.card(row)));
  }

  answer() {
    const { rows, cheapest } = this;
    if (cheapest) {
      const found = cheapest.status === 'proved' ? 'The least area' : 'The least area found';
      return [`${found} with which every deadline is met is `, make('strong', {}, this.area(cheapest.area)), ` on ${counted(cheapest.cores, 'core')}.`];
    }
    const isOpen = rows.some((row) => row.status === 'unknown');
    return [make('strong', {}, isOpen ? 'No design was found' : 'No number of cores'), isOpen ? '; whether there is one is not known.' : ' meets every deadline.'];
  }

  facts() {
    const { sheet, cheapest } = this;
    const software = ratio(sheet.software);
    const least = cheapest ? [exactly(parsed(cheapest.area)), `${this.unit} on ${counted(cheapest.cores, 'core')}, ${RESULTS[cheapest.status][0]}`] : ['none'];
    return [
      ['All in software', rounded(software, 6), 'utilization of all tasks together'],
      ['Least area', ...least],
      ['Area of a core', exactly(parsed(sheet.partition.core_area)), `${this.unit} without choices and blocks`],
      ['Tasks', grouped(sheet.tasks.length)],
    ];
  }

  row(row) {
    const number = (text) => make('td', { class: 'number' }, text);
    const margin = row.margin && `${rounded(times(ratio([row.margin.num, row.margin.den]), { n: 100n, d: 1n }), 2)} %`;
    const [word, kind] = RESULTS[row.status];
    const figures = row.area === null ? ['–', '–', '–', '–'] : [exactly(parsed(row.area)), row.cores_used, rounded(this.largest(row), 6), margin ?? '–'];
    return make('tr', { class: row === this.cheapest ? 'chosen' : null },
      make('td', { class: 'number' }, String(row.cores)),
      make('td', {}, make('span', { class: `word small ${kind}` }, word)),
      ...figures.map((figure) => number(String(figure))));
  }

  /** A number of cores: why there is no design, or its cores. */
  card(row) {
    const [word, kind] = RESULTS[row.status];
    const id = `cores-${row.cores}`;
    const title = row.area === null ? counted(row.cores, 'core') : `${counted(row.cores, 'core')}: ${this.area(row.area)}`;
    const bound = row.status === 'unknown' && row.bound !== null ? ` Every design needs at least ${this.area(row.bound)}.` : '';
    const parts = [make('div', { class: 'bar' }, make('h2', { id }, title), make('span', { class: `word ${kind}` }, word))];
    if (row.reason) parts.push(make('p', { class: 'reason' }, `${visible(row.reason[0].toUpperCase() + row.reason.slice(1))}.${bound}`));
    if (row.area !== null) parts.push(...this.design(row, id));
    return make('section', { class: 'card wide', 'aria-labelledby': id, 'data-cores': row.cores }, ...parts);
  }

  design(row, id) {
    const cores = row.utilizations.map((_, core) => core);
    const chip = row.chip_blocks.flatMap((block, at) => [at ? ', ' : '', named(block)]);
    const table = make('table', {});
    fillTable(table, [['Core', 'number'], ['Utilization', 'number'], this.areaColumn, ['Tasks', ''], ['Blocks', '']], cores.map((core) => this.coreRow(row, core)));
    return [
      make('div', { class: 'cores', 'aria-hidden': 'true' }, ...cores.map((core) => this.column(row, core))),
      make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': id }, table),
      chip.length ? make('p', { class: 'chip-blocks' }, 'Built once for the chip: ', ...chip) : '',
      row.clock_hz ? make('p', {}, `All cores run at ${clockWords(row.clock_hz)}.`) : '',
    ];
  }

  /** A core as a column: its tasks by utilization, a dashed line at 1. */
  column(row, core) {
    const boxes = this.tasks(row, core).map(({ name, at, choice }) => {
      const share = ratio(row.shares[at]);
      const high = approximate(share) * COLUMN;
      const words = `${shown(name)}: ${choice === null ? 'software' : shown(choice)}, ${rounded(share, 6)}`;
      const box = make('div', { class: choice === null ? null : 'hard', title: words }, high < LEAST_FOR_NAME ? '' : named(name));
      box.style.height = `${high}px`;
      return box;
    });
    const stack = make('div', { class: 'stack' }, ...boxes);
    stack.style.height = `${COLUMN}px`;
    return make('div', { class: 'core' }, stack, make('strong', {}, `core ${core}`), make('span', {}, rounded(this.load(row, core), 6)));
  }

  coreRow(row, core) {
    const tasks = this.tasks(row, core).map(({ name, choice }) =>
      make('span', { class: 'change' }, named(name), ' → ', choice === null ? 'software' : named(choice)));
    const blocks = row.blocks[core].flatMap((block, at) => [at ? ', ' : '', named(block)]);
    const none = make('span', { class: 'none' }, 'none');
    return make('tr', { 'data-core': core },
      make('td', { class: 'number' }, String(core)),
      make('td', { class: 'number' }, rounded(this.load(row, core), 6)),
      make('td', { class: 'number' }, exactly(parsed(row.areas[core]))),
      make('td', { class: 'changes' }, ...(tasks.length ? tasks : [none])),
      make('td', { class: 'built' }, ...(blocks.length ? blocks : [none.cloneNode(true)])));
  }
}

async function start() {
  const sheet = JSON.parse(byId('data').textContent);
  if (sheet.schema !== 'isx.report/3') throw new Error(`the data has another schema: ${sheet.schema}`);
  byId('report').hidden = false;
  new CorePage(sheet).render();
  connectColors();
  document.documentElement.dataset.ready = 'yes';
}
