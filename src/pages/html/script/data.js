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

  /** Numerators that rise from the first on, or fall. */
  steps(count, sign) {
    let sum = 0n;
    return Array.from({ length: count }, (_, at) => (sum += this.large() * (at === 0 ? 1n : sign)));
  }
}

/** The designs of the front that are in the page, a column a figure. */
async function unpackedFront(sheet) {
  const { count, kept, area_den, utilization_den, packed } = sheet.front;
  const numbers = new Numbers(await inflated(packed));
  const gaps = numbers.column(kept, Float64Array);
  const index = gaps.map(((sum) => (gap) => (sum += gap))(0));
  const [areaDen, utilizationDen] = [BigInt(area_den), BigInt(utilization_den)];
  const areas = numbers.steps(kept, 1n);
  // On a front of area against margin, utilizations may rise.
  const byMargin = sheet.measure === 'margin';
  const large = () => Array.from({ length: kept }, () => numbers.large());
  const utilizations = byMargin ? large() : numbers.steps(kept, -1n);
  const double = (n, d) => approximate({ n, d });
  const front = {
    count,
    kept,
    index,
    areas,
    utilizations,
    areaDen,
    utilizationDen,
    x: Float64Array.from(areas, (n) => double(n, areaDen)),
    verdicts: numbers.column(kept, Uint8Array),
    within: numbers.column(kept, Uint8Array),
    clocks: sheet.clocks.length ? numbers.column(kept, Uint16Array) : new Uint16Array(kept),
    blocks: sheet.blocks.map(() => numbers.column(kept, Uint8Array)),
    tasks: sheet.tasks.map(() => numbers.column(kept, Uint32Array)),
    modes: unpackedModes(sheet, numbers),
    margins: byMargin ? { n: large(), d: large() } : null,
  };
  // What the vertical axis shows: the utilization, or 1/margin.
  const height = byMargin
    ? (at) => double(front.margins.d[at], front.margins.n[at])
    : (at) => double(utilizations[at], utilizationDen);
  return { ...front, y: Float64Array.from(utilizations, (_, at) => height(at)) };
}

/** The utilizations in every mode. */
function unpackedModes({ front: { modes = [], kept } }, numbers) {
  return modes.map((den) => ({ den: BigInt(den), n: Array.from({ length: kept }, () => numbers.large()) }));
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
    if (sheet.schema !== 'isx.report/1') throw new Error(`the data has another schema: ${sheet.schema}`);
    const report = new Report();
    report.sheet = sheet;
    report.front = await unpackedFront(sheet);
    report.details = await unpackedDetails(sheet);
    report.hasFigures = sheet.tasks.every((task) => task.wcet !== null);
    report.smallest = sheet.smallest && report.single(sheet.smallest, 'smallest', sheet.details?.smallest);
    report.base = report.single(sheet.base, 'base', null);
    report.smallestAt = report.smallest ? report.sameOnFront(report.smallest) : -1;
    for (const single of [report.base, report.smallest]) if (single) report.addMargin(single);
    return report;
  }

  /** Whether the front is of area against margin. */
  get isByMargin() {
    return this.sheet.measure === 'margin';
  }

  /** The margin of a design shown apart from the curve, if it is on the front. */
  addMargin(single) {
    const at = this.isByMargin ? this.sameOnFront(single) : -1;
    if (at >= 0) single.margin = this.design(at).margin;
  }

  /** Where a design stands on the vertical axis; no number if its margin is needed and not known. */
  height({ utilization, margin }) {
    if (!this.isByMargin) return approximate(utilization);
    return margin ? approximate(over(ONE, margin)) : NaN;
  }

  /** A design shown apart from the curve. */
  single(told, kind, details) {
    const utilization = { n: BigInt(told.num), d: BigInt(told.den) };
    return { ...told, kind, at: -1, area: parsed(told.area), utilization, modes: (told.modes ?? []).map(ratio), details: details ?? null };
  }

  /** The mode of the largest utilization, the first of several; undefined if there are none. */
  criticalMode({ modes }) {
    const all = modes.map((_, mode) => mode);
    return all.reduce((most, mode) => (most !== undefined && !isLess(modes[most], modes[mode]) ? most : mode), undefined);
  }

  /** A task and its choice with their figures in the critical mode of a design; none where it does not run in that mode. */
  inMode(design, task) {
    const own = this.sheet.tasks[task];
    const choice = this.choiceOf(design, task);
    if (!own.modes) return { own, choice };
    const timing = own.modes[this.criticalMode(design)];
    return timing && { own: { ...own, ...timing }, choice: choice && { ...choice, wcet: timing.choices[design.choices[task]] } };
  }

  /** The design of the page at a place in its list. */
  design(at) {
    const { front } = this;
    const blocks = front.blocks.flatMap((column, block) => (column[at] ? [block] : []));
    return {
      kind: 'front',
      at,
      index: front.index[at],
      area: fraction(front.areas[at], front.areaDen),
      utilization: fraction(front.utilizations[at], front.utilizationDen),
      margin: front.margins && fraction(front.margins.n[at], front.margins.d[at]),
      schedulable: VERDICTS[front.verdicts[at]],
      schedulable_within: VERDICTS[front.within[at]],
      clock: front.clocks[at],
      blocks,
      modes: front.modes.map(({ den, n }) => fraction(n[at], den)),
      choices: front.tasks.map((column) => (column[at] ? column[at] - 1 : null)),
      details: this.details.get(front.index[at]) ?? null,
    };
  }

  /** Where the front has a design of the same figures and choices, else -1. */
  sameOnFront(design) {
    const at = this.within(design.area);
    if (at < 0) return -1;
    const other = this.design(at);
    const isEqual = isSame(other.area, design.area) && isSame(other.utilization, design.utilization);
    return isEqual && other.choices.every((choice, task) => choice === design.choices[task]) ? at : -1;
  }

  /** The last design of the page within an area, -1 if there is none. */
  within(area) {
    const { areas, areaDen, kept } = this.front;
    let [low, high] = [0, kept];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (areas[middle] * area.d <= area.n * areaDen) low = middle + 1;
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
}
