// The tables: tasks before and after, blocks, designs; notes and origin.

/** A front of no more designs has all of them in its table. */
const ALL_ROWS = 60;
const ROWS_AROUND = 12;

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
    if (known) cells.push(['Area', 'number']);
    if (has.slot) cells.push(['Slot', '']);
    if (has.fmax) cells.push(['Fastest clock', 'number']);
    if (known) cells.push(['Used in this design by', '']);
    cells.push(['In the picture', '']);
    const rows = sheet.blocks.map((block, at) => {
      const isBuilt = design.blocks.includes(at);
      const row = make('tr', { class: isBuilt ? 'changed' : null },
        make('th', { scope: 'row' }, named(block.name)),
        make('td', {}, isBuilt ? 'yes' : make('span', { class: 'none' }, 'no')));
      if (known) row.append(make('td', { class: 'number' }, exactly(signed(block.cost[0]))));
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

  /** The designs, all of them or those round the one that was chosen. */
  renderDesigns() {
    const { app } = this;
    const { report } = app;
    const { kept, count } = report.front;
    const isAll = kept <= ALL_ROWS;
    const center = Math.max(0, app.selected.at >= 0 ? app.selected.at : report.within(app.selected.area));
    const first = isAll ? 0 : Math.max(0, Math.min(kept - 1 - 2 * ROWS_AROUND, center - ROWS_AROUND));
    const last = isAll ? kept - 1 : Math.min(kept - 1, first + 2 * ROWS_AROUND);
    const which = isAll && kept === count
      ? 'Every design of the front, with what changes from the row above.'
      : `Designs round the one chosen, ${grouped(last - first + 1)} of ${grouped(count)}, with what changes from the row above.`;
    const rows = [];
    const marks = new Set();
    let before = first > 0 ? report.design(first - 1) : { ...report.base, blocks: [] };
    for (let at = first; at <= last; at++) {
      const design = report.design(at);
      marks.add(shortVerdict(report, design).word);
      rows.push(this.designRow(design, before));
      before = design;
    }
    const star = marks.has('no*') ? ' no*: this design misses a deadline, another of no more area is schedulable.' : '';
    const open = marks.has('?') ? ' ?: this design was not decided.' : '';
    byId('designs-hint').textContent = which + star + open;
    const cells = [['Design', ''], [costTitle(report, report.resources.objectives[0]), 'number']];
    if (report.isByMargin) cells.push(['Margin', 'number']);
    cells.push(['Utilization', 'number'], ['Schedulable', '']);
    if (report.sheet.modes.length) cells.push(['Critical mode', '']);
    if (report.sheet.blocks.length) cells.push(['Blocks', '']);
    if (report.sheet.clocks.length) cells.push(['Clock', 'number']);
    if (report.hasLowestClocks()) cells.push(['Lowest clock', 'number']);
    cells.push(['Choices', '']);
    fillTable(byId('designs'), cells, rows);
  }

  /** The blocks of a design; those that the row above does not have are marked. */
  builtBlocks(before, design) {
    const { blocks } = this.app.report.sheet;
    const names = design.blocks.slice(0, 6).flatMap((block, at) => {
      const isNew = !before.blocks.includes(block);
      return [at ? ', ' : '', named(blocks[block].name, { class: isNew ? 'new' : null })];
    });
    const more = design.blocks.length - 6;
    if (more > 0) names.push(` and ${more} more`);
    return make('td', { class: 'built' }, ...(names.length ? names : [make('span', { class: 'none' }, 'none')]));
  }

  designRow(design, before) {
    const { app } = this;
    const { report } = app;
    const isChosen = app.selected.at === design.at;
    const changes = report.changes(before, design).tasks.map((task) => {
      const choice = report.choiceOf(design, task);
      return make('span', { class: 'change' }, named(report.sheet.tasks[task].name), ' → ', choice ? named(choice.name) : 'software');
    });
    const shownOnes = changes.slice(0, 6);
    if (changes.length > 6) shownOnes.push(make('span', { class: 'change none' }, `and ${changes.length - 6} more`));
    const { kind, word } = shortVerdict(report, design);
    const label = { 'aria-label': `Show design ${design.index}`, 'aria-pressed': String(isChosen), class: 'row' };
    const isHidden = design.at >= 0 && app.without.isHidden(design.at);
    const lowest = lowestClock(report, design);
    const kinds = [isChosen ? 'chosen' : '', isHidden ? 'off' : ''].filter(Boolean).join(' ');
    return make('tr', { class: kinds || null },
      make('td', {}, button(grouped(design.index), label, () => app.keep(design.at))),
      make('td', { class: 'number' }, shortly(design.area)),
      design.margin ? make('td', { class: 'number' }, rounded(design.margin, 6)) : '',
      make('td', { class: 'number' }, rounded(design.utilization, 6)),
      make('td', {}, make('span', { class: `word small ${kind}` }, word)),
      report.sheet.modes.length ? make('td', {}, named(report.criticalName(design))) : '',
      report.sheet.blocks.length ? this.builtBlocks(before, design) : '',
      report.sheet.clocks.length ? make('td', { class: 'number' }, clockWords(report.sheet.clocks[design.clock])) : '',
      report.hasLowestClocks() ? make('td', { class: 'number' }, lowest ? fractionOfHertz(lowest) : '') : '',
      make('td', { class: 'changes' }, ...(shownOnes.length ? shownOnes : [make('span', { class: 'none' }, design.index === 0 ? 'all in software' : 'the same choices')])));
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

/** The margins below the answer, and what the page leaves out. */
function renderFront(report) {
  if (report.isByMargin) {
    byId('front-title').textContent = 'Area against margin';
    byId('plot-help').append(' The picture shows 1/margin: at most 1 is schedulable, and the lower, the longer the WCETs may be.');
  }
  const [before, area, after] = answerWords(report);
  renderFrame(report, [before, area ? make('strong', {}, area) : '', after], facts(report), frontRows(report, endWords(report).front));
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
  const last = report.design(front.kept - 1);
  const figure = (design, verdict) => {
    const [name, number] = measured(report, design);
    return [number, `${name}, ${verdict}`];
  };
  return [
    ['All in software', ...figure(base, verdictOf(report, base).word.toLowerCase())],
    [report.isByMargin ? 'Largest margin' : 'Least utilization', measured(report, last)[1], `at ${areaWords(report, last.area)}` + endWords(report).fact],
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
    'and the last. The curve leads from one of these to the next; what lies between is at most as high.';
}

/** The places of the front around which a page has every design, as far as there are such. */
function limitsOf({ front, sheet, isByMargin }) {
  const fits = front.loads.n[front.kept - 1] <= front.loads.den;
  const isSchedulable = front.verdicts.slice(0, front.kept).includes(VERDICTS.indexOf(true));
  if (sheet.limit === 'decides') return isSchedulable ? ['where the set becomes schedulable'] : [];
  return [fits && !isByMargin ? 'where the utilization falls to 1' : '', isSchedulable ? 'the first schedulable one' : ''].filter(Boolean);
}
