// What the page of a front of several resources tells, and which design is best within budgets.

/** A cost, which may be negative. */
function signed(text) {
  const number = parsed(text.replace(/^-/, ''));
  return text.startsWith('-') ? { n: -number.n, d: number.d } : number;
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

/** The designs in the page: those of the front, then the minimal schedulable ones that are not among them. */
async function unpackedCosts(sheet) {
  const { count, kept, costs, utilization_den, packed } = sheet.front;
  const { minimal } = sheet.resources;
  const numbers = new Numbers(await inflated(packed));
  const gaps = numbers.column(kept, Float64Array);
  const index = [...gaps.map(((sum) => (gap) => (sum += gap))(0))];
  const large = () => Array.from({ length: kept }, () => numbers.large());
  const columns = costs.map(([least, den]) => ({ den: BigInt(den), n: large().map((n) => n + BigInt(least)) }));
  const utilizationDen = BigInt(utilization_den);
  const utilizations = large();
  const verdicts = [...numbers.column(kept, Uint8Array)];
  const within = [...numbers.column(kept, Uint8Array)];
  const clocks = sheet.clocks.length ? [...numbers.column(kept, Uint16Array)] : new Array(kept).fill(0);
  const blocks = sheet.blocks.map(() => [...numbers.column(kept, Uint8Array)]);
  const tasks = sheet.tasks.map(() => [...numbers.column(kept, Uint32Array)]);
  const modes = unpackedModes(sheet, numbers);

  // Minimal designs may need another denominator than the designs of the front.
  const widened = (den, others) => others.reduce((all, { d }) => (all / greatestDivisor(all, d)) * d, den);
  const told = minimal.map((design) => ({ cost: design.cost.map(signed), u: fraction(BigInt(design.num), BigInt(design.den)) }));
  const dens = columns.map(({ den }, at) => widened(den, told.map(({ cost }) => cost[at])));
  const loadDen = widened(utilizationDen, told.map(({ u }) => u));
  const n = columns.map((column, at) => column.n.map((number) => number * (dens[at] / column.den)));
  const u = utilizations.map((number) => number * (loadDen / utilizationDen));
  const key = (at) => [...n.map((column) => column[at]), u[at]].join();
  const known = new Map(index.map((_, at) => [key(at), at]));
  const minimalAt = minimal.map((design, number) => {
    const cost = told[number].cost.map((amount, at) => (amount.n * dens[at]) / amount.d);
    const load = (told[number].u.n * loadDen) / told[number].u.d;
    const same = known.get([...cost, load].join());
    if (same !== undefined) return same;
    index.push(-1 - number);
    cost.forEach((amount, at) => n[at].push(amount));
    u.push(load);
    verdicts.push(VERDICTS.indexOf(design.schedulable));
    within.push(VERDICTS.indexOf(design.schedulable_within));
    clocks.push(design.clock);
    blocks.forEach((column, block) => column.push(Number(design.blocks.includes(block))));
    tasks.forEach((column, task) => column.push(design.choices[task] === null ? 0 : design.choices[task] + 1));
    return index.length - 1;
  });
  const costsOf = n.map((column, at) => new Amounts(column, dens[at]));
  const loads = new Amounts(u, loadDen);
  return { count, kept, all: index.length, index, costs: costsOf, loads, verdicts, within, clocks, blocks, tasks, modes, minimalAt };
}

/** Everything that the page tells, and the ways to ask for a design. */
class CostReport extends Report {
  static async read(text) {
    const sheet = JSON.parse(text);
    if (sheet.schema !== 'isx.report/2') throw new Error(`the data has another schema: ${sheet.schema}`);
    const report = new CostReport();
    report.sheet = sheet;
    report.resources = sheet.resources;
    report.front = await unpackedCosts(sheet);
    report.details = await unpackedDetails(sheet);
    report.hasFigures = sheet.tasks.every((task) => task.wcet !== null);
    const { base } = sheet;
    report.base = {
      ...base,
      kind: 'base',
      at: -1,
      cost: base.cost.map(signed),
      utilization: { n: BigInt(base.num), d: BigInt(base.den) },
      modes: (base.modes ?? []).map(ratio),
      details: null,
    };
    report.limits = sheet.resources.limits.map((limit) => (limit === null ? null : signed(limit)));
    // The designs from left to right in the picture.
    const first = report.front.costs[sheet.resources.objectives[0]].rank;
    const { loads } = report.front;
    const all = Array.from({ length: report.front.all }, (_, at) => at);
    report.fromLeft = all.sort((a, b) => first[a] - first[b] || loads.rank[a] - loads.rank[b] || a - b);
    return report;
  }

  name(resource) {
    return shown(this.resources.names[resource]);
  }

  design(at) {
    const { front } = this;
    return {
      kind: front.index[at] < 0 ? 'minimal' : 'front',
      at,
      index: front.index[at],
      cost: front.costs.map((amounts) => amounts.at(at)),
      utilization: front.loads.at(at),
      schedulable: VERDICTS[front.verdicts[at]],
      schedulable_within: VERDICTS[front.within[at]],
      clock: front.clocks[at],
      blocks: front.blocks.flatMap((column, block) => (column[at] ? [block] : [])),
      modes: front.index[at] < 0
        ? (this.resources.minimal[-1 - front.index[at]].modes ?? []).map(ratio)
        : front.modes.map(({ den, n }) => fraction(n[at], den)),
      choices: front.tasks.map((column) => (column[at] ? column[at] - 1 : null)),
      details: this.details.get(front.index[at]) ?? null,
    };
  }

  /** How many different costs of each objective are within its budget; a budget is a numerator, or null for none. */
  reach(budgets) {
    return this.resources.objectives.map((resource, at) => {
      const { distinct } = this.front.costs[resource];
      return budgets[at] === null ? distinct.length : countWithin(distinct, budgets[at]);
    });
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

  isSchedulable(at) {
    return VERDICTS[this.front.verdicts[at]] === true;
  }

  /** The corners of the line of least utilization against the first objective, within the budgets of the others. */
  line(reach) {
    const { loads } = this.front;
    const others = [Infinity, ...reach.slice(1)];
    const corners = [];
    let least = Infinity;
    for (const at of this.fromLeft) {
      if (loads.rank[at] >= least || !this.isWithin(at, others)) continue;
      least = loads.rank[at];
      corners.push(at);
    }
    return corners;
  }
}
