// The page of a task set on several numbers of cores: a table of them, then for each its cores as columns and in a table.

/** The kinds of results. */
const RESULTS = { proved: 'yes', infeasible: 'no', unknown: 'open' };

/** Pixels of a column of utilization 1, and the fewest for the name of a task. */
const COLUMN = 220;
const LEAST_FOR_NAME = 15;

class CorePage {
  constructor(sheet) {
    const { document } = sheet;
    this.sheet = sheet;
    this.rows = document.rows.map((row, at) => ({ ...row, loads: row.utilizations?.map(ratio), shares: sheet.shares[at]?.map(ratio), areas: sheet.areas[at] }));
    this.unit = shown(document.area_unit);
    this.areaColumn = { title: this.unit ? `Area in ${this.unit}` : 'Area', kind: 'number' };
    const found = this.rows.filter((row) => row.area !== null);
    this.cheapest = found.find(({ area }) => isSame(parsed(area), least(found.map((row) => parsed(row.area))))) ?? null;
  }

  area(text) {
    return `${exactly(parsed(text))} ${this.unit}`.trim();
  }

  render() {
    const { rows, sheet } = this;
    const { certificate } = sheet.origin;
    renderFrame(sheet, this.answer(), this.facts(), [
      schedulerRow(sheet.scheduler),
      ...(certificate ? [['Certificate', ...fileWords(certificate)]] : []),
      ['Made of', 'the search itself: whether deadlines are met was decided exactly for every core'],
    ]);
    tell('rows-hint', 'The least area with every core, choice and block counted; the margin is by how much all WCETs may grow. ' +
      'Below, each core is a column of its tasks: blue with a custom instruction, gray in software; the dashed line is utilization 1.');
    const ifFound = (of) => (row) => (row.area === null ? '–' : of(row));
    const columns = [
      { title: 'Cores', kind: 'number', of: ({ cores }) => String(cores) },
      { title: 'Result', of: (row) => this.result(row, 'small') },
      { ...this.areaColumn, of: ifFound(({ area }) => exactly(parsed(area))) },
      { title: 'Cores used', kind: 'number', of: ifFound(({ cores_used }) => String(cores_used)) },
      { title: 'Largest utilization', kind: 'number', of: ifFound(({ loads }) => rounded(most([ZERO, ...loads]), 6)) },
      { title: 'Margin', kind: 'number', of: ({ margin }) => (margin ? `${rounded(times(ratio(margin), { n: 100n, d: 1n }), 2)} %` : '–') },
    ];
    fillTable(byId('rows'), columns, rows, (row) => ({ class: row === this.cheapest ? 'chosen' : null }));
    byId('partitions').replaceChildren(...rows.map((row) => this.card(row)));
  }

  result({ status }, size) {
    return wordOf({ word: status, kind: RESULTS[status] }, size);
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
    const least = cheapest ? [exactly(parsed(cheapest.area)), `${this.unit} on ${counted(cheapest.cores, 'core')}, ${cheapest.status}`] : ['none'];
    return [
      ['All in software', rounded(ratio(sheet.software), 6), 'utilization of all tasks together'],
      ['Least area', ...least],
      ['Area of a core', exactly(parsed(sheet.document.core_area)), `${this.unit} without choices and blocks`],
      ['Tasks', grouped(sheet.tasks.length)],
    ];
  }

  /** A number of cores: why there is no design, or its cores. */
  card(row) {
    const id = `cores-${row.cores}`;
    const title = row.area === null ? counted(row.cores, 'core') : `${counted(row.cores, 'core')}: ${this.area(row.area)}`;
    const bound = row.status === 'unknown' && row.bound !== null ? ` Every design needs at least ${this.area(row.bound)}.` : '';
    return make('section', { class: 'card wide', 'aria-labelledby': id, 'data-cores': row.cores },
      make('div', { class: 'bar' }, make('h2', { id }, title), this.result(row)),
      row.reason ? make('p', { class: 'reason' }, `${visible(row.reason[0].toUpperCase() + row.reason.slice(1))}.${bound}`) : '',
      ...(row.area === null ? [] : this.design(row, id)));
  }

  design(row, id) {
    const taken = takenIn(row.choices);
    const isOn = (name, core) => row.assignment[taken.get(name).task] === core;
    const cores = row.loads.map((load, core) => ({
      core, load, area: row.areas[core], blocks: row.blocks[core],
      // Its tasks, each with its part of the utilization.
      tasks: this.sheet.tasks.flatMap((name, at) => (isOn(name, core) ? [{ name, share: row.shares[at], choice: taken.get(name).choice }] : [])),
    }));
    const columns = [
      { title: 'Core', kind: 'number', of: ({ core }) => String(core) },
      { title: 'Utilization', kind: 'number', of: ({ load }) => rounded(load, 6) },
      { ...this.areaColumn, of: ({ area }) => exactly(parsed(area)) },
      { title: 'Tasks', kind: 'changes', of: ({ tasks }) => (tasks.length ? tasks.map(({ name, choice }) => change('span', name, choice)) : quiet('none')) },
      { title: 'Blocks', kind: 'built', of: ({ blocks }) => (blocks.length ? namedList(blocks) : quiet('none')) },
    ];
    const table = make('table', {});
    fillTable(table, columns, cores, ({ core }) => ({ 'data-core': core }));
    return [
      make('div', { class: 'cores', 'aria-hidden': 'true' }, ...cores.map((core) => this.column(core))),
      make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': id }, table),
      row.chip_blocks.length ? make('p', { class: 'chip-blocks' }, 'Built once for the chip: ', ...namedList(row.chip_blocks)) : '',
      row.clock_hz ? make('p', {}, `All cores run at ${clockWords(row.clock_hz)}.`) : '',
    ];
  }

  /** A core as a column: its tasks by utilization, a dashed line at 1. */
  column({ core, load, tasks }) {
    const boxes = tasks.map(({ name, share, choice }) => {
      const high = approximate(share) * COLUMN;
      const words = `${shown(name)}: ${choice === null ? 'software' : shown(choice)}, ${rounded(share, 6)}`;
      const attributes = { class: choice === null ? null : 'hard', title: words, style: { height: `${high}px` } };
      return make('div', attributes, high < LEAST_FOR_NAME ? '' : named(name));
    });
    const stack = make('div', { class: 'stack', style: { height: `${COLUMN}px` } }, ...boxes);
    return make('div', { class: 'core' }, stack, make('strong', {}, `core ${core}`), make('span', {}, rounded(load, 6)));
  }
}
