// The front as a drawing. Places along the axis of areas are numbers from 0 to 1, whatever the scale.

/** Of so many designs in sight or fewer, each has a mark. */
const MOST_MARKS = 400;

/** The marks of designs by their verdicts: those that fail, pass, and are undecided. */
const MARKS = [['no', 'not schedulable'], ['yes', 'schedulable'], ['open', 'undecided']];

/** The part of a logarithmic axis that lies between area 0 and the least area above it. */
const GAP = 0.06;

/** The scale of costs, linear or logarithmic: cost to place and back. */
class Scale {
  constructor({ x }, isLog) {
    const [low, high] = x.reduce(([low, high], cost) => [Math.min(low, cost), Math.max(high, cost)], [Infinity, -Infinity]);
    const least = x.reduce((least, cost) => (cost > 0 && cost < least ? cost : least), Infinity);
    this.most = high || 1;
    // From 0 on, unless that takes more than a fifth of the width.
    this.low = low < 0 || (low > high / 5 && low < high) ? low - 0.03 * (high - low) : 0;
    this.least = Number.isFinite(least) ? least : this.most;
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

  ticks(from, to, most) {
    return this.isLog ? this.powers(from, to, most) : evenTicks(this.area(from), this.area(to), most);
  }

  /** 1, 2, 5, 10, .., or tens alone, or every second of them, as room allows. */
  powers(from, to, most) {
    const [low, high] = [Math.max(this.area(from), this.least / 10), this.area(to)];
    const ends = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
    if (high / low < 4) return evenTicks(low, high, most);
    const tens = Array.from({ length: ends[1] - ends[0] + 1 }, (_, at) => ends[0] + at);
    const inside = (list) => list.filter((area) => area >= low && area <= high);
    const all = inside(tens.flatMap((ten) => [1, 2, 5].map((digit) => digit * 10 ** ten)));
    const every = Math.ceil(tens.length / most);
    const ticks = all.length <= most ? all : inside(tens.filter((_, at) => at % every === 0).map((ten) => 10 ** ten));
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

/** The height of a line of words in the chart. */
const LINE = 17;

const meet = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

/** The width of words in the chart, as bold as its labels are. */
const widthOf = (() => {
  const pen = document.createElement('canvas').getContext('2d');
  return (text) => {
    pen.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(text).width;
  };
})();

const tickText = (value) =>
  Math.abs(value) >= 1e7 || (value !== 0 && Math.abs(value) < 1e-4)
    ? value.toExponential(1).replace('.0e', 'e')
    : String(Number(value.toPrecision(10)));

class Chart {
  constructor(app) {
    this.app = app;
    this.marker = draw('g', { class: 'marker' });
    this.svg = draw('svg', { 'aria-hidden': 'true', focusable: 'false' });
    this.tip = make('div', { class: 'tip', hidden: true });
    byId('plot').append(this.svg, this.tip);
    const { report } = app;
    const ends = ([low, high], height) => [Math.min(low, height), Math.max(high, height)];
    this.heights = report.y.reduce(ends, [Infinity, 0]);
    // The line without budgets, of which those of the others leave a part.
    this.widest = report.hasOneObjective ? [] : report.line(report.resources.objectives.map(() => Infinity));
  }

  measure() {
    const width = Math.max(280, byId('plot').clientWidth);
    const height = Math.round(Math.min(440, Math.max(260, width * 0.52)));
    this.box = { left: 58, right: width - 14, top: 14, bottom: height - 46, width, height };
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('height', height);
  }

  x(area) {
    return this.xOf(this.app.scale.place(area));
  }

  xOf(place) {
    const { left, right } = this.box;
    const [from, to] = this.app.view;
    return left + ((place - from) / (to - from)) * (right - left);
  }

  placeAt(x) {
    const { left, right } = this.box;
    const [from, to] = this.app.view;
    return from + ((x - left) / (right - left)) * (to - from);
  }

  y(utilization) {
    const { top, bottom } = this.box;
    const [low, high] = this.range;
    return bottom - ((utilization - low) / (high - low)) * (bottom - top);
  }

  /** Where on the line the last design is that is at a place of the axis or left of it, -1 where there is none. */
  lastAt(place) {
    const { line, scale, report } = this.app;
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (scale.place(report.x[line[middle]]) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The designs of the line in sight, and one beyond on each side for the lines that lead out. */
  inSight() {
    const { line, view } = this.app;
    const [first, last] = view.map((place) => Math.max(0, this.lastAt(place)));
    return line.slice(first, last + 2);
  }

  /** The heights to be drawn: those in sight, and 1 where it is near. With several objectives the line moves, and they stay. */
  findRange(sight) {
    const { report, view } = this.app;
    const { y } = report;
    const heights = report.hasOneObjective ? [y[sight.at(-1)], y[sight[0]]] : this.heights;
    let [low, high] = heights;
    const isWhole = view[0] <= 0 && view[1] >= 1;
    const near = (high - low) * (report.hasOneObjective ? 0.6 : 3) + 0.02;
    const isAll = isWhole && report.hasOneObjective;
    if (isAll || (low - near < 1 && high + near > 1)) [low, high] = [Math.min(low, 1), Math.max(high, 1)];
    const room = (high - low || 0.1) * 0.08;
    this.range = [Math.max(0, low - room), high + room];
  }

  render() {
    this.measure();
    const sight = this.inSight();
    this.findRange(sight);
    this.svg.replaceChildren(
      this.clip(),
      this.grid(),
      draw('g', { 'clip-path': 'url(#inside)' }, this.limit(), this.steps(sight), this.marks(sight), this.smallest(), this.labels()),
      this.marker,
    );
    this.renderMarker();
    byId('plot').dataset.corners = this.app.report.hasOneObjective ? '' : this.app.line.map((number) => this.app.report.front.index[number]).join(' ');
  }

  clip() {
    const { left, right, top, bottom } = this.box;
    const area = { x: left - 8, y: top - 8, width: right - left + 16, height: bottom - top + 16 };
    return draw('defs', {}, draw('clipPath', { id: 'inside' }, draw('rect', area)));
  }

  grid() {
    const { left, right, top, bottom, width, height } = this.box;
    const { app } = this;
    const group = draw('g', { class: 'grid' });
    for (const value of evenTicks(...this.range, Math.max(3, (bottom - top) / 56))) {
      const y = this.y(value);
      group.append(draw('line', { x1: left, x2: right, y1: y, y2: y }));
      group.append(draw('text', { x: left - 8, y: y + 4, 'text-anchor': 'end' }, tickText(value)));
    }
    for (const area of app.scale.ticks(...app.view, Math.max(3, (right - left) / 92))) {
      const x = this.x(area);
      if (x < left - 1 || x > right + 1) continue;
      group.append(draw('line', { x1: x, x2: x, y1: top, y2: bottom }));
      group.append(draw('text', { x, y: bottom + 18, 'text-anchor': 'middle' }, tickText(area)));
    }
    const label = costTitle(app.report, app.report.resources.objectives[0]);
    group.append(draw('text', { class: 'axis', x: (left + right) / 2, y: height - 8, 'text-anchor': 'middle' }, label));
    const middle = (top + bottom) / 2;
    const turned = { class: 'axis', transform: `translate(13 ${middle}) rotate(-90)`, 'text-anchor': 'middle' };
    group.append(draw('text', turned, app.report.isByMargin ? '1/margin' : 'Utilization'));
    return group;
  }

  /** Where the limit of the first objective is, if that is in sight. */
  most() {
    const { report } = this.app;
    const limit = report.limits[report.resources.objectives[0]];
    const x = limit ? this.x(approximate(limit)) : NaN;
    return x >= this.box.left && x <= this.box.right ? x : null;
  }

  /** The line at utilization 1, or at 1/margin = 1, and the limit of the first objective. */
  limit() {
    const { left, right, top, bottom } = this.box;
    const y = this.y(1);
    const group = draw('g', { class: 'limit' });
    const most = this.most();
    if (this.range[0] <= 1 && 1 <= this.range[1]) group.append(draw('line', { x1: left, x2: right, y1: y, y2: y }));
    if (most !== null) group.append(draw('line', { class: 'device', x1: most, x2: most, y1: top, y2: bottom }));
    return group;
  }

  /** The steps of the line; of designs within half a pixel the first and the last. */
  steps(sight) {
    const { x } = this.app.report;
    const { line, without, rest } = this.app;
    const group = draw('g', {});
    if (this.widest.length) group.append(draw('path', { class: 'context', d: this.path(this.widest, true) }));
    if (!sight.length) return group;
    const path = this.path(sight, sight.at(-1) === line.at(-1));
    group.append(draw('path', { class: 'above', d: `${path}V${this.box.top - 8}H${this.x(x[sight[0]]).toFixed(1)}Z` }));
    group.append(draw('path', { class: without.isOn ? 'steps off' : 'steps', d: path }));
    // The step that leads into the picture begins left of it, the one that leads out ends right of it.
    const begin = Math.max(0, rest.findLastIndex((at) => x[at] <= x[sight[0]]));
    const remaining = rest.slice(begin).filter((at) => x[at] <= x[sight.at(-1)]);
    if (without.isOn && remaining.length) group.append(draw('path', { class: 'steps rest', d: this.path(remaining, true) }));
    return group;
  }

  /** The steps through some designs; to the right edge if nothing follows them. */
  path(designs, isEnd) {
    const { x, y } = this.app.report;
    let path = `M${this.x(x[designs[0]]).toFixed(1)} ${this.y(y[designs[0]]).toFixed(1)}`;
    let column = NaN;
    for (let at = 1; at < designs.length; at++) {
      const right = this.x(x[designs[at]]);
      const next = at < designs.length - 1 ? this.x(x[designs[at + 1]]) : Infinity;
      if (right - column < 0.5 && next - column < 0.5) continue;
      column = right;
      path += `H${right.toFixed(1)}V${this.y(y[designs[at]]).toFixed(1)}`;
    }
    return isEnd ? `${path}H${this.box.right + 8}` : path;
  }

  /** The designs in sight, each filled where it is schedulable, hollow where it fails, and of a color of its own where undecided. */
  marks(sight) {
    const group = draw('g', { class: 'marks' });
    const isFew = sight.length <= MOST_MARKS;
    const { x, y, front: { verdicts } } = this.app.report;
    const size = sight.length > 121 ? 2.5 : 4;
    for (const at of isFew ? sight : []) {
      const place = { cx: this.x(x[at]).toFixed(1), cy: this.y(y[at]).toFixed(1), r: size };
      const off = this.app.without.isHidden(at) ? ' off' : '';
      group.append(draw('circle', { ...place, class: MARKS[verdicts[at]][0] + off }));
    }
    const kinds = isFew ? MARKS.filter((_, verdict) => sight.some((at) => verdicts[at] === verdict)) : [];
    byId('marks-legend').replaceChildren(...this.lines(), ...kinds.map(([kind, words]) =>
      make('span', {}, draw('svg', { class: 'marks', 'aria-hidden': 'true' }, draw('circle', { class: kind, cx: 6, cy: 6, r: 4 })), words)));
    return group;
  }

  /** What the lines are, with several objectives. */
  lines() {
    const { report, budgets } = this.app;
    const others = report.resources.objectives.slice(1).map((resource) => report.name(resource));
    if (!others.length) return [];
    const most = others.map((name, at) => `${name} ≤ ${shortly(budgets[at + 1])}`);
    return [['swatch-line', `least utilization with ${listed(most)}`], ['swatch-line context-line', `with any ${listed(others)}`]]
      .map(([kind, words]) => make('span', {}, make('span', { class: kind }), words));
  }

  /** The smallest schedulable design, which need not be on the front. */
  smallest() {
    const { report } = this.app;
    const { smallest } = report;
    const group = draw('g', { class: 'smallest' });
    if (!smallest) return group;
    const [x, y] = [this.x(approximate(smallest.area)), this.y(report.height(smallest))];
    const { left, right, top, bottom } = this.box;
    if (x < left - 1 || x > right + 1) return group;
    group.append(draw('rect', { x, y: top - 8, width: Math.max(0, right + 8 - x), height: bottom - top + 16 }));
    group.append(draw('line', { x1: x, x2: x, y1: top - 8, y2: bottom }));
    if (!Number.isNaN(y)) group.append(draw('path', { d: `M${x} ${y - 7}l7 7l-7 7l-7-7Z` }));
    return group;
  }

  /** The words at the smallest schedulable area and at U = 1, where neither the curve nor a line goes through them. */
  labels() {
    const { left, right, top, bottom } = this.box;
    const { report } = this.app;
    const group = draw('g', { class: 'labels' });
    const [one, hasLimit] = [this.y(1), this.range[0] <= 1 && 1 <= this.range[1]];
    const lines = hasLimit ? [{ left, right, top: one, bottom: one }] : [];
    const x = report.smallest ? this.x(approximate(report.smallest.area)) : NaN;
    if (x >= left - 1 && x <= right + 1) {
      const rows = Array.from({ length: Math.floor((bottom - top) / LINE) }, (_, row) => top - 4 + row * LINE);
      // On both sides of the line, or across it where neither has the room.
      const sides = (width) => [x + 4, x - 4 - width].flatMap((side) => rows.map((y) => [side, y]));
      const places = (width) => [...sides(width), ...rows.map((y) => [right + 8 - width, y])];
      const text = draw('text', { class: 'from' }, `schedulable from ${exactly(report.smallest.area)} on`);
      const y = this.y(report.height(report.smallest));
      const mark = { left: x - 7, right: x + 7, top: y - 7, bottom: y + 7 };
      // Where there is no room for them, the sentence above the picture has them.
      const taken = this.put(group, text, places, [[...lines, mark]]);
      lines.push(...(taken ? [taken] : []), mark, { left: x, right: x, top, bottom });
    }
    if (hasLimit) {
      const columns = Array.from({ length: 13 }, (_, at) => 1 - at / 12);
      const places = (width) => columns.flatMap((share) => [-LINE - 2, 2].map((y) => [left + share * (right - left - width), one + y]));
      const words = limitWords(report);
      // Where there is no room beside the vertical line, the words cross it; where there is none at all, they go below.
      if (!this.put(group, draw('text', { class: 'one' }, words), places, [lines.slice(1), lines.slice(1, -1)])) {
        const line = draw('line', { x1: 0, x2: 12, y1: 6, y2: 6 });
        byId('marks-legend').append(make('span', {}, draw('svg', { class: 'limit', 'aria-hidden': 'true' }, line), words));
      }
    }
    const most = this.most();
    if (most !== null) {
      const { device, objectives } = report.resources;
      const words = `${device === null ? 'limit' : shown(device).slice(0, 24)}: ${exactly(report.limits[objectives[0]])}`;
      const rows = Array.from({ length: Math.floor((bottom - top) / LINE) }, (_, row) => top - 4 + row * LINE);
      this.put(group, draw('text', { class: 'one' }, words), (width) => rows.map((y) => [most - 4 - width, y]), [lines]);
    }
    return group;
  }

  /** Puts a text at the first of its places that is inside, off the curve and free of the first of `obstacles`, or else of
      the next; says which box it takes, or null where there is no such place and the text is left out. */
  put(group, text, places, obstacles) {
    const { left, right, top, bottom } = this.box;
    const width = widthOf(text.textContent) + 8;
    const boxes = places(width).map(([x, y]) => ({ left: x, right: x + width, top: y, bottom: y + LINE }));
    const isInside = (box) => box.left >= left - 8 && box.right <= right + 8 && box.top >= top - 8 && box.bottom <= bottom;
    const inside = boxes.filter(isInside);
    const clear = inside.filter((box) => !this.meetsCurve(box));
    const free = obstacles.map((of) => clear.find((box) => !of.some((line) => meet(box, line))));
    const box = free.find(Boolean);
    if (!box) return null;
    group.append(text);
    fill(text, { x: box.left + 4, y: box.bottom - 4 }, []);
    return box;
  }

  /** Whether a box meets the curve or its dots; left of the first design and above it there is none. */
  meetsCurve(box) {
    const { y } = this.app.report;
    const room = 6;
    const [first, last] = [box.left - room, box.right + room].map((x) => this.lastAt(this.placeAt(x)));
    const { line } = this.app;
    return last >= 0 && this.y(y[line[Math.max(first, 0)]]) - room < box.bottom && this.y(y[line[last]]) + room > box.top;
  }

  /** What moves with the design and the budget. */
  renderMarker() {
    const { app, box } = this;
    const design = app.current();
    const [x, y] = [this.x(approximate(design.area)), this.y(app.report.height(design))];
    this.marker.replaceChildren();
    const isSeen = (at) => at >= box.left - 1 && at <= box.right + 1;
    const budget = this.x(approximate(app.budgets[0]));
    if (isSeen(budget)) this.marker.append(draw('line', { class: 'budget', x1: budget, x2: budget, y1: box.top, y2: box.bottom }));
    const isInside = isSeen(x) && y >= box.top - 8 && y <= box.bottom + 8;
    if (isInside) {
      this.marker.append(draw('path', { class: 'guide', d: `M${x} ${box.bottom}V${y}H${box.left}` }));
      this.marker.append(draw('circle', { class: 'halo', cx: x, cy: y, r: 9 }), draw('circle', { class: 'dot', cx: x, cy: y, r: 5 }));
    }
    this.renderTip(design, app.preview && isInside ? { x, y } : null);
  }

  renderTip(design, place) {
    this.tip.hidden = !place;
    if (!place) return;
    const { report } = this.app;
    const verdict = verdictOf(report, design);
    this.tip.replaceChildren(
      make('strong', {}, costWords(report, design.cost)),
      make('span', {}, measured(report, design).join(' ')),
      make('span', { class: `word ${verdict.kind}` }, verdict.word),
    );
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const [right, below] = [place.x + 14, place.y + 12];
    const left = right + width > this.box.width ? place.x - 14 - width : right;
    this.tip.style.left = `${Math.max(4, left)}px`;
    this.tip.style.top = `${below + height > this.box.height ? place.y - 12 - height : below}px`;
  }
}
