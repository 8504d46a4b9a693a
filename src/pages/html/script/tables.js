// The tables: tasks before and after, blocks, designs.

/** A front of no more designs has all of them in its table. */
const ALL_ROWS = 60;
const ROWS_AROUND = 12;
/** The most designs within budgets in their table, and of minimal schedulable costs in theirs. */
const MOST_ROWS = 40;
const MOST_MINIMAL = 12;

/** The most changes and blocks of a design that its row names. */
const MOST_NAMED = 6;

class Tables {
  constructor() {
    this.isDescending = false;
    const { sheet, hasFigures } = report;
    const timings = sheet.tasks.flatMap((task) => task.places.filter(Boolean));
    // The column that sorts: that of the utilization, behind those of design, costs and margin.
    this.by = 1 + report.names.length + Number(report.isByMargin);
    // The longest bar: the largest utilization of a task in software, at the slowest clock.
    const clocks = new Set(report.designs.map(({ clock }) => clock));
    const slowest = most([ONE, ...[...clocks].map((clock) => report.slowdown({ clock }))]);
    this.most = Math.max(1e-12, ...timings.map((timing) => approximate(this.utilization(timing, timing.wcet, slowest))));
    // The largest unit in which every task takes at least one, of a set whose times are in seconds.
    const units = sheet.time_unit === 's' && hasFigures ? [['s', 0n], ['ms', 3n], ['µs', 6n], ['ns', 9n], ['ps', 12n]] : [[sheet.time_unit, 0n]];
    const shortest = least([ONE, ...timings.map(({ wcet }) => parsed(wcet))]);
    const [unit, power] = units.find(([, power]) => shortest.n * 10n ** power >= shortest.d) ?? units.at(-1);
    this.unit = unit ? `Times in ${unit}. ` : '';
    this.factor = { n: 10n ** power, d: 1n };
    byId('sort').addEventListener('change', () => this.sort(Number(byId('sort').value), false));
    byId('sort-turn').addEventListener('click', () => this.sort(this.by, !this.isDescending));
  }

  /** The utilization of a task with a WCET, in a design of some slowdown. */
  utilization(task, wcet, slowdown) {
    return times(over(parsed(wcet), parsed(task.period)), slowdown);
  }

  /** A time in the unit of all. */
  time(text) {
    return times(parsed(text), this.factor);
  }

  /** What there is to say of the table of tasks. */
  tasksHint(design, hasResponses) {
    const { hasFigures, sheet, kept } = report;
    const known = sheet.details?.designs ?? 0;
    if (hasResponses && known < kept) {
      const here = design.details ? '' : ' There are none for this one.';
      return `${this.unit}Response times were computed for ${grouped(known)} of the ${counted(kept, 'design')} here, those nearest to the limit.${here}`;
    }
    if (hasFigures) {
      const parts = sheet.tasks.some(({ part }) => part) ? ' A task is as long as its row and those of its parts together.' : '';
      const mode = design.critical === undefined ? '' : `Figures in the critical mode of the design, ${shown(design.critical)}. `;
      return `${this.unit}${mode}The upper bar is the utilization in software, the lower one that of the design shown.${parts}`;
    }
    if (report.document.overruns !== undefined) return 'Execution times differ with overruns: see the task set.';
    const adds = sheet.origin.of === 'front' ? '; “isx report” with “--taskset” adds them' : '';
    return `Execution times, periods and areas are not in a front${adds}.`;
  }

  renderTasks() {
    const { sheet, hasFigures, document } = report;
    const design = app.current();
    const slowdown = report.slowdown(design);
    const hasResponses = hasFigures && document.scheduler !== 'edf' && sheet.details !== null;
    tell('tasks-hint', this.tasksHint(design, hasResponses));
    const rows = sheet.tasks.map(({ name }, at) => {
      const timing = hasFigures ? report.timesOf(design, at) : null;
      const utilizations = timing && [this.utilization(timing, timing.wcet, ONE), this.utilization(timing, timing.here, slowdown)];
      return { name, choice: design.choices[at], timing, utilizations, response: design.details?.response_times?.[at] };
    });
    const columns = [
      { title: 'Task', isHead: true, of: ({ name }) => named(name) },
      { title: 'Choice', kind: 'choice', of: ({ choice }) => (choice === null ? quiet('software') : named(choice)) },
      ...(hasFigures ? this.timeColumns() : []),
      ...(hasResponses ? this.responseColumns() : []),
    ];
    fillTable(byId('tasks'), columns, rows, ({ choice }) => ({ class: choice === null ? null : 'changed', 'data-choice': choice ?? -1 }));
  }

  /** What a task set tells of each task, in software and in the design shown. */
  timeColumns() {
    const ifItRuns = (of, otherwise = '') => (row) => (row.timing ? of(row) : otherwise);
    const orSame = (isSame, text) => (isSame ? make('span', { class: 'same' }, '=') : text);
    const time = ({ wcet, here }, text) => shortly(this.time(text), [wcet, here].some((one) => one.includes('.')) ? 6 : 2);
    const length = (utilization) => approximate(utilization) / this.most;
    return [
      { title: 'WCET, software', kind: 'number', of: ifItRuns(({ timing }) => time(timing, timing.wcet), 'does not run') },
      { title: 'here', label: 'WCET here', kind: 'number', of: ifItRuns(({ timing }) => orSame(timing.here === timing.wcet, time(timing, timing.here))) },
      { title: 'Utilization, software', kind: 'number', of: ifItRuns(({ utilizations: [before] }) => rounded(before, 4)) },
      { title: 'here', label: 'Utilization here', kind: 'number', of: ifItRuns(({ utilizations: [before, after] }) => orSame(isSame(before, after), rounded(after, 4))) },
      {
        title: 'Utilization as bars', kind: 'bars',
        of: ifItRuns(({ utilizations: [before, after] }) => [bar(length(before), 'before'), bar(length(after), isLess(before, after) ? 'worse' : 'after')]),
      },
    ];
  }

  responseColumns() {
    const timeOf = ({ response }) => (response?.response_time ? this.time(response.response_time) : null);
    const isLate = (row) => isLess(this.time(row.timing.deadline), timeOf(row));
    const why = ({ response }) => (response?.why ? visible(response.why) : 'not computed for this design');
    return [
      {
        title: 'Response', kind: 'number',
        of: (row) => (timeOf(row) ? make('span', { class: isLate(row) ? 'late' : null }, shortly(timeOf(row), 3)) : make('span', { title: why(row) }, '–')),
      },
      { title: 'Deadline', kind: 'number', of: ({ timing }) => shortly(this.time(timing.deadline), 3) },
      {
        title: 'Response as a bar', kind: 'bars',
        of: (row) => {
          if (!timeOf(row)) return '';
          const share = approximate(over(timeOf(row), this.time(row.timing.deadline)));
          return isLate(row) ? [bar(share, 'worse'), make('span', { class: 'late' }, 'late')] : bar(share, 'after');
        },
      },
    ];
  }

  renderBlocks() {
    const { tasks, blocks } = report.sheet;
    byId('blocks-section').hidden = !blocks.length;
    const design = app.current();
    const uses = ({ choices }, at, block) => choices.some((choice) => choice.name === design.choices[at] && choice.uses.includes(block));
    const users = (block) => tasks.filter((task, at) => uses(task, at, block)).map((task) => task.name);
    const costs = report.names.map((_, resource) => ({ title: costTitle(resource), kind: 'number', of: ({ cost }) => exactly(parsed(cost[resource])) }));
    const columns = [
      { title: 'Block', isHead: true, of: ({ name }) => named(name) },
      { title: 'Built', of: ({ name }) => (design.blocks.includes(name) ? 'yes' : quiet('no')) },
      ...(report.hasFigures ? costs : []),
      blocks.some(({ slot }) => slot) && { title: 'Slot', of: ({ slot }) => (slot ? named(slot) : '') },
      blocks.some(({ fmax }) => fmax) && { title: 'Fastest clock', kind: 'number', of: ({ fmax }) => (fmax ? clockWords(fmax) : '') },
      report.hasFigures && { title: 'Used in this design by', of: ({ name }) => namedList(users(name)) },
      { title: 'In the picture', of: ({ name }) => this.blockSwitch(name) },
    ];
    fillTable(byId('blocks'), columns.filter(Boolean), blocks, ({ name }) => ({ class: design.blocks.includes(name) ? 'changed' : null }));
    tell('blocks-hint', 'A block is built once, however many choices use it. Switch one off to see which designs of the front do without it.');
  }

  /** Switches a block off in the picture and the table of designs. */
  blockSwitch(name) {
    if (!report.designs.some(({ blocks }) => blocks.includes(name))) return quiet('in no design');
    const isOff = app.off.has(name);
    return button(isOff ? 'off' : 'switch off', { class: 'row', 'aria-pressed': String(isOff), 'aria-label': `Switch off ${shown(name)}` }, () => app.toggle(name));
  }

  /** The columns of the tables of designs; those with an `order` sort. */
  columnsOfDesigns() {
    const { sheet, modes } = report;
    const costs = report.names.map((_, resource) =>
      ({ title: costTitle(resource), kind: 'number', of: ({ design }) => shortly(design.cost[resource]), order: (a, b) => compare(a.cost[resource], b.cost[resource]) }));
    const hasLowest = sheet.clock !== null && (sheet.limit === 'decides' || report.details.size > 0);
    const columns = [
      { title: 'Design', of: ({ design }) => this.designButton(design), order: (a, b) => a.index - b.index },
      ...costs,
      report.isByMargin && { title: 'Margin', kind: 'number', of: ({ design }) => (design.margin ? rounded(design.margin, 6) : '') },
      { title: 'Utilization', kind: 'number', of: ({ design }) => rounded(design.utilization, 6), order: (a, b) => compare(a.utilization, b.utilization) },
      {
        title: 'Schedulable', of: ({ design }) => wordOf(shortVerdict(design), 'small'),
        order: (a, b) => [false, true, null].indexOf(a.schedulable) - [false, true, null].indexOf(b.schedulable),
      },
      modes.length && { title: 'Critical mode', of: ({ design }) => named(design.critical) },
      sheet.variants.length && { title: 'Processor', of: ({ design }) => named(design.variant ?? '') },
      sheet.blocks.length && { title: 'Blocks', kind: 'built', of: (row) => this.builtBlocks(row) },
      report.hasClocks && { title: 'Clock', kind: 'number', of: ({ design }) => clockWords(design.clock ?? '') },
      hasLowest && { title: 'Lowest clock', kind: 'number', of: ({ design }) => (lowestClock(design) ? hertzWords(lowestClock(design)) : '') },
      { title: 'Choices', kind: 'changes', of: (row) => this.changes(row) },
    ];
    return columns.filter(Boolean);
  }

  designButton(design) {
    const isOnFront = design.kind === 'front';
    const label = { 'aria-label': `Show design ${isOnFront ? design.index : design.cost.map((cost) => shortly(cost)).join(' ')}`, 'aria-pressed': String(app.selected === design), class: 'row' };
    return button(isOnFront ? grouped(design.index) : 'minimal', label, () => app.show(design));
  }

  /** The choices that differ from those of the row above, or all that are taken where rows are in another order. */
  changes({ design, before }) {
    const changes = report.changes('span', before, design);
    const none = design.choices.every((choice) => choice === null) ? 'all in software' : 'the same choices';
    return changes.length ? fewOf(changes, MOST_NAMED, (more) => make('span', { class: 'change none' }, `and ${more} more`)) : quiet(none);
  }

  /** The blocks of a design; those that the row above does not have are marked. */
  builtBlocks({ design: { blocks }, before }) {
    const isNew = (block) => report.hasOneObjective && !before.blocks.includes(block);
    const more = blocks.length - MOST_NAMED;
    const names = namedList(blocks.slice(0, MOST_NAMED), (block) => ({ class: isNew(block) ? 'new' : null }));
    return blocks.length ? [...names, more > 0 ? ` and ${more} more` : ''] : quiet('none');
  }

  fillDesigns(id, columns, rows) {
    const kind = ({ design }) => [app.selected === design ? 'chosen' : '', app.isHidden(design) ? 'off' : ''].filter(Boolean).join(' ') || null;
    fillTable(byId(id), columns, rows, (row) => ({ class: kind(row) }));
  }

  /** The designs: with one objective all of them or those round the chosen one, with several those within the budgets. */
  renderDesigns() {
    const columns = this.columnsOfDesigns();
    const nothing = { ...report.base, blocks: [] };
    const { hint, designs } = report.hasOneObjective ? this.around() : this.within(columns);
    const before = (at) => (report.hasOneObjective ? report.front[designs[at].number - 1] : null) ?? nothing;
    this.fillDesigns('designs', columns, designs.map((design, at) => ({ design, before: before(at) })));
    const words = designs.map((design) => shortVerdict(design).word);
    const star = words.includes('no*') ? ` no*: this design misses a deadline, another ${noMoreWords()} is schedulable.` : '';
    tell('designs-hint', `${hint}${star}${words.includes('?') ? ' ?: this design was not decided.' : ''}`);
    if (report.hasOneObjective) return;
    this.renderSorting(columns);
    this.renderMinimal(columns.filter(({ title }) => title !== 'Schedulable'), nothing);
  }

  /** All designs, or those round the one that was chosen. */
  around() {
    const { kept, count, front } = report;
    const isAll = kept <= ALL_ROWS;
    const center = app.selected.kind === 'front' ? app.selected.number : report.within(app.selected.area);
    const first = isAll ? 0 : Math.max(0, Math.min(kept - 1 - 2 * ROWS_AROUND, center - ROWS_AROUND));
    const designs = isAll ? front : front.slice(first, first + 2 * ROWS_AROUND + 1);
    const hint = isAll && kept === count
      ? 'Every design of the front, with what changes from the row above.'
      : `Designs round the one chosen, ${grouped(designs.length)} of ${grouped(count)}, with what changes from the row above.`;
    return { hint, designs };
  }

  /** The first of the designs within the budgets, in the order that was chosen. */
  within(columns) {
    const { by, isDescending } = this;
    const { kept, count, designs } = report;
    const { order } = columns[by];
    const within = designs.filter((design) => report.isWithin(design, app.budgets));
    within.sort((a, b) => (isDescending ? order(b, a) : order(a, b)) || a.number - b.number);
    const which = kept === count ? 'designs of the front' : `designs in this page (${grouped(count)} on the front)`;
    const first = within.length > MOST_ROWS ? `; the first ${MOST_ROWS} in this order are listed` : '';
    byId('designs').dataset.within = within.length;
    return {
      hint: `${grouped(within.length)} of ${grouped(designs.length)} ${which} cost no more than the budgets${first}.`,
      designs: within.slice(0, MOST_ROWS),
    };
  }

  /** The heads of the columns that sort, and the list of these. */
  renderSorting(columns) {
    const heads = byId('designs').querySelectorAll('thead th');
    columns.forEach(({ title, order }, at) => {
      if (!order) return;
      const isSorted = at === this.by;
      if (isSorted) heads[at].setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      heads[at].replaceChildren(button(title, {}, () => this.sort(at, isSorted && !this.isDescending)));
    });
    const options = columns.map(({ title, order }, at) => (order ? make('option', { value: at, selected: at === this.by }, title) : ''));
    byId('sort').replaceChildren(...options.filter(Boolean));
    byId('sort-turn').setAttribute('aria-pressed', String(this.isDescending));
  }

  sort(by, isDescending) {
    Object.assign(this, { by, isDescending });
    keepFocus(() => this.renderDesigns());
  }

  /** The minimal schedulable costs of several objectives. */
  renderMinimal(columns, nothing) {
    const { minimal, document } = report;
    byId('minimal-section').hidden = !minimal.length;
    if (!minimal.length) return;
    const more = minimal.length > MOST_MINIMAL ? ` The first ${MOST_MINIMAL} of ${grouped(minimal.length)} are listed.` : '';
    const why = document.min_schedulable_unknown;
    tell('minimal-hint', `No schedulable design costs less of one objective without more of another.${more}${why === null ? '' : ` There may be others: ${visible(why)}.`}`);
    this.fillDesigns('minimal', columns, minimal.slice(0, MOST_MINIMAL).map((design) => ({ design, before: nothing })));
  }
}
