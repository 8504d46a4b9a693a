// The tables: tasks before and after, blocks, designs; notes and origin.

/** A front of no more designs has all of them in its table. */
const ALL_ROWS = 60;
const ROWS_AROUND = 12;
/** The most designs within budgets in their table, and of minimal schedulable costs in theirs. */
const MOST_ROWS = 40;
const MOST_MINIMAL = 12;

/** What a task set tells of each task, in software and in the design shown. */
const COLUMNS = [
  ['WCET, software', 'number'],
  ['here', 'number', 'WCET here'],
  ['Utilization, software', 'number'],
  ['here', 'number', 'Utilization here'],
  ['Utilization as bars', 'bars'],
];

/** Fills a table. A column has words, a kind and, where the words alone would not do, those that a narrow screen shows before each cell. */
function fillTable(table, columns, rows) {
  const head = columns.map(([text, kind]) =>
    make('th', { scope: 'col', class: kind }, kind === 'bars' ? make('span', { class: 'hidden' }, text) : text));
  for (const row of rows) {
    columns.forEach(([text, , alone], at) => row.cells[at].setAttribute('data-label', alone ?? text));
  }
  table.replaceChildren(make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows));
}

class Tables {
  constructor(app) {
    this.app = app;
    this.most = this.mostUtilization();
    this.scale = this.scaleOfTimes();
    byId('sort').addEventListener('change', () => this.sort(Number(byId('sort').value), false));
    byId('sort-turn').addEventListener('click', () => this.sort(this.by, !this.isDescending));
  }

  /** The utilization of a task with a WCET, in a design of some slowdown. */
  utilization(task, wcet, slowdown) {
    return times(over(parsed(wcet), parsed(task.period)), slowdown);
  }

  /** The longest bar: the largest utilization of a task in software, at the slowest clock. */
  mostUtilization() {
    const { report } = this.app;
    if (!report.hasFigures) return 1;
    const slowest = report.slowest();
    const all = report.sheet.tasks.flatMap((task) => task.places.filter(Boolean)
      .map((timing) => approximate(this.utilization(timing, timing.wcet, slowest))));
    return Math.max(...all, 1e-12);
  }

  /** The largest unit in which every task takes at least one, of a set whose times are in seconds. */
  scaleOfTimes() {
    const { sheet, hasFigures } = this.app.report;
    if (sheet.time_unit !== 's' || !hasFigures) return { unit: sheet.time_unit, factor: ONE };
    const units = [['s', 0n], ['ms', 3n], ['µs', 6n], ['ns', 9n], ['ps', 12n]];
    const all = sheet.tasks.flatMap((task) => task.places.filter(Boolean).map(({ wcet }) => parsed(wcet)));
    const least = all.reduce((least, wcet) => (isLess(wcet, least) ? wcet : least), ONE);
    const [unit, power] = units.find(([, power]) => least.n * 10n ** power >= least.d) ?? units[4];
    return { unit, factor: { n: 10n ** power, d: 1n } };
  }

  /** A time in that unit. */
  time(text) {
    return times(parsed(text), this.scale.factor);
  }

  unitOfTimes() {
    return this.scale.unit ? `Times in ${this.scale.unit}. ` : '';
  }

  hints() {
    const { hasFigures, sheet } = this.app.report;
    const adds = sheet.origin.of === 'front' ? '; “isx report” with “--taskset” adds them' : '';
    byId('tasks-hint').textContent = hasFigures
      ? `${this.unitOfTimes()}${this.mode()}The upper bar is the utilization in software, the lower one that of the design shown.`
      : `${sheet.overruns !== null ? 'Execution times differ with overruns: see the task set' : `Execution times, periods and areas are not in a front${adds}`}.`;
  }

  /** The mode whose figures are shown. */
  mode() {
    const { report } = this.app;
    const critical = report.hasFigures ? report.criticalName(this.app.current()) : undefined;
    return critical === undefined ? '' : `Figures in the critical mode of the design, ${shown(critical)}. `;
  }

  render() {
    this.renderTasks();
    this.renderBlocks();
  }

  renderTasks() {
    const { report } = this.app;
    const { sheet, hasFigures } = report;
    this.hints();
    const design = this.app.current();
    const slowdown = report.slowdown(design);
    const responses = design.details?.responses ?? [];
    const hasResponses = hasFigures && sheet.scheduler !== 'edf' && sheet.details !== null;
    const cells = [['Task', ''], ['Choice', '']];
    if (hasFigures) cells.push(...COLUMNS);
    if (hasResponses) cells.push(['Response', 'number'], ['Deadline', 'number'], ['Response as a bar', 'bars']);
    const rows = sheet.tasks.map((task, at) => {
      const choice = report.choiceOf(design, at);
      const row = make('tr', { class: choice ? 'changed' : null, 'data-choice': design.choices[at] ?? -1 },
        make('th', { scope: 'row' }, named(task.name)),
        make('td', { class: 'choice' }, choice ? named(choice.name) : make('span', { class: 'none' }, 'software')));
      const timing = hasFigures && report.timesOf(design, at);
      if (timing) row.append(...this.figures(timing, slowdown));
      else if (hasFigures) row.append(...COLUMNS.map(([, kind], column) => make('td', { class: kind }, column ? '' : 'does not run')));
      if (hasResponses) row.append(...this.response(timing, responses[at]));
      return row;
    });
    fillTable(byId('tasks'), cells, rows);
    this.renderMissing(hasResponses, design);
  }

  figures(timing, slowdown) {
    const { wcet, here } = timing;
    const before = this.utilization(timing, wcet, ONE);
    const after = this.utilization(timing, here, slowdown);
    const number = (text, isSame) => make('td', { class: `number${isSame ? ' same' : ''}` }, text);
    const places = Math.max(2, ...[wcet, here].map((text) => (text.includes('.') ? 6 : 0)));
    const time = (text) => shortly(this.time(text), places);
    return [
      number(time(wcet)),
      number(here === wcet ? '=' : time(here), here === wcet),
      number(rounded(before, 4)),
      number(isSame(before, after) ? '=' : rounded(after, 4), isSame(before, after)),
      make('td', { class: 'bars' },
        bar(approximate(before) / this.most, 'before'),
        bar(approximate(after) / this.most, isLess(before, after) ? 'worse' : 'after')),
    ];
  }

  response(task, response) {
    const deadline = this.time(task.deadline);
    const number = (text, kind = '') => make('td', { class: `number ${kind}` }, text);
    if (typeof response !== 'string') {
      const why = response?.why ? visible(response.why) : 'not computed for this design';
      return [make('td', { class: 'number', title: why }, '–'), number(shortly(deadline, 3)), make('td', { class: 'bars' })];
    }
    const time = this.time(response);
    const isLate = isLess(deadline, time);
    return [
      number(shortly(time, 3), isLate ? 'late' : ''),
      number(shortly(deadline, 3)),
      make('td', { class: 'bars' }, bar(approximate(over(time, deadline)), isLate ? 'worse' : 'after'),
        isLate ? make('span', { class: 'late' }, 'late') : ''),
    ];
  }

  /** For which designs there are no response times. */
  renderMissing(hasResponses, design) {
    const { sheet, front } = this.app.report;
    const known = sheet.details?.designs ?? 0;
    if (!hasResponses || known >= front.kept) return;
    const here = design.details ? '' : ' There are none for this one.';
    const which = `${grouped(known)} of the ${counted(front.kept, 'design')} here, those nearest to the limit`;
    byId('tasks-hint').textContent = `${this.unitOfTimes()}Response times were computed for ${which}.${here}`;
  }

  renderBlocks() {
    const { report } = this.app;
    const { sheet } = report;
    byId('blocks-section').hidden = sheet.blocks.length === 0;
    if (!sheet.blocks.length) return;
    const design = this.app.current();
    const has = { slot: sheet.blocks.some((block) => block.slot), fmax: sheet.blocks.some((block) => block.fmax) };
    const known = report.hasFigures;
    const cells = [['Block', ''], ['Built', '']];
    if (known) cells.push(...report.resources.names.map((_, resource) => [costTitle(report, resource), 'number']));
    if (has.slot) cells.push(['Slot', '']);
    if (has.fmax) cells.push(['Fastest clock', 'number']);
    if (known) cells.push(['Used in this design by', '']);
    cells.push(['In the picture', '']);
    const rows = sheet.blocks.map((block, at) => {
      const isBuilt = design.blocks.includes(at);
      const row = make('tr', { class: isBuilt ? 'changed' : null },
        make('th', { scope: 'row' }, named(block.name)),
        make('td', {}, isBuilt ? 'yes' : make('span', { class: 'none' }, 'no')));
      if (known) row.append(...block.cost.map((cost) => make('td', { class: 'number' }, exactly(signed(cost)))));
      if (has.slot) row.append(make('td', {}, block.slot ? named(block.slot) : ''));
      if (has.fmax) row.append(make('td', { class: 'number' }, block.fmax ? clockWords(block.fmax) : ''));
      if (known) row.append(make('td', {}, ...this.users(design, at)));
      row.append(make('td', {}, this.blockSwitch(block, at)));
      return row;
    });
    fillTable(byId('blocks'), cells, rows);
    byId('blocks-hint').textContent = 'A block is built once, however many choices use it. Switch one off to see which designs of the front do without it.';
  }

  /** Switches a block off in the picture and the table of designs. */
  blockSwitch(block, at) {
    if (!this.app.report.front.blocks[at].includes(1)) return make('span', { class: 'none' }, 'in no design');
    const isOff = this.app.without.off.has(at);
    const attributes = { class: 'row', 'data-block': at, 'aria-pressed': String(isOff), 'aria-label': `Switch off ${shown(block.name)}` };
    return button(isOff ? 'off' : 'switch off', attributes, () => this.app.without.toggle(at));
  }

  users(design, block) {
    const { report } = this.app;
    const tasks = report.sheet.tasks.filter((_, at) => report.choiceOf(design, at)?.uses.includes(block));
    return tasks.flatMap((task, at) => [at ? ', ' : '', named(task.name)]);
  }

  /** The columns of the tables of designs: words, kind, what a design has in it and, where it sorts, the rank of each design. */
  columnsOfDesigns() {
    const { report } = this.app;
    const { sheet, front } = report;
    const number = (text) => make('td', { class: 'number' }, text);
    const columns = [
      ['Design', '', (design) => this.designButton(design), front.index],
      ...front.costs.map((amounts, resource) => [costTitle(report, resource), 'number', ({ cost }) => number(shortly(cost[resource])), amounts.rank]),
    ];
    if (report.isByMargin) columns.push(['Margin', 'number', ({ margin }) => number(margin ? rounded(margin, 6) : '')]);
    columns.push(['Utilization', 'number', ({ utilization }) => number(rounded(utilization, 6)), front.loads.rank]);
    columns.push(['Schedulable', '', (design) => this.verdictCell(design), front.verdicts]);
    if (sheet.modes.length) columns.push(['Critical mode', '', (design) => make('td', {}, named(report.criticalName(design)))]);
    if (sheet.variants.length) columns.push(['Processor', '', ({ variant }) => make('td', {}, named(sheet.variants[variant] ?? ''))]);
    if (sheet.blocks.length) columns.push(['Blocks', '', (design, before) => this.builtBlocks(before, design)]);
    if (sheet.clocks.length) columns.push(['Clock', 'number', ({ clock }) => number(clockWords(sheet.clocks[clock]))]);
    if (report.hasLowestClocks()) {
      columns.push(['Lowest clock', 'number', (design) => {
        const lowest = lowestClock(report, design);
        return number(lowest ? fractionOfHertz(lowest) : '');
      }]);
    }
    columns.push(['Choices', '', (design, before) => this.changesCell(design, before)]);
    return columns;
  }

  designButton(design) {
    const { app } = this;
    const isChosen = app.selected.number === design.number;
    const words = design.at < 0 ? 'minimal' : grouped(design.index);
    const label = { 'aria-label': `Show design ${design.at < 0 ? design.cost.map(shortly).join(' ') : design.index}`, 'aria-pressed': String(isChosen), class: 'row' };
    return make('td', {}, button(words, label, () => app.show(design)));
  }

  verdictCell(design) {
    const { kind, word } = shortVerdict(this.app.report, design);
    return make('td', {}, make('span', { class: `word small ${kind}` }, word));
  }

  /** The choices that differ from those of the row above, or all that are taken where rows are in another order. */
  changesCell(design, before) {
    const { report } = this.app;
    const changes = report.changes(before, design).tasks.map((task) => {
      const choice = report.choiceOf(design, task);
      return make('span', { class: 'change' }, named(report.sheet.tasks[task].name), ' → ', choice ? named(choice.name) : 'software');
    });
    const shownOnes = changes.slice(0, 6);
    if (changes.length > 6) shownOnes.push(make('span', { class: 'change none' }, `and ${changes.length - 6} more`));
    const none = design.choices.every((choice) => choice === null) ? 'all in software' : 'the same choices';
    return make('td', { class: 'changes' }, ...(shownOnes.length ? shownOnes : [make('span', { class: 'none' }, none)]));
  }

  /** The blocks of a design; those that the row above does not have are marked. */
  builtBlocks(before, design) {
    const { blocks } = this.app.report.sheet;
    const names = design.blocks.slice(0, 6).flatMap((block, at) => {
      const isNew = this.app.report.hasOneObjective && !before.blocks.includes(block);
      return [at ? ', ' : '', named(blocks[block].name, { class: isNew ? 'new' : null })];
    });
    const more = design.blocks.length - 6;
    if (more > 0) names.push(` and ${more} more`);
    return make('td', { class: 'built' }, ...(names.length ? names : [make('span', { class: 'none' }, 'none')]));
  }

  row(columns, design, before) {
    const { app } = this;
    const isHidden = app.without.isHidden(design.number);
    const kinds = [app.selected.number === design.number ? 'chosen' : '', isHidden ? 'off' : ''].filter(Boolean).join(' ');
    return make('tr', { class: kinds || null }, ...columns.map(([, , cell]) => cell(design, before)));
  }

  /** The designs: with one objective all of them or those round the chosen one, with several those within the budgets. */
  renderDesigns() {
    const { report } = this.app;
    const columns = this.columnsOfDesigns();
    const numbers = report.hasOneObjective ? this.around() : this.within(columns);
    const nothing = { ...report.base, blocks: [] };
    const marks = new Set();
    let before = report.hasOneObjective && numbers[0] > 0 ? report.design(numbers[0] - 1) : nothing;
    const rows = numbers.map((number) => {
      const design = report.design(number);
      const row = this.row(columns, design, before);
      if (report.hasOneObjective) before = design;
      marks.add(shortVerdict(report, design).word);
      return row;
    });
    const other = report.resources.area_unit === null ? 'that costs no more' : 'of no more area';
    const star = marks.has('no*') ? ` no*: this design misses a deadline, another ${other} is schedulable.` : '';
    const open = marks.has('?') ? ' ?: this design was not decided.' : '';
    byId('designs-hint').append(star + open);
    fillTable(byId('designs'), columns.map(([words, kind]) => [words, kind]), rows);
    if (!report.hasOneObjective) this.renderSorting(columns);
    this.renderMinimal(columns);
  }

  /** All designs, or those round the one that was chosen. */
  around() {
    const { app } = this;
    const { report } = app;
    const { kept, count } = report.front;
    const isAll = kept <= ALL_ROWS;
    const center = Math.max(0, app.selected.at >= 0 ? app.selected.at : report.within(app.selected.area));
    const first = isAll ? 0 : Math.max(0, Math.min(kept - 1 - 2 * ROWS_AROUND, center - ROWS_AROUND));
    const last = isAll ? kept - 1 : Math.min(kept - 1, first + 2 * ROWS_AROUND);
    byId('designs-hint').textContent = isAll && kept === count
      ? 'Every design of the front, with what changes from the row above.'
      : `Designs round the one chosen, ${grouped(last - first + 1)} of ${grouped(count)}, with what changes from the row above.`;
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  /** The first of the designs within the budgets, in the order that was chosen. */
  within(columns) {
    const { report, reach } = this.app;
    const { kept, count, all } = report.front;
    const within = Array.from({ length: all }, (_, at) => at).filter((at) => report.isWithin(at, reach));
    const [, , , rank] = columns[this.by ??= columns.findIndex(([, , , rank]) => rank === report.front.loads.rank)];
    const sign = this.isDescending ? -1 : 1;
    within.sort((a, b) => sign * (rank[a] - rank[b]) || a - b);
    const which = kept === count ? 'designs of the front' : `designs in this page (${grouped(count)} on the front)`;
    const first = within.length > MOST_ROWS ? `; the first ${MOST_ROWS} in this order are listed` : '';
    byId('designs-hint').textContent = `${grouped(within.length)} of ${grouped(all)} ${which} cost no more than the budgets${first}.`;
    byId('designs').dataset.within = within.length;
    return within.slice(0, MOST_ROWS);
  }

  /** The heads of the columns that sort, and the list of these. */
  renderSorting(columns) {
    const heads = byId('designs').querySelectorAll('thead th');
    const sorting = columns.flatMap(([, , , rank], by) => (rank ? [by] : []));
    for (const by of sorting) {
      const isSorted = by === this.by;
      if (isSorted) heads[by].setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      const arrow = isSorted ? (this.isDescending ? ' ↓' : ' ↑') : '';
      const turn = () => {
        this.sort(by, isSorted && !this.isDescending);
        byId('designs').querySelector(`[data-sort="${by}"]`)?.focus({ preventScroll: true });
      };
      heads[by].replaceChildren(button(`${columns[by][0]}${arrow}`, { 'data-sort': by }, turn));
    }
    byId('sort').replaceChildren(...sorting.map((by) => make('option', { value: by }, columns[by][0])));
    byId('sort').value = String(this.by);
    byId('sort-turn').setAttribute('aria-pressed', String(Boolean(this.isDescending)));
  }

  sort(by, isDescending) {
    Object.assign(this, { by, isDescending });
    this.renderDesigns();
  }

  /** The minimal schedulable costs of several objectives. */
  renderMinimal(columns) {
    const { report } = this.app;
    const { minimalAt } = report.front;
    byId('minimal-section').hidden = report.hasOneObjective || minimalAt.length === 0;
    if (byId('minimal-section').hidden) return;
    const more = minimalAt.length > MOST_MINIMAL ? ` The first ${MOST_MINIMAL} of ${grouped(minimalAt.length)} are listed.` : '';
    const unknown = report.sheet.minimal_unknown;
    const others = unknown === null ? '' : ` There may be others: ${visible(unknown)}.`;
    byId('minimal-hint').textContent = `No schedulable design costs less of one objective without more of another.${more}${others}`;
    const nothing = { ...report.base, blocks: [] };
    const own = columns.filter(([words]) => words !== 'Schedulable');
    const rows = minimalAt.slice(0, MOST_MINIMAL).map((number) => this.row(own, report.design(number), nothing));
    fillTable(byId('minimal'), own.map(([words, kind]) => [words, kind]), rows);
  }
}

/** What stands once and stays on every page: title, answer, facts, notes, origin. */
function renderFrame(report, answer, facts, made) {
  const { sheet } = report;
  byId('title').replaceChildren(named(sheet.title));
  const isOther = sheet.title !== sheet.taskset ? [`Task set ${shown(sheet.taskset)}. `] : [];
  const about = [...isOther, sheet.description ? visible(sheet.description) : ''].join('').trim();
  byId('about').replaceChildren(folded(about));
  byId('about').hidden = about === '';
  byId('what-if').hidden = sheet.what_if.length === 0;
  byId('what-if').textContent = `What if: ${sheet.what_if.map(visible).join('; ')}`;
  byId('answer').replaceChildren(...answer);
  byId('facts').replaceChildren(...facts.map(([label, value, more]) =>
    make('div', {}, make('dt', {}, label), make('dd', {}, make('strong', {}, value), make('span', {}, more ?? '')))));
  byId('notes-section').hidden = sheet.origin.notes.length === 0;
  byId('notes').replaceChildren(...sheet.origin.notes.map((note) => make('li', {}, folded(visible(note)))));
  byId('origin').replaceChildren(...origin(report, made).flatMap(([term, ...text]) => [make('dt', {}, term), make('dd', {}, ...text)]));
}

/** What stands once: titles, the answer, the margins below it, and what the page leaves out. */
function renderFront(report) {
  const { resources, hasOneObjective, isByMargin } = report;
  const objectives = resources.objectives.map((resource) => report.name(resource));
  const what = resources.area_unit === null ? listed(objectives) : 'Area';
  byId('front-title').textContent = `${what} against ${isByMargin ? 'margin' : 'utilization'}`;
  if (isByMargin) byId('plot-help').append(' The picture shows 1/margin: at most 1 is schedulable, and the lower, the longer the WCETs may be.');
  if (!hasOneObjective) {
    const limited = resources.names.filter((_, resource) => !resources.objectives.includes(resource)).map(shown);
    byId('plot-help').append(` Move a slider: the design of least utilization within all budgets is shown.${limited.length ? ` ${listed(limited)}: only limited, so without a slider.` : ''}`);
    byId('designs-title').textContent = 'Designs within the budgets';
  }
  byId('sorting').hidden = hasOneObjective;
  const [before, figure, after] = answerWords(report);
  renderFrame(report, [before, figure ? make('strong', {}, figure) : '', after], facts(report), frontRows(report, endWords(report).front));
  const margins = marginsWords(report);
  byId('margins').hidden = margins.length === 0;
  byId('margins').replaceChildren(...margins.map((words, at) => (at % 2 ? make('strong', {}, words) : words)));
  renderModeAreas(report);
  renderThinned(report);
}

/** What some of the modes cost without the others. */
function renderModeAreas(report) {
  const { mode_areas: areas } = report.sheet;
  const all = report.smallest?.area ?? ZERO;
  byId('modes-section').hidden = areas.length === 0;
  const rows = areas.map(({ modes, min_schedulable_area: area, min_schedulable_unknown: why }) =>
    make('tr', {},
      make('th', { scope: 'row' }, ...modes.flatMap((mode, at) => [at ? ', ' : '', named(mode)])),
      make('td', { class: 'number' }, area !== null ? exactly(parsed(area)) : why === null ? 'none' : `not known: ${visible(why)}`),
      make('td', { class: 'bars' }, area !== null && all.n > 0n ? bar(approximate(over(parsed(area), all)), 'after') : '')));
  fillTable(byId('modes'), [['Modes', ''], [costTitle(report, report.resources.objectives[0]), 'number'], ['Area as a bar', 'bars']], rows);
}

/** A long text behind its beginning. */
function folded(text) {
  if (text.length <= 420) return text;
  const cut = text.lastIndexOf(' ', 220);
  const end = cut > 80 ? cut : 220;
  return make('details', {}, make('summary', {}, `${text.slice(0, end)} …`), `… ${text.slice(end).trim()}`);
}

function facts(report) {
  const { sheet, front, base } = report;
  const last = report.design(report.last());
  const figure = (design, verdict) => {
    const [name, number] = measured(report, design);
    return [number, `${name}, ${verdict}`];
  };
  return [
    ['All in software', ...figure(base, verdictOf(report, base).word.toLowerCase())],
    [report.isByMargin ? 'Largest margin' : 'Least utilization', measured(report, last)[1], `at ${costWords(report, last.cost)}` + endWords(report).fact],
    ['Designs', grouped(front.count), 'on the exact Pareto front'],
    ['Status', ...statusWords(report)],
  ];
}

const fileWords = ({ name, sha256 }) => [named(name), make('span', { class: 'hash' }, ' SHA-256 ', make('code', {}, visible(sha256)))];

/** Where it comes from, a term and its text a line. */
function origin(report, made) {
  const { sheet } = report;
  const { origin } = sheet;
  const rows = [['Made by', visible(origin.program)]];
  if (origin.command) rows.push(['Command', make('code', {}, visible(origin.command))]);
  for (const input of origin.inputs) rows.push(['Input', ...fileWords(input)]);
  const scheduler = sheet.scheduler === undefined ? [] : [['Scheduler', SCHEDULERS[sheet.scheduler] ?? 'not told']];
  return [...rows, ...scheduler, ...made];
}

/** How a front was made. */
function frontRows(report, frontWords) {
  const { sheet } = report;
  const { origin } = sheet;
  const rows = [['Status', statusWords(report).filter(Boolean).join(': ')]];
  if (sheet.engine) {
    const { ran_on, arithmetic, why } = sheet.engine;
    rows.push(['Engine', visible([ran_on, arithmetic].filter(Boolean).join(', ') + (why ? `: ${why}` : ''))]);
  }
  if (origin.certificate) rows.push(['Certificate', ...fileWords(origin.certificate)]);
  else if (sheet.status === 'proved' && origin.of === 'task set') rows.push(['Certificate', 'made and checked, not kept or not named here']);
  rows.push(['Front', frontWords]);
  const has = {
    'task set': 'the exploration itself',
    front: 'a front.json alone: execution times, deadlines, response times and areas of choices and blocks are not in it',
    'front and task set': 'a front.json and its task set, solved again: the points are those of the set, and every area and utilization here was summed again',
    'front and sums': 'a front.json and its task set: every area and utilization here was summed again; whether a point is missing was not checked',
  };
  const margins = report.isByMargin && origin.of === 'front and sums' ? '; margins were computed again for some designs only' : '';
  rows.push(['Made of', `${has[origin.of] ?? ''}${margins}`]);
  return rows;
}

function renderThinned(report) {
  const { front, sheet } = report;
  const { count, kept } = front;
  const hint = byId('thinned');
  hint.hidden = kept === count;
  const limits = limitsOf(report);
  const around = limits.length ? ` the ${sheet.front.around} on both sides of ${listed(limits)},` : '';
  hint.textContent =
    `Of the ${grouped(count)} designs of the front ${grouped(kept)} are in this page: one in ${grouped(sheet.front.stride)},${around} ` +
    (report.hasOneObjective
      ? 'and the last. The curve leads from one of these to the next; what lies between is at most as high.'
      : 'and all minimal schedulable ones: the best design here within budgets may have a little more utilization than the best of the front, which “isx show --within” finds.');
}

/** The places of the front around which a page has every design, as far as there are such. */
function limitsOf({ front, sheet, isByMargin, hasOneObjective }) {
  if (!hasOneObjective) return [];
  const fits = front.loads.n[front.kept - 1] <= front.loads.den;
  const isSchedulable = front.verdicts.slice(0, front.kept).includes(VERDICTS.indexOf(true));
  if (sheet.limit === 'decides') return isSchedulable ? ['where the set becomes schedulable'] : [];
  return [fits && !isByMargin ? 'where the utilization falls to 1' : '', isSchedulable ? 'the first schedulable one' : ''].filter(Boolean);
}
