// The chosen design: figures, verdict, choices, blocks, and what comes next.

const MOST_CHOICES_SHOWN = 40;

/** A part with a heading. */
const titled = (title, ...content) => make('div', {}, make('h3', {}, title), ...content);

/** Rows of a name, a figure and a bar. */
const amounts = (kind, rows) => make('dl', { class: `amounts ${kind}` },
  ...rows.flatMap(([name, figure, more, bar]) => [make('dt', {}, named(name)), make('dd', { class: 'of number' }, figure, make('span', {}, more)), make('dd', {}, bar)]));

const panel = {
  render() {
    const design = app.current();
    const section = byId('design');
    // For whoever reads the page by program: exact figures as front.json has them.
    Object.assign(section.dataset, {
      kind: design.kind,
      index: design.kind === 'front' ? design.index : '',
      area: report.hasOneObjective ? exactly(design.area) : '',
      cost: design.cost.map((amount) => exactly(amount).replace('−', '-')).join(' '),
      variant: design.variant ?? '',
      num: design.utilization.n,
      den: design.utilization.d,
      margin: design.margin ? `${design.margin.n}/${design.margin.d}` : '',
      schedulable: design.schedulable,
      critical: design.critical ?? '',
    });
    section.replaceChildren(
      this.head(design),
      this.figures(design),
      ...this.costs(design),
      ...this.modes(design),
      this.verdict(design),
      this.choices(design),
      this.extras(design),
      ...this.next(design),
      this.jumps(design),
    );
  },

  head(design) {
    const step = (text, label, by, end) =>
      button(text, { 'aria-label': label, disabled: !app.line.length || design === end, class: 'step' }, () => app.walk(by));
    const steps = [step('←', 'Design before', -1, app.line[0]), step('→', 'Next design', 1, app.line.at(-1))];
    return make('div', { class: 'bar' }, make('h2', { id: 'design-title' }, placeWords(design)), make('div', { class: 'joined tools' }, ...steps));
  },

  figures(design) {
    const { areaUnit } = report;
    const figure = (label, value, ...small) => make('div', {}, make('dt', {}, label),
      make('dd', {}, make('strong', { class: value.length > 14 ? 'long' : null }, value), make('span', {}, ...small)));
    // Rounded, and as a fraction, which may be broken at its stroke, no number within.
    const exact = (label, number) => {
      const { n, d } = number;
      const whole = d === 1n ? ['exactly'] : `${n}${d}`.length > 44 ? [`≈\u00a0${rounded(number, 20)}`] : [`= ${n}/`, make('wbr'), String(d)];
      return figure(label, rounded(number, 6), ...whole);
    };
    const area = exactly(design.area);
    return make('dl', { class: 'figures' },
      areaUnit === null ? '' : figure('Area', area.length > 24 ? shortly(design.area, 3) : area, shown(areaUnit)),
      design.margin ? exact('Margin', design.margin) : '',
      exact('Utilization', design.utilization));
  },

  /** What the design costs, and how much of each limit that is. */
  costs(design) {
    const { areaUnit, names, limits, ends, document } = report;
    if (areaUnit !== null) return [];
    const rows = names.map((name, resource) => {
      const [amount, limit] = [design.cost[resource], limits[resource]];
      const whole = limit ?? ends[resource][1];
      return [name, shortly(amount), limit ? ` of ${shortly(limit)}` : '', bar(whole.n > 0n ? approximate(over(amount, whole)) : 0, 'after')];
    });
    return [titled(document.device ? ['Cost on ', named(document.device)] : 'Cost', amounts('', rows))];
  },

  /** The utilization in every mode, and in which it is largest. */
  modes(design) {
    const { modes } = report;
    const rows = design.modes.map((utilization, mode) =>
      [modes[mode], rounded(utilization, 6), modes[mode] === design.critical ? ' critical' : '', bar(approximate(utilization), isLess(ONE, utilization) ? 'worse' : 'after')]);
    return rows.length ? [titled('Utilization by mode', amounts('modes', rows))] : [];
  },

  verdict(design) {
    const verdict = verdictOf(design);
    const lines = [wordOf(verdict), verdict.text];
    const margin = marginWords(design);
    if (margin?.why) lines.push(`Margin not known: ${visible(margin.why)}.`);
    if (margin?.factor) {
      const text = rounded(margin.factor, 4);
      const words = isLess(margin.factor, ONE) ? 'would have to be' : 'may be';
      const isExact = isSame(parsed(text) ?? ZERO, margin.factor);
      const beyond = margin.limit === null ? 'not by more' : `beyond that ${visible(margin.limit)}`;
      lines.push(`All WCETs ${words} multiplied by ${text}${isExact ? '' : ' (rounded)'}; ${beyond}.`);
    }
    const lowest = lowestClock(design);
    if (lowest) lines.push(`The lowest clock at which it is schedulable: ${hertzWords(lowest)}.`);
    const other = design.schedulable || design.kind === 'base' ? null : app.schedulable();
    const where = report.areaUnit === null ? 'these budgets' : 'this area';
    const alert = other ? make('p', { class: 'alert' }, `Another design within ${where} is schedulable: `, button('show it', { class: 'link' }, () => app.show(other))) : '';
    return make('div', { class: 'verdict' }, ...lines.map((line) => make('p', {}, line)), alert);
  },

  choices(design) {
    const { tasks } = report.sheet;
    const taken = report.changes('li', { choices: tasks.map(() => null) }, design);
    const rest = report.choosing.length - taken.length;
    const item = (text) => make('li', { class: 'rest' }, text);
    const listed = [...fewOf(taken, MOST_CHOICES_SHOWN, (more) => item(`${more} more, see the tasks`))];
    if (rest > 0) listed.push(item(taken.length ? `${counted(rest, 'other task')} in software` : 'All tasks in software'));
    return titled('Choices', make('ul', { class: taken.length > 8 ? 'choices many' : 'choices' }, ...listed));
  },

  extras(design) {
    const { sheet, hasClocks } = report;
    const rows = [];
    if (sheet.variants.length) rows.push(titled('Processor', make('p', {}, named(design.variant ?? 'not stated'))));
    if (sheet.blocks.length) {
      const names = design.blocks.map((block) => named(block, { class: 'chip' }));
      rows.push(titled('Blocks built', make('p', { class: 'chips' }, ...(names.length ? names : ['none']))));
    }
    if (hasClocks) {
      const slower = sheet.clock && design.clock !== sheet.clock ? `, lowered from ${clockWords(sheet.clock)}` : '';
      rows.push(titled('Clock', make('p', {}, `${clockWords(design.clock ?? '')}${slower}`)));
    }
    return make('div', { class: 'extras' }, ...rows);
  },

  /** What the next design of the page costs and gains. */
  next(design) {
    if (design.kind !== 'front' || !report.hasOneObjective) return [];
    const box = (...content) => [make('div', { class: 'next' }, make('h3', {}, 'Next design'), ...content)];
    const next = report.front[design.number + 1];
    if (!next) return box(make('p', {}, endWords().next));
    const [sign, gain, measure] = report.isByMargin
      ? ['+', minus(next.margin, design.margin), 'margin']
      : ['−', minus(design.utilization, next.utilization), 'utilization'];
    const apart = next.index - design.index > 1 ? ` (design ${grouped(next.index)}; those between are not in this page)` : '';
    const few = fewOf(report.changes('li', design, next), 8, (more) => make('li', { class: 'rest' }, `and ${counted(more, 'more task')}`));
    const chips = [['+', design, next], ['−', next, design]].flatMap(([sign, without, one]) =>
      one.blocks.filter((block) => !without.blocks.includes(block)).map((block) => make('span', { class: 'chip' }, sign, named(block))));
    return box(
      make('p', {}, make('strong', {}, `+${areaWords(minus(next.area, design.area))}`), ' for ', make('strong', {}, `${sign}${perceptibly(gain, 6)}`), ` ${measure}${apart}`),
      make('ul', { class: 'choices small' }, ...few),
      chips.length ? make('p', { class: 'chips' }, ...chips) : '');
  },

  jumps(design) {
    const jump = (words, name, to) => button(words, { disabled: design === to, 'data-jump': name }, () => app.show(to));
    return make('div', { class: 'jumps' },
      report.hasOneObjective ? '' : button('Largest budgets', { 'data-jump': 'most' }, () => app.buy(report.objectives.map((resource) => report.ends[resource][1]))),
      report.smallest ? jump('Smallest schedulable', 'smallest', report.smallest) : '',
      jump('All in software', 'base', report.base));
  },
};
