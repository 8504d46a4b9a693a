// The front as a drawing. Places along the axis of areas are numbers from 0 to 1, whatever the scale.

/** Of so many designs in sight or fewer, each has a mark. */
const MOST_MARKS = 400;

/** The marks of designs by their verdicts: those that fail, pass, and are undecided. */
const MARKS = [[false, 'no', 'not schedulable'], [true, 'yes', 'schedulable'], [null, 'open', 'undecided']];

/** The part of a logarithmic axis that lies between area 0 and the least area above it. */
const GAP = 0.06;

/** The height of a line of words in the chart. */
const LINE = 17;

/** The scale of costs, linear or logarithmic: cost to place and back. */
class Scale {
  constructor(isLog) {
    const { fromLeft } = report;
    const [low = 0, high = 0] = [fromLeft[0]?.x, fromLeft.at(-1)?.x];
    this.most = high || 1;
    // From 0 on, unless that takes more than a fifth of the width.
    this.low = low < 0 || (low > high / 5 && low < high) ? low - 0.03 * (high - low) : 0;
    this.least = fromLeft.find(({ x }) => x > 0)?.x ?? this.most;
    this.isLog = isLog && this.least < this.most;
    this.end = this.isLog ? 1.02 : 1.05;
  }

  place(cost) {
    if (!this.isLog) return (cost - this.low) / (this.most - this.low) / this.end;
    if (cost <= 0) return 0;
    const share = Math.log(cost / this.least) / Math.log(this.most / this.least);
    return Math.max(0, (GAP + (1 - GAP) * share) / this.end);
  }

  area(place) {
    const share = place * this.end;
    if (!this.isLog) return this.low + share * (this.most - this.low);
    if (share < GAP) return (share / GAP) * this.least;
    return this.least * (this.most / this.least) ** ((share - GAP) / (1 - GAP));
  }

  /** Round costs in a view; on a logarithmic axis 1, 2, 5, 10, .., or tens alone, or every second of them, as room allows. */
  ticks([from, to], most) {
    if (!this.isLog) return evenTicks(this.area(from), this.area(to), most);
    const [low, high] = [Math.max(this.area(from), this.least / 10), this.area(to)];
    if (high / low < 4) return evenTicks(low, high, most);
    const first = Math.floor(Math.log10(low));
    const tens = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, at) => 10 ** (first + at));
    const inside = (list) => list.filter((area) => area >= low && area <= high);
    const all = inside(tens.flatMap((ten) => [ten, 2 * ten, 5 * ten]));
    const every = Math.ceil(tens.length / most);
    const ticks = all.length <= most ? all : inside(tens.filter((_, at) => at % every === 0));
    return from <= 0 ? [0, ...ticks] : ticks;
  }
}

/** Round numbers between two, some `most` of them. */
function evenTicks(low, high, most) {
  const span = high - low || 1;
  const rough = span / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((digit) => digit * ten).find((size) => size >= rough) ?? 10 * ten;
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + span * 1e-9; at++) ticks.push(at * step);
  return ticks;
}

const tickText = (value) =>
  Math.abs(value) >= 1e7 || (value !== 0 && Math.abs(value) < 1e-4)
    ? value.toExponential(1).replace('.0e', 'e')
    : String(Number(value.toPrecision(10)));

const meet = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

/** The width of words in the chart, as bold as its labels are. */
function widthOf(text) {
  const pen = byId('strip').getContext('2d');
  pen.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

const lineOf = (kind, x1, y1, x2, y2) => draw('line', { class: kind, x1, y1, x2, y2 });
const pathOf = (kind, d) => draw('path', { class: kind, d });
const circleOf = (kind, cx, cy, r) => draw('circle', { class: kind, cx, cy, r });
const textOf = (attributes, text) => draw('text', attributes, text);

class Chart {
  constructor() {
    this.marker = draw('g', { class: 'marker' });
    this.svg = draw('svg', { 'aria-hidden': 'true', focusable: 'false' });
    this.tip = make('div', { class: 'tip', hidden: true });
    byId('plot').append(this.svg, this.tip);
    // The line without budgets, of which those of the others leave a part.
    this.widest = report.hasOneObjective ? [] : report.line(report.objectives.map(() => null));
  }

  measure() {
    const width = Math.max(280, byId('plot').clientWidth);
    const height = Math.round(Math.min(440, Math.max(260, width * 0.52)));
    this.box = { left: 58, right: width - 14, top: 14, bottom: height - 46, width, height };
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('height', height);
  }

  x(area) {
    const { left, right } = this.box;
    const [from, to] = app.view;
    return left + ((app.scale.place(area) - from) / (to - from)) * (right - left);
  }

  placeAt(x) {
    const { left, right } = this.box;
    const [from, to] = app.view;
    return from + ((x - left) / (right - left)) * (to - from);
  }

  y(utilization) {
    const { top, bottom } = this.box;
    const [low, high] = this.range;
    return bottom - ((utilization - low) / (high - low)) * (bottom - top);
  }

  isAcross(x) {
    return x >= this.box.left - 1 && x <= this.box.right + 1;
  }

  /** Where on the line the last design is that is at a place of the axis or left of it, -1 where there is none. */
  lastAt(place) {
    const { line, scale } = app;
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (scale.place(line[middle].x) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The designs of the line in sight, and one beyond on each side for the lines that lead out. */
  inSight() {
    const { line, view } = app;
    const [first, last] = view.map((place) => Math.max(0, this.lastAt(place)));
    return line.slice(first, last + 2);
  }

  /** The heights to be drawn: those in sight, and 1 where it is near. With several objectives the line moves, and they stay. */
  findRange(sight) {
    const isOne = report.hasOneObjective;
    const heights = (isOne ? [sight.at(-1), sight[0]] : report.designs).map((design) => design?.y ?? 0);
    let [low, high] = [Math.min(...heights), Math.max(...heights)];
    const isAll = isOne && app.view[0] <= 0 && app.view[1] >= 1;
    const near = (high - low) * (isOne ? 0.6 : 3) + 0.02;
    if (isAll || (low - near < 1 && high + near > 1)) [low, high] = [Math.min(low, 1), Math.max(high, 1)];
    const room = (high - low || 0.1) * 0.08;
    this.range = [Math.max(0, low - room), high + room];
  }

  render() {
    this.measure();
    const sight = this.inSight();
    this.findRange(sight);
    this.findBounds();
    const { left, right, top, bottom } = this.box;
    const area = { x: left - 8, y: top - 8, width: right - left + 16, height: bottom - top + 16 };
    this.svg.replaceChildren(
      draw('defs', {}, draw('clipPath', { id: 'inside' }, draw('rect', area))),
      this.grid(),
      draw('g', { 'clip-path': 'url(#inside)' }, this.limit(), this.steps(sight), this.marks(sight), this.smallest(), this.labels()),
      this.marker,
    );
    this.renderMarker();
    byId('plot').dataset.corners = report.hasOneObjective ? '' : app.line.map(({ index }) => index).join(' ');
  }

  grid() {
    const { left, right, top, bottom, width, height } = this.box;
    const group = draw('g', { class: 'grid' });
    for (const value of evenTicks(...this.range, Math.max(3, (bottom - top) / 56))) {
      const y = this.y(value);
      group.append(lineOf(null, left, y, right, y), textOf({ x: left - 8, y: y + 4, 'text-anchor': 'end' }, tickText(value)));
    }
    for (const area of app.scale.ticks(app.view, Math.max(3, (right - left) / 92))) {
      const x = this.x(area);
      if (!this.isAcross(x)) continue;
      group.append(lineOf(null, x, top, x, bottom), textOf({ x, y: bottom + 18, 'text-anchor': 'middle' }, tickText(area)));
    }
    const axis = { class: 'axis', 'text-anchor': 'middle' };
    group.append(
      textOf({ ...axis, x: (left + right) / 2, y: height - 8 }, costTitle(report.objectives[0])),
      textOf({ ...axis, transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)` }, report.isByMargin ? '1/margin' : 'Utilization'));
    return group;
  }

  /** Finds what else is in sight: utilization 1 or 1/margin = 1, the smallest schedulable design, and the limit of the first
      objective, each null where it is not. */
  findBounds() {
    const { smallest, limits, objectives } = report;
    const limit = limits[objectives[0]];
    const most = limit ? this.x(approximate(limit)) : NaN;
    this.one = this.range[0] <= 1 && 1 <= this.range[1] ? this.y(1) : null;
    this.from = smallest && this.isAcross(this.x(smallest.x)) ? { x: this.x(smallest.x), y: this.y(smallest.y) } : null;
    this.most = most >= this.box.left && most <= this.box.right ? most : null;
  }

  /** The line at utilization 1, and the limit of the first objective. */
  limit() {
    const { left, right, top, bottom } = this.box;
    return draw('g', { class: 'limit' },
      this.one === null ? null : lineOf(null, left, this.one, right, this.one),
      this.most === null ? null : lineOf('device', this.most, top, this.most, bottom));
  }

  /** The steps of the line. */
  steps(sight) {
    const { line, off, rest } = app;
    const group = draw('g', {});
    if (this.widest.length) group.append(pathOf('context', this.path(this.widest, true)));
    if (!sight.length) return group;
    const path = this.path(sight, sight.at(-1) === line.at(-1));
    group.append(
      pathOf('above', `${path}V${this.box.top - 8}H${this.x(sight[0].x).toFixed(1)}Z`),
      pathOf(off.size ? 'steps off' : 'steps', path));
    // The step that leads into the picture begins left of it, the one that leads out ends right of it.
    const begin = Math.max(0, rest.findLastIndex(({ x }) => x <= sight[0].x));
    const remaining = rest.slice(begin).filter(({ x }) => x <= sight.at(-1).x);
    if (off.size && remaining.length) group.append(pathOf('steps rest', this.path(remaining, true)));
    return group;
  }

  /** The steps through some designs, of those within half a pixel the first and the last; to the right edge if nothing follows. */
  path(designs, isEnd) {
    let path = `M${this.x(designs[0].x).toFixed(1)} ${this.y(designs[0].y).toFixed(1)}`;
    let column = NaN;
    for (let at = 1; at < designs.length; at++) {
      const right = this.x(designs[at].x);
      const next = at < designs.length - 1 ? this.x(designs[at + 1].x) : Infinity;
      if (right - column < 0.5 && next - column < 0.5) continue;
      column = right;
      path += `H${right.toFixed(1)}V${this.y(designs[at].y).toFixed(1)}`;
    }
    return isEnd ? `${path}H${this.box.right + 8}` : path;
  }

  /** The designs in sight, each filled where it is schedulable, hollow where it fails, and of a color of its own where undecided. */
  marks(sight) {
    const size = sight.length > 121 ? 2.5 : 4;
    const marked = sight.length <= MOST_MARKS ? sight : [];
    const kindOf = ({ schedulable }) => MARKS.find(([verdict]) => verdict === schedulable)[1];
    const marks = marked.map((design) =>
      circleOf(kindOf(design) + (app.isHidden(design) ? ' off' : ''), this.x(design.x).toFixed(1), this.y(design.y).toFixed(1), size));
    const kinds = MARKS.filter(([verdict]) => marked.some(({ schedulable }) => schedulable === verdict));
    byId('marks-legend').replaceChildren(...this.lines(), ...kinds.map(([, kind, words]) => this.legend('marks', circleOf(kind, 6, 6, 4), words)));
    return draw('g', { class: 'marks' }, ...marks);
  }

  legend(kind, sample, words) {
    return make('span', {}, draw('svg', { class: kind, 'aria-hidden': 'true' }, sample), words);
  }

  /** What the lines are, with several objectives. */
  lines() {
    const others = report.objectives.slice(1).map((resource) => report.name(resource));
    if (!others.length) return [];
    const most = others.map((name, at) => `${name} ≤ ${shortly(app.budgets[at + 1])}`);
    return [['swatch-line', `least utilization with ${listed(most)}`], ['swatch-line context-line', `with any ${listed(others)}`]]
      .map(([kind, words]) => make('span', {}, make('span', { class: kind }), words));
  }

  /** The smallest schedulable design, which need not be on the front. */
  smallest() {
    if (!this.from) return null;
    const { right, top, bottom } = this.box;
    const { x, y } = this.from;
    return draw('g', { class: 'smallest' },
      draw('rect', { x, y: top - 8, width: Math.max(0, right + 8 - x), height: bottom - top + 16 }),
      lineOf(null, x, top - 8, x, bottom),
      Number.isNaN(y) ? null : pathOf(null, `M${x} ${y - 7}l7 7l-7 7l-7-7Z`));
  }

  /** The words at the smallest schedulable area, at U = 1 and at a limit, where neither the curve nor a line goes through
      them; those of U = 1 go below the picture where they have no room in it. */
  labels() {
    const { left, right, top, bottom } = this.box;
    const { smallest, limits, objectives, document: { device } } = report;
    const { one, from, most } = this;
    const group = draw('g', { class: 'labels' });
    const lines = one === null ? [] : [{ left, right, top: one, bottom: one }];
    const rows = Array.from({ length: Math.floor((bottom - top) / LINE) }, (_, row) => top - 4 + row * LINE);
    const beside = (sides) => sides.flatMap((side) => rows.map((y) => [side, y]));
    if (from) {
      const { x, y } = from;
      const mark = { left: x - 7, right: x + 7, top: y - 7, bottom: y + 7 };
      // On both sides of the line, or across it where neither has the room.
      const places = (width) => beside([x + 4, x - 4 - width, right + 8 - width]);
      const taken = this.put(group, 'from', `schedulable from ${exactly(smallest.area)} on`, places, [...lines, mark]);
      lines.push(...taken, mark, { left: x, right: x, top, bottom });
    }
    if (one !== null) {
      const columns = Array.from({ length: 13 }, (_, at) => 1 - at / 12);
      const places = (width) => columns.flatMap((share) => [-LINE - 2, 2].map((y) => [left + share * (right - left - width), one + y]));
      const isPut = [lines.slice(1), lines.slice(1, -1)].some((obstacles) => this.put(group, 'one', limitWords(), places, obstacles).length);
      if (!isPut) byId('marks-legend').append(this.legend('limit', lineOf(null, 0, 6, 12, 6), limitWords()));
    }
    if (most !== null) {
      const words = `${device ? shown(device).slice(0, 24) : 'limit'}: ${exactly(limits[objectives[0]])}`;
      this.put(group, 'one', words, (width) => beside([most - 4 - width]), lines);
    }
    return group;
  }

  /** Puts a text at the first of its places that is inside, off the curve and free of obstacles; says which box it takes, or
      none where there is no such place and the text is left out. */
  put(group, kind, text, places, obstacles) {
    const { left, right, top, bottom } = this.box;
    const width = widthOf(text) + 8;
    const boxes = places(width).map(([x, y]) => ({ left: x, right: x + width, top: y, bottom: y + LINE }));
    const isInside = (box) => box.left >= left - 8 && box.right <= right + 8 && box.top >= top - 8 && box.bottom <= bottom;
    const free = boxes.find((box) => isInside(box) && !obstacles.some((line) => meet(box, line)) && !this.meetsCurve(box));
    if (!free) return [];
    group.append(textOf({ class: kind, x: free.left + 4, y: free.bottom - 4 }, text));
    return [free];
  }

  /** Whether a box meets the curve or its dots; left of the first design and above it there is none. */
  meetsCurve(box) {
    const { line } = app;
    const room = 6;
    const [first, last] = [box.left - room, box.right + room].map((x) => this.lastAt(this.placeAt(x)));
    return last >= 0 && this.y(line[Math.max(first, 0)].y) - room < box.bottom && this.y(line[last].y) + room > box.top;
  }

  /** What moves with the design and the budget. */
  renderMarker() {
    const { box } = this;
    const design = app.current();
    const [x, y, budget] = [this.x(design.x), this.y(design.y), this.x(approximate(app.budgets[0]))];
    const isInside = this.isAcross(x) && y >= box.top - 8 && y <= box.bottom + 8;
    this.marker.replaceChildren(
      ...(this.isAcross(budget) ? [lineOf('budget', budget, box.top, budget, box.bottom)] : []),
      ...(isInside ? [pathOf('guide', `M${x} ${box.bottom}V${y}H${box.left}`), circleOf('halo', x, y, 9), circleOf('dot', x, y, 5)] : []));
    this.renderTip(design, app.preview && isInside ? { x, y } : null);
  }

  renderTip(design, place) {
    this.tip.hidden = !place;
    if (!place) return;
    this.tip.replaceChildren(
      make('strong', {}, costWords(design.cost)),
      make('span', {}, measured(design).join(' ')),
      wordOf(verdictOf(design)),
    );
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const [right, below] = [place.x + 14, place.y + 12];
    const left = right + width > this.box.width ? place.x - 14 - width : right;
    this.tip.style.left = `${Math.max(4, left)}px`;
    this.tip.style.top = `${below + height > this.box.height ? place.y - 12 - height : below}px`;
  }
}
