// The chosen design: figures, verdict, choices, blocks, and what comes next.

const MOST_CHOICES_SHOWN = 40;

class Panel {
  constructor(app) {
    this.app = app;
  }

  render() {
    const { app } = this;
    const { report } = app;
    const design = app.current();
    const section = byId('design');
    // For whoever reads the page by program: exact figures as front.json has them.
    Object.assign(section.dataset, {
      kind: design.kind,
      index: design.kind === 'front' ? design.index : '',
      area: report.hasOneObjective ? exactly(design.area) : '',
      cost: design.cost.map((amount) => exactly(amount).replace('−', '-')).join(' '),
      variant: report.sheet.variants[design.variant] ?? '',
      num: design.utilization.n,
      den: design.utilization.d,
      margin: design.margin ? `${design.margin.n}/${design.margin.d}` : '',
      schedulable: design.schedulable,
      critical: report.criticalName(design) ?? '',
    });
    section.replaceChildren(
      this.head(design),
      this.figures(design),
      this.amounts(design),
      this.modes(design),
      this.verdict(design),
      this.choices(design),
      this.extras(design),
      this.next(design),
      this.jumps(design),
    );
  }

  head(design) {
    const { app } = this;
    const { count } = app.report.front;
    const title = {
      front: `Design ${grouped(design.index)} (numbered 0 to ${grouped(count - 1)})`,
      smallest: 'Smallest schedulable design',
      minimal: 'A minimal schedulable design',
      base: 'All in software',
    }[design.kind];
    const step = (text, label, by, isOff) =>
      button(text, { 'aria-label': label, disabled: isOff, class: 'step', 'data-step': by }, () => app.walk(by));
    const steps = make('div', { class: 'joined tools' },
      step('←', 'Design before', -1, design.number === app.line[0] || !app.line.length),
      step('→', 'Next design', 1, design.number === app.line.at(-1)));
    return make('div', { class: 'bar' }, make('h2', { id: 'design-title' }, title), steps);
  }

  figures(design) {
    const { report } = this.app;
    const area = exactly(design.area);
    const { area_unit: unit } = report.resources;
    return make('dl', { class: 'figures' },
      unit === null ? '' : this.figure('Area', area.length > 24 ? shortly(design.area, 3) : area, shown(unit)),
      design.margin ? this.exact('Margin', design.margin) : '',
      this.exact('Utilization', design.utilization));
  }

  /** What the design costs, and how much of each limit that is. */
  amounts(design) {
    const { report } = this.app;
    if (report.resources.area_unit !== null) return '';
    const rows = design.cost.flatMap((amount, resource) => {
      const limit = report.limits[resource];
      const { distinct, den } = report.front.costs[resource];
      const most = limit ?? { n: distinct.at(-1), d: den };
      const share = most.n > 0n ? approximate(over(amount, most)) : 0;
      const of = limit ? [' ', make('span', {}, `of ${shortly(limit)}`)] : [];
      return [
        make('dt', {}, named(report.resources.names[resource])),
        make('dd', { class: 'of number' }, shortly(amount), ...of),
        make('dd', {}, bar(share, 'after')),
      ];
    });
    const device = report.resources.device;
    return make('div', {}, make('h3', {}, device ? ['Cost on ', named(device)] : 'Cost'), make('dl', { class: 'amounts' }, ...rows));
  }

  figure(label, value, ...small) {
    return make('div', {}, make('dt', {}, label),
      make('dd', {}, make('strong', { class: value.length > 14 ? 'long' : null }, value), make('span', {}, ...small)));
  }

  /** A figure rounded, and as a fraction. */
  exact(label, number) {
    const { n, d } = number;
    // A fraction may be broken at its stroke, no number within.
    const whole = [`= ${n}/`, make('wbr'), String(d)];
    const fractionWords = `${n}${d}`.length > 44 ? [`≈\u00a0${rounded(number, 20)}`] : whole;
    return this.figure(label, rounded(number, 6), ...(d === 1n ? ['exactly'] : fractionWords));
  }

  /** The utilization in every mode, and in which it is largest. */
  modes(design) {
    const { report } = this.app;
    if (!design.modes.length) return '';
    const critical = report.criticalMode(design);
    const rows = design.modes.flatMap((utilization, mode) => [
      make('dt', {}, named(report.sheet.modes[mode])),
      make('dd', { class: 'of number' }, rounded(utilization, 6), mode === critical ? make('span', {}, ' critical') : ''),
      make('dd', {}, bar(approximate(utilization), isLess(ONE, utilization) ? 'worse' : 'after')),
    ]);
    return make('div', {}, make('h3', {}, 'Utilization by mode'), make('dl', { class: 'amounts modes' }, ...rows));
  }

  verdict(design) {
    const { report } = this.app;
    const { word, kind, text } = verdictOf(report, design);
    const lines = [make('p', {}, make('span', { class: `word ${kind}` }, word)), make('p', {}, text)];
    const margin = marginWords(report, design);
    if (margin?.why) lines.push(make('p', {}, `Margin not known: ${visible(margin.why)}.`));
    if (margin?.factor) lines.push(this.margin(margin));
    const lowest = lowestClock(report, design);
    if (lowest) lines.push(make('p', {}, `The lowest clock at which it is schedulable: ${fractionOfHertz(lowest)}.`));
    const { app } = this;
    const other = design.schedulable || design.kind === 'base' ? -1 : report.best(app.reach, (at) => report.isSchedulable(at));
    if (other >= 0) {
      const where = report.resources.area_unit === null ? 'these budgets' : 'this area';
      lines.push(make('p', { class: 'alert' }, `Another design within ${where} is schedulable: `,
        button('show it', { class: 'link' }, () => app.show(report.design(other)))));
    }
    return make('div', { class: 'verdict' }, ...lines);
  }

  margin({ factor, limit }) {
    const text = rounded(factor, 4);
    const isExact = isSame(parsed(text) ?? ZERO, factor);
    const words = isLess(factor, ONE)
      ? `All WCETs would have to be multiplied by ${text}`
      : `All WCETs may be multiplied by ${text}`;
    return make('p', {}, `${words}${isExact ? '' : ' (rounded)'}; ${limit === null ? 'not by more' : `beyond that ${visible(limit)}`}.`);
  }

  choices(design) {
    const { report } = this.app;
    const taken = report.sheet.tasks.flatMap((task, at) => {
      const choice = report.choiceOf(design, at);
      return choice ? [make('li', {}, named(task.name), make('span', { class: 'arrow' }, ' → '), named(choice.name, { class: 'taken' }))] : [];
    });
    const rest = report.sheet.tasks.length - taken.length;
    const more = taken.length - MOST_CHOICES_SHOWN;
    const shownOnes = taken.slice(0, MOST_CHOICES_SHOWN);
    if (more > 0) shownOnes.push(make('li', { class: 'rest' }, `${more} more, see the tasks`));
    const others = taken.length ? `${counted(rest, 'other task')} in software` : 'All tasks in software';
    if (rest > 0) shownOnes.push(make('li', { class: 'rest' }, others));
    return make('div', {}, make('h3', {}, 'Choices'), make('ul', { class: taken.length > 8 ? 'choices many' : 'choices' }, ...shownOnes));
  }

  extras(design) {
    const { sheet } = this.app.report;
    const rows = [];
    if (sheet.variants.length) rows.push(make('div', {}, make('h3', {}, 'Processor'), make('p', {}, named(sheet.variants[design.variant] ?? 'not told'))));
    if (sheet.blocks.length) {
      const names = design.blocks.map((block) => named(sheet.blocks[block].name, { class: 'chip' }));
      rows.push(make('div', {}, make('h3', {}, 'Blocks built'), make('p', { class: 'chips' }, ...(names.length ? names : ['none']))));
    }
    if (sheet.clocks.length) {
      const hertz = sheet.clocks[design.clock];
      const slower = sheet.clock && hertz !== sheet.clock ? `, lowered from ${clockWords(sheet.clock)}` : '';
      rows.push(make('div', {}, make('h3', {}, 'Clock'), make('p', {}, `${clockWords(hertz)}${slower}`)));
    }
    return make('div', { class: 'extras' }, ...rows);
  }

  /** What the next design of the page costs and gains. */
  next(design) {
    const { report } = this.app;
    const { front, sheet } = report;
    const at = design.at >= 0 ? design.at + 1 : report.within(design.area) + 1;
    if (design.at < 0 || !report.hasOneObjective) return '';
    const box = (...content) => make('div', { class: 'next' }, make('h3', {}, 'Next design'), ...content);
    if (at >= front.kept) {
      return box(make('p', {}, endWords(report).next));
    }
    const next = report.design(at);
    const cost = minus(next.area, design.area);
    const [sign, gain, measure] = report.isByMargin
      ? ['+', minus(next.margin, design.margin), 'margin']
      : ['−', minus(design.utilization, next.utilization), 'utilization'];
    const apart = next.index - design.index > 1 ? ` (design ${grouped(next.index)}; those between are not in this page)` : '';
    const { tasks, added, removed } = report.changes(design, next);
    const few = tasks.slice(0, 8).map((task) => {
      const choice = report.choiceOf(next, task);
      return make('li', {}, named(sheet.tasks[task].name), make('span', { class: 'arrow' }, ' → '), choice ? named(choice.name) : 'software');
    });
    if (tasks.length > 8) few.push(make('li', { class: 'rest' }, `and ${counted(tasks.length - 8, 'more task')}`));
    const blocks = [...added.map((block) => ['+', block]), ...removed.map((block) => ['−', block])];
    const chips = blocks.map(([change, block]) => make('span', { class: 'chip' }, change, named(sheet.blocks[block].name)));
    return box(
      make('p', {}, make('strong', {}, `+${areaWords(report, cost)}`), ' for ', make('strong', {}, `${sign}${perceptibly(gain, 6)}`), ` ${measure}${apart}`),
      make('ul', { class: 'choices small' }, ...few),
      chips.length ? make('p', { class: 'chips' }, ...chips) : '');
  }

  jumps(design) {
    const { app } = this;
    const { report } = app;
    const jumps = [];
    if (!report.hasOneObjective) jumps.push(button('Largest budgets', { 'data-jump': 'most' }, () => app.spendAll()));
    if (report.smallest) {
      const isThere = design.number === report.smallest.number;
      jumps.push(button('Smallest schedulable', { disabled: isThere, 'data-jump': 'smallest' }, () => app.show(report.smallest)));
    }
    jumps.push(button('All in software', { disabled: design.kind === 'base', 'data-jump': 'base' }, () => app.show(report.base)));
    return make('div', { class: 'jumps' }, ...jumps);
  }
}
