// What the page of a front tells: the document of the front, and what only the task set says.

/** The front that the page shows, and what it shows of that; there is one of each. */
let report, app;

/** The JSON that was deflated and encoded in base 64. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** The JSON in the page. */
function sheetOf(text) {
  const sheet = JSON.parse(text);
  if (sheet.schema !== 'isx.report/4') throw new Error(`the data has another schema: ${sheet.schema}`);
  return sheet;
}

/** What tasks and parts take, by their names; of a part also its task. */
function takenIn(choices) {
  const rows = Object.entries(choices).flatMap(([task, taken]) => {
    const hasParts = taken !== null && typeof taken === 'object';
    const parts = hasParts ? Object.entries(taken).map(([part, choice]) => [`${task}/${part}`, { task, choice }]) : [];
    return [[task, { task, choice: hasParts ? null : taken }], ...parts];
  });
  return new Map(rows);
}

/** Whether two designs of the document have the same figures and choices. */
function isSameDesign(a, b) {
  const key = ({ cost, variant, choices }) => JSON.stringify([cost, variant, choices]);
  const isEqual = a.utilization.num === b.utilization.num && a.utilization.den === b.utilization.den;
  return isEqual && key(a) === key(b);
}

/** Everything that the page tells, and the ways to ask for a design. */
class Report {
  static async read(text) {
    const sheet = sheetOf(text);
    const details = sheet.details ? await unpacked(sheet.details.packed) : [];
    return new Report(sheet, await unpacked(sheet.front.points), new Map(details));
  }

  constructor(sheet, points, details) {
    const { document } = sheet;
    const { resources: names, objectives, base, min_schedulable_designs: minimal } = document;
    const limits = new Map(Object.entries(document.limits ?? {}));
    Object.assign(this, { sheet, document, details, names, ...sheet.front });
    this.objectives = objectives.map((name) => names.indexOf(name));
    this.limits = names.map((name) => (limits.has(name) ? parsed(limits.get(name)) : null));
    this.areaUnit = document.area_unit ?? null;
    this.hasOneObjective = objectives.length === 1;
    this.isByMargin = document.front === 'margin';
    this.hasFigures = sheet.tasks.every((task) => task.places.length > 0);
    const hasModes = [...points, base, ...minimal].every((point) => point.mode_utilization);
    this.modes = hasModes ? document.modes : [];

    const indices = sheet.front.runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
    // The designs of the front in the page, and after them the minimal schedulable ones that are not among them.
    this.front = points.map((point, at) => this.design('front', at, indices[at], point));
    this.designs = [...this.front];
    this.minimal = minimal.map((record, at) => {
      const known = points.findIndex((point) => isSameDesign(point, record));
      if (known >= 0) return this.front[known];
      const design = this.design(this.hasOneObjective ? 'smallest' : 'minimal', this.designs.length, -1 - at, record);
      this.designs.push(design);
      return design;
    });
    // The tasks and parts that take a choice or none, by number: not tasks whose parts follow them.
    this.choosing = sheet.tasks.flatMap(({ part }, at) => (!part && sheet.tasks[at + 1]?.part ? [] : [at]));
    const onFront = points.findIndex((point) => isSameDesign(point, base));
    this.base = this.design('base', -1, undefined, { ...base, margin: points[onFront]?.margin, clock_hz: base.clock_hz ?? points[0]?.clock_hz });
    this.smallest = this.hasOneObjective ? this.minimal[0] ?? null : null;
    this.hasClocks = this.designs.some((design) => design.clock !== null);
    // The least and the most that a design of the page costs in each resource.
    this.ends = names.map((_, resource) => [least, most].map((of) => of(this.designs.map(({ cost }) => cost[resource]))));
    // The designs from left to right in the picture.
    this.fromLeft = [...this.designs].sort((a, b) => compare(a.area, b.area) || compare(a.utilization, b.utilization) || a.number - b.number);
  }

  /** A design of the document, with its figures as numbers. */
  design(kind, number, index, record) {
    const cost = this.names.map((name) => parsed(record.cost[name]));
    const [utilization, margin] = [ratio(record.utilization), record.margin ? ratio(record.margin) : null];
    const area = cost[this.objectives[0]];
    const { details } = this.sheet;
    const taken = takenIn(record.choices);
    const own = kind === 'front' ? this.details.get(index) : kind === 'smallest' ? details?.smallest : null;
    return {
      kind, number, index, cost, area, utilization, margin,
      // What names it in an address.
      hash: { front: `#design=${index}`, smallest: '#smallest', minimal: `#minimal=${-1 - index}`, base: '' }[kind],
      // Where it stands in the picture: the first objective against utilization, or 1/margin.
      x: approximate(area),
      y: this.isByMargin ? 1 / (margin ? approximate(margin) : NaN) : approximate(utilization),
      schedulable: record.schedulable,
      schedulable_within: record.schedulable_within,
      variant: record.variant ?? null,
      clock: record.clock_hz ?? null,
      blocks: record.blocks ?? [],
      modes: this.modes.map((mode) => ratio(record.mode_utilization[mode])),
      critical: this.modes.length ? record.critical_mode : undefined,
      choices: this.sheet.tasks.map(({ name }) => taken.get(name)?.choice ?? null),
      details: own ?? null,
    };
  }

  /** The name of a resource; that of an area is its unit. */
  name(resource) {
    return shown(this.names[resource]);
  }

  /** The times of a task with a design's variant, in its critical mode; null where it does not run in that mode. */
  timesOf(design, task) {
    const { modes = [] } = this.document;
    const [variant, mode] = [this.sheet.variants.indexOf(design.variant), modes.indexOf(design.critical)].map((at) => Math.max(0, at));
    const { choices, places } = this.sheet.tasks[task];
    const timing = places[variant * Math.max(1, modes.length) + mode];
    const choice = choices.findIndex(({ name }) => name === design.choices[task]);
    return timing && { ...timing, here: choice < 0 ? timing.wcet : timing.choices[choice] };
  }

  /** The place of the last design of the front within an area, -1 if there is none. */
  within(area) {
    return this.front.findLastIndex((design) => compare(design.area, area) <= 0);
  }

  /** How many times as long a cycle takes at a design's clock as at the set's own. */
  slowdown({ clock }) {
    return this.sheet.clock && clock ? over(parsed(this.sheet.clock), parsed(clock)) : ONE;
  }

  /** The tasks that take another choice in a later design, each an element with what it takes there. */
  changes(tag, from, to) {
    const { tasks } = this.sheet;
    return tasks.flatMap(({ name }, at) => (from.choices[at] === to.choices[at] ? [] : [change(tag, name, to.choices[at])]));
  }

  /** Whether a design costs no more than the budgets; null is any. */
  isWithin({ cost }, budgets) {
    return this.objectives.every((resource, at) => budgets[at] === null || compare(cost[resource], budgets[at]) <= 0);
  }

  /** The design of least utilization, or largest margin, within the budgets, the first of equal ones; null if there is none. */
  best(budgets, isWanted = () => true, among = this.hasOneObjective ? this.front : this.designs) {
    const isBetter = (a, b) => (this.isByMargin ? isLess(b.margin ?? ZERO, a.margin ?? ZERO) : isLess(a.utilization, b.utilization));
    return among.reduce(
      (best, design) => ((!best || isBetter(design, best)) && this.isWithin(design, budgets) && isWanted(design) ? design : best), null);
  }

  /** The best design of all. */
  last() {
    return this.best(this.objectives.map(() => null)) ?? this.base;
  }

  /** The designs from left to right in the picture: the front or, of several objectives, the corners of the line of least
      utilization against the first within the budgets of the others. */
  line(budgets, isWanted = () => true) {
    if (this.hasOneObjective) return this.front.filter(isWanted);
    const others = [null, ...budgets.slice(1)];
    const corners = [];
    for (const design of this.fromLeft) {
      const isLower = !corners.length || isLess(design.utilization, corners.at(-1).utilization);
      if (isLower && this.isWithin(design, others) && isWanted(design)) corners.push(design);
    }
    return corners;
  }
}
