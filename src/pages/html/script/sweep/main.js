// The page of a sweep: its curves in a table below the pictures, weighted schedulability, and paired comparisons.

/** A decimal text with so many places, not rounded up to 1. */
const decimal = (text, places = 4) => (text === null ? '–' : rounded(parsed(text), places));

/** Two ends, or one figure where they are the same. */
const ends = ({ least, most }) => (least === most ? decimal(least) : `${decimal(least)}–${decimal(most)}`);

/** A probability: exactly 1, or with three digits. */
function probability(text) {
  const value = Number(text);
  if (value === 0) return '< 10⁻¹²';
  return value < 0.001 ? value.toExponential(2) : rounded(parsed(text), 4);
}

const numberCell = (text) => make('td', { class: 'number' }, text);
const plainCell = (text) => make('td', {}, shown(text));

class SweepPage {
  constructor(sheet) {
    this.sheet = sheet;
    const { cells } = sheet.sweep;
    this.keys = cells.length ? Object.keys(cells[0].values) : [];
    this.tests = cells.length ? cells[0].tests.map(({ test }) => test) : [];
  }

  render() {
    const { sweep } = this.sheet;
    const unknown = sweep.cells.reduce((sum, { tests }) => sum + tests.reduce((some, test) => some + test.unknown, 0), 0);
    renderFrame(this, this.answer(), [
      ['Task sets', grouped(sweep.sets), 'each measured by itself'],
      ['Points', grouped(sweep.points), 'combinations of values of the grid'],
      ['Not decided', grouped(unknown), unknown ? 'verdicts, which widen the intervals' : 'verdicts'],
    ], [['Specification', make('span', { class: 'hash' }, 'SHA-256 ', make('code', {}, sweep.specification_sha256))]]);
    this.renderCells();
    this.renderWeighted();
    this.renderPairs();
    this.renderSpecification();
  }

  answer() {
    const { sweep } = this.sheet;
    return [make('strong', {}, counted(sweep.sets, 'task set')), ` at ${counted(sweep.points, 'point')}, measured one by one.`];
  }

  /** The values that lead a row: columns and cells. */
  head(withoutKey) {
    return this.keys.filter((key) => key !== withoutKey).map((key) => [shown(key), '']);
  }

  values(values, withoutKey) {
    return this.keys.filter((key) => key !== withoutKey).map((key) => plainCell(values[key]));
  }

  renderCells() {
    const { cells } = this.sheet.sweep;
    const [{ breakdown, min_area: areas } = {}] = cells;
    const quantiles = Object.keys(areas ?? {});
    byId('pictures-hint').textContent = 'The acceptance ratio is the share of the sets that are schedulable. In brackets the interval of Clopper and Pearson at 95 %: ' +
      'a set that was not decided counts as rejected for its lower end and as accepted for the upper one.';
    const columns = [...this.head(), ['Sets', 'number'], ...this.tests.map((test) => [`Accepted, ${shown(test)}`, 'number']),
      ...(breakdown ? [['Mean breakdown utilization', 'number']] : []),
      ...quantiles.map((percent) => [`Least area, ${percent} %`, 'number'])];
    fillTable(byId('cells'), columns, cells.map((cell) => make('tr', {},
      ...this.values(cell.values),
      numberCell(grouped(cell.sets)),
      ...cell.tests.map(({ ratio, low, high }) => numberCell(`${decimal(ratio)} (${decimal(low)}–${decimal(high)})`)),
      ...(breakdown ? [numberCell(ends(cell.breakdown))] : []),
      ...quantiles.map((percent) => numberCell(cell.min_area[percent] === null ? 'none' : exactly(parsed(cell.min_area[percent])))))));
  }

  renderWeighted() {
    const { weighted } = this.sheet.sweep;
    byId('weighted-section').hidden = weighted.length === 0 || this.tests.length === 0;
    byId('weighted-hint').textContent = 'The sum of the utilizations of the schedulable sets, divided by that of all sets, over all utilizations ' +
      '(Bastoni, Brandenburg and Anderson, OSPERT 2010).';
    const columns = [...this.head('utilization'), ...this.tests.map((test) => [`Weighted, ${shown(test)}`, 'number'])];
    fillTable(byId('weighted'), columns, weighted.map(({ values, tests }) => make('tr', {},
      ...this.values(values, 'utilization'),
      ...tests.map(({ least, most }) => numberCell(ends({ least, most }))))));
  }

  renderPairs() {
    const { pairs } = this.sheet.sweep;
    byId('pairs-section').hidden = pairs.length === 0;
    byId('pairs-hint').textContent = 'How many sets only one of two combinations accepts, over all points. The probability is that of a difference at least as large ' +
      'if both were of equal merit: McNemar’s exact test.';
    const columns = [['Test', ''], ['First', ''], ['Second', ''], ['Only the first', 'number'], ['Only the second', 'number'], ['Not decided', 'number'], ['Probability', 'number']];
    fillTable(byId('pairs'), columns, pairs.map((pair) => make('tr', {},
      plainCell(pair.test), plainCell(pair.first), plainCell(pair.second),
      ...[pair.only_first, pair.only_second, pair.unknown].map((count) => numberCell(grouped(count))),
      numberCell(probability(pair.p)))));
  }

  renderSpecification() {
    byId('spec-hint').textContent = 'Saved as sweep.yaml, it gives the same records to the last byte on every machine, with any number of threads.';
    byId('spec').textContent = visibleLines(this.sheet.sweep.specification);
    byId('commands').textContent = ['isx sweep run sweep.yaml --out sweep', 'isx sweep merge sweep -o sweep.parquet', 'isx sweep report sweep.parquet -o page.html'].join('\n');
  }
}

const visibleLines = (text) => text.split('\n').map(visible).join('\n');

async function start() {
  const sheet = JSON.parse(byId('data').textContent);
  if (sheet.schema !== 'isx.report/4') throw new Error(`the data has another schema: ${sheet.schema}`);
  byId('report').hidden = false;
  new SweepPage(sheet).render();
  connectColors();
  document.documentElement.dataset.ready = 'yes';
}
