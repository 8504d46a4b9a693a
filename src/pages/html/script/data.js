// What the page tells: the JSON in it, and the designs packed in that.

function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

async function inflated(text) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Takes numbers of seven bits a byte from bytes, one after the other. */
class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  small() {
    let [number, scale] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.at++];
      number += (byte & 127) * scale;
      if (byte < 128) return number;
      scale *= 128;
    }
  }

  large() {
    const start = this.at;
    while (this.bytes[this.at] > 127) this.at++;
    this.at++;
    if (this.at - start <= 7) {
      this.at = start;
      return BigInt(this.small());
    }
    let number = 0n;
    for (let at = this.at - 1; at >= start; at--) number = (number << 7n) | BigInt(this.bytes[at] & 127);
    return number;
  }

  column(count, Kind) {
    const column = new Kind(count);
    for (let at = 0; at < count; at++) column[at] = this.small();
    return column;
  }

  /** Numerators, each as its difference from the one before: doubled, plus one if it falls. */
  steps(count) {
    let sum = 0n;
    return Array.from({ length: count }, () => {
      const step = this.large();
      return (sum += step & 1n ? -(step >> 1n) : step >> 1n);
    });
  }
}

/** Of the rising numbers, how many are at most `most`. */
function countWithin(numbers, most) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A column of numerators over one denominator, with the rank of each among the different ones. */
class Amounts {
  constructor(numerators, den) {
    this.n = numerators;
    this.den = den;
    this.distinct = [...new Set(numerators)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const ranks = new Map(this.distinct.map((number, rank) => [number, rank]));
    this.rank = Uint32Array.from(numerators, (number) => ranks.get(number));
    this.x = Float64Array.from(numerators, (n) => approximate({ n, d: den }));
  }

  at(index) {
    return fraction(this.n[index], this.den);
  }

  /** A fraction as a numerator over this denominator, rounded down. */
  floor({ n, d }) {
    const scaled = n * this.den;
    const quotient = scaled / d;
    return quotient * d > scaled ? quotient - 1n : quotient;
  }
}

/** A design that stands in the page by itself, with its figures as fractions. */
function single(told) {
  const utilization = fraction(BigInt(told.num), BigInt(told.den));
  return { ...told, cost: told.cost.map(signed), utilization, modes: told.modes.map(ratio), margin: null, details: null };
}

/** The designs in the page: those of the front, then the minimal schedulable ones that are not among them. */
async function unpackedFront(sheet, minimal) {
  const { count, kept, costs, utilization_den, modes, packed } = sheet.front;
  const numbers = new Numbers(await inflated(packed));
  const gaps = numbers.column(kept, Float64Array);
  const index = [...gaps.map(((sum) => (gap) => (sum += gap))(0))];
  // Minimal designs may need another denominator than the designs of the front.
  const amounts = (den, of) => {
    const own = BigInt(den);
    const others = minimal.map(of);
    const wide = others.reduce((all, { d }) => (all / greatestDivisor(all, d)) * d, own);
    const steps = numbers.steps(kept).map((number) => number * (wide / own));
    return { den: wide, n: steps, others: others.map(({ n, d }) => (n * wide) / d) };
  };
  const dearness = costs.map((den, resource) => amounts(den, ({ cost }) => cost[resource]));
  const load = amounts(utilization_den, ({ utilization }) => utilization);
  const inModes = modes.map((den, mode) => amounts(den, (design) => design.modes[mode]));
  const column = (isThere = true) => (isThere ? [...numbers.column(kept, Uint32Array)] : new Array(kept).fill(0));
  const [verdicts, within] = [column(), column()];
  const [variants, clocks] = [column(sheet.variants.length > 0), column(sheet.clocks.length > 0)];
  const [blocks, tasks] = [sheet.blocks.map(() => column()), sheet.tasks.map(() => column())];
  const large = () => Array.from({ length: kept }, () => numbers.large());
  const margins = sheet.by_margin ? { n: large(), d: large() } : null;

  const counted = (number) => (number === null ? 0 : number + 1);
  const figures = [...dearness, load];
  const key = (at) => [...figures.map(({ n }) => n[at]), variants[at], ...tasks.map((taken) => taken[at])].join();
  const known = new Map(minimal.length ? index.map((_, at) => [key(at), at]) : []);
  const minimalAt = minimal.map((design, number) => {
    const choices = design.choices.map(counted);
    const own = [...figures.map(({ others }) => others[number]), counted(design.variant), ...choices].join();
    if (known.has(own)) return known.get(own);
    index.push(-1 - number);
    for (const { n, others } of [...figures, ...inModes]) n.push(others[number]);
    verdicts.push(VERDICTS.indexOf(design.schedulable));
    within.push(VERDICTS.indexOf(design.schedulable_within));
    variants.push(counted(design.variant));
    clocks.push(design.clock + 1);
    blocks.forEach((built, block) => built.push(Number(design.blocks.includes(block))));
    tasks.forEach((taken, task) => taken.push(choices[task]));
    return index.length - 1;
  });
  return {
    count, kept, all: index.length, index, minimalAt, verdicts, within, variants, clocks, blocks, tasks, margins,
    costs: dearness.map(({ n, den }) => new Amounts(n, den)),
    loads: new Amounts(load.n, load.den),
    modes: inModes,
  };
}

/** Response times and margins by the number of their design. */
async function unpackedDetails(sheet) {
  const details = new Map();
  if (!sheet.details) return details;
  const text = new TextDecoder().decode(await inflated(sheet.details.packed));
  const table = JSON.parse(text);
  table.designs.forEach((index, at) => {
    const responses = table.responses.map((column) => column[at]);
    details.set(index, { margin: table.margins[at], clock: table.clocks[at], responses });
  });
  return details;
}

const VERDICTS = [false, true, null];

/** Everything that the page tells, and the ways to ask for a design. */
class Report {
  static async read(text) {
    const sheet = JSON.parse(text);
    if (sheet.schema !== 'isx.report/3') throw new Error(`the data has another schema: ${sheet.schema}`);
    const report = new Report();
    report.sheet = sheet;
    report.resources = sheet.resources;
    report.limits = sheet.resources.limits.map((limit) => (limit === null ? null : signed(limit)));
    report.front = await unpackedFront(sheet, sheet.minimal.map(single));
    report.details = await unpackedDetails(sheet);
    report.hasFigures = sheet.tasks.every((task) => task.places.length > 0);
    report.base = { kind: 'base', number: -1, at: -1, ...single(sheet.base) };
    const { objectives } = report.resources;
    report.hasOneObjective = objectives.length === 1;
    report.base.area = report.base.cost[objectives[0]];
    const { costs, kept, margins, loads, minimalAt } = report.front;
    // The costs and heights that a picture shows: those of the first objective against utilization, or 1/margin.
    report.x = costs[objectives[0]].x;
    report.y = margins ? Float64Array.from(margins.n, (n, at) => approximate({ n: margins.d[at], d: n })) : loads.x;
    const isSmallest = report.hasOneObjective && minimalAt.length > 0;
    report.smallest = isSmallest ? report.design(minimalAt[0]) : null;
    report.smallestAt = isSmallest && minimalAt[0] < kept ? minimalAt[0] : -1;
    if (report.isByMargin) report.base.margin = report.sameOnFront(report.base)?.margin ?? null;
    // The designs from left to right in the picture.
    const first = costs[objectives[0]].rank;
    const all = Array.from({ length: report.front.all }, (_, at) => at);
    report.fromLeft = all.sort((a, b) => first[a] - first[b] || loads.rank[a] - loads.rank[b] || a - b);
    return report;
  }

  /** Whether the front is of cost against margin. */
  get isByMargin() {
    return this.sheet.by_margin;
  }

  /** The name of a resource; that of an area is its unit. */
  name(resource) {
    return shown(this.resources.names[resource]);
  }

  /** Where a design stands on the vertical axis; no number if its margin is needed and not known. */
  height({ utilization, margin }) {
    if (!this.isByMargin) return approximate(utilization);
    return margin ? approximate(over(ONE, margin)) : NaN;
  }

  /** The mode of the largest utilization, the first of several; undefined if there are none. */
  criticalMode({ modes }) {
    const all = modes.map((_, mode) => mode);
    return all.reduce((most, mode) => (most !== undefined && !isLess(modes[most], modes[mode]) ? most : mode), undefined);
  }

  /** The name of that mode. */
  criticalName(design) {
    return this.sheet.modes[this.criticalMode(design)];
  }

  /** The times of a task with a design's variant, in its critical mode; null where it does not run in that mode. */
  timesOf(design, task) {
    const place = (design.variant ?? 0) * Math.max(1, this.sheet.modes.length) + (this.criticalMode(design) ?? 0);
    const timing = this.sheet.tasks[task].places[place];
    const choice = design.choices[task];
    return timing && { ...timing, here: choice === null ? timing.wcet : timing.choices[choice] };
  }

  /** The design of the page at a place in its list. */
  design(number) {
    const { front } = this;
    const isOnFront = number < front.kept;
    const cost = front.costs.map((amounts) => amounts.at(number));
    const taken = (column) => (column[number] ? column[number] - 1 : null);
    return {
      kind: isOnFront ? 'front' : this.hasOneObjective ? 'smallest' : 'minimal',
      number,
      at: isOnFront ? number : -1,
      index: front.index[number],
      cost,
      area: cost[this.resources.objectives[0]],
      utilization: front.loads.at(number),
      margin: isOnFront && front.margins ? fraction(front.margins.n[number], front.margins.d[number]) : null,
      schedulable: VERDICTS[front.verdicts[number]],
      schedulable_within: VERDICTS[front.within[number]],
      variant: taken(front.variants),
      clock: Math.max(0, front.clocks[number] - 1),
      blocks: front.blocks.flatMap((column, block) => (column[number] ? [block] : [])),
      modes: front.modes.map(({ den, n }) => fraction(n[number], den)),
      choices: front.tasks.map(taken),
      details: (isOnFront ? this.details.get(front.index[number]) : this.hasOneObjective ? this.sheet.details?.smallest : null) ?? null,
    };
  }

  /** The design of the front with the same figures and choices, if there is one. */
  sameOnFront(design) {
    const at = this.within(design.area);
    if (at < 0) return null;
    const other = this.design(at);
    const isEqual = isSame(other.area, design.area) && isSame(other.utilization, design.utilization);
    return isEqual && other.choices.every((choice, task) => choice === design.choices[task]) ? other : null;
  }

  /** The last design of the front within an area, -1 if there is none. */
  within(area) {
    const { kept } = this.front;
    const { n, den } = this.front.costs[this.resources.objectives[0]];
    let [low, high] = [0, kept];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (n[middle] * area.d <= area.n * den) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** How many times as long a cycle takes in a design as at the set's own clock. */
  slowdown(design) {
    const { clock, clocks } = this.sheet;
    return clock && clocks.length ? over(parsed(clock), parsed(clocks[design.clock])) : ONE;
  }

  /** The largest slowdown of the front's clocks, at least 1. */
  slowest() {
    const all = this.sheet.clocks.map((_, clock) => this.slowdown({ clock }));
    return all.reduce((most, slowdown) => (isLess(most, slowdown) ? slowdown : most), ONE);
  }

  /** Whether the page knows the lowest clock of some designs. */
  hasLowestClocks() {
    return this.sheet.clock !== null && (this.sheet.limit === 'decides' || this.details.size > 0);
  }

  choiceOf(design, task) {
    const choice = design.choices[task];
    return choice === null ? null : this.sheet.tasks[task].choices[choice];
  }

  /** The tasks that take another choice in a later design, and the blocks that come and go. */
  changes(from, to) {
    const tasks = this.sheet.tasks.flatMap((_, task) => (from.choices[task] === to.choices[task] ? [] : [task]));
    const added = to.blocks.filter((block) => !from.blocks.includes(block));
    const removed = from.blocks.filter((block) => !to.blocks.includes(block));
    return { tasks, added, removed };
  }

  /** The costs in an objective. */
  amountsOf(objective) {
    return this.front.costs[this.resources.objectives[objective]];
  }

  /** How many different costs of each objective are within its budget. */
  reach(budgets) {
    return budgets.map((budget, at) => countWithin(this.amountsOf(at).distinct, this.amountsOf(at).floor(budget)));
  }

  isWithin(at, reach) {
    return this.resources.objectives.every((resource, objective) => this.front.costs[resource].rank[at] < reach[objective]);
  }

  /** The design of least utilization within the budgets, the first of equal ones; -1 if there is none. */
  best(reach, isWanted = () => true) {
    const { rank } = this.front.loads;
    let found = -1;
    for (let at = 0; at < this.front.all; at++) {
      if ((found < 0 || rank[at] < rank[found]) && this.isWithin(at, reach) && isWanted(at)) found = at;
    }
    return found;
  }

  /** The best design within budgets: with one objective the last one of the front, whose margin or utilization is best. */
  bought(budgets, isWanted = () => true) {
    if (!this.hasOneObjective) return this.best(this.reach(budgets), isWanted);
    let at = this.within(budgets[0]);
    while (at >= 0 && !isWanted(at)) at--;
    return at;
  }

  /** The best design of all. */
  last() {
    return this.hasOneObjective ? this.front.kept - 1 : this.best(this.resources.objectives.map(() => Infinity));
  }

  isSchedulable(at) {
    return VERDICTS[this.front.verdicts[at]] === true;
  }

  /** The designs from left to right in the picture: the front or, of several objectives, the corners of the line of least
      utilization against the first within the budgets of the others. */
  line(reach, isWanted = () => true) {
    if (this.hasOneObjective) return Array.from({ length: this.front.kept }, (_, at) => at).filter(isWanted);
    const { loads } = this.front;
    const others = [Infinity, ...reach.slice(1)];
    const corners = [];
    let least = Infinity;
    for (const at of this.fromLeft) {
      if (loads.rank[at] >= least || !this.isWithin(at, others) || !isWanted(at)) continue;
      least = loads.rank[at];
      corners.push(at);
    }
    return corners;
  }
}
