// The front as a drawing. Places along the axis of areas are numbers from 0 to 1, whatever the scale.

/** Of so many designs in sight or fewer, each has a mark. */
const MOST_MARKS = 400;

/** The part of a logarithmic axis that lies between area 0 and the least area above it. */
const GAP = 0.06;

/** The scale of areas, linear or logarithmic: area to place and back. */
class Scale {
  constructor(report, isLog) {
    const { x, kept } = report.front;
    this.most = Math.max(x[kept - 1], report.smallest ? approximate(report.smallest.area) : 0) || 1;
    this.least = x.find((area) => area > 0) ?? this.most;
    this.isLog = isLog && this.least < this.most;
    this.end = this.isLog ? 1.02 : 1.05;
  }

  place(area) {
    if (!this.isLog) return area / this.most / this.end;
    if (area <= 0) return 0;
    const share = Math.log(area / this.least) / Math.log(this.most / this.least);
    return Math.max(0, (GAP + (1 - GAP) * share) / this.end);
  }

  area(place) {
    const share = place * this.end;
    if (!this.isLog) return share * this.most;
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

  /** The first and last design in sight, and one beyond each for the lines that lead out. */
  inSight() {
    const { x, kept } = this.app.report.front;
    const places = (at) => this.app.scale.place(x[at]);
    let first = 0;
    while (first + 1 < kept && places(first + 1) <= this.app.view[0]) first++;
    let last = kept - 1;
    while (last > first && places(last) > this.app.view[1]) last--;
    return [first, Math.min(last + 1, kept - 1)];
  }

  /** The utilizations to be drawn: those in sight, and 1 where it is near. */
  findRange([first, last]) {
    const { y } = this.app.report.front;
    let [low, high] = [y[last], y[first]];
    const isWhole = this.app.view[0] <= 0 && this.app.view[1] >= 1;
    const near = (high - low) * 0.6 + 0.02;
    if (isWhole || (low - near < 1 && high + near > 1)) [low, high] = [Math.min(low, 1), Math.max(high, 1)];
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
      draw('g', { 'clip-path': 'url(#inside)' }, this.limit(), this.steps(sight), this.marks(sight), this.smallest(), this.limitText()),
      this.marker,
    );
    this.renderMarker();
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
    const unit = shown(app.report.sheet.area_unit);
    const label = unit ? `Area in ${unit}` : 'Area';
    group.append(draw('text', { class: 'axis', x: (left + right) / 2, y: height - 8, 'text-anchor': 'middle' }, label));
    const middle = (top + bottom) / 2;
    const turned = { class: 'axis', transform: `translate(13 ${middle}) rotate(-90)`, 'text-anchor': 'middle' };
    group.append(draw('text', turned, 'Utilization'));
    return group;
  }

  /** The line at U = 1. */
  limit() {
    const { left, right } = this.box;
    const y = this.y(1);
    const group = draw('g', { class: 'limit' });
    if (1 < this.range[0] || 1 > this.range[1]) return group;
    group.append(draw('line', { x1: left, x2: right, y1: y, y2: y }));
    return group;
  }

  /** Its words, which stand above the curve and its dots. */
  limitText() {
    const group = draw('g', { class: 'limit' });
    if (1 < this.range[0] || 1 > this.range[1]) return group;
    const place = { x: this.box.right - 4, y: this.y(1) - 7, 'text-anchor': 'end' };
    group.append(draw('text', place, limitWords(this.app.report)));
    return group;
  }

  /** The steps of the front; of designs within half a pixel the first and the last. */
  steps([first, last]) {
    const { x, y, kept } = this.app.report.front;
    let path = `M${this.x(x[first]).toFixed(1)} ${this.y(y[first]).toFixed(1)}`;
    let column = NaN;
    for (let at = first + 1; at <= last; at++) {
      const right = this.x(x[at]);
      const next = at < last ? this.x(x[at + 1]) : Infinity;
      if (right - column < 0.5 && next - column < 0.5) continue;
      column = right;
      path += `H${right.toFixed(1)}V${this.y(y[at]).toFixed(1)}`;
    }
    if (last === kept - 1) path += `H${this.box.right + 8}`;
    const fill = `${path}V${this.box.top - 8}H${this.x(x[first]).toFixed(1)}Z`;
    return draw('g', {}, draw('path', { class: 'above', d: fill }), draw('path', { class: 'steps', d: path }));
  }

  marks([first, last]) {
    const group = draw('g', { class: 'marks' });
    if (last - first >= MOST_MARKS) return group;
    const { x, y, verdicts } = this.app.report.front;
    const size = last - first > 120 ? 2.5 : 4;
    for (let at = first; at <= last; at++) {
      const place = { cx: this.x(x[at]).toFixed(1), cy: this.y(y[at]).toFixed(1), r: size };
      group.append(draw('circle', { ...place, class: ['no', 'yes', 'open'][verdicts[at]] }));
    }
    return group;
  }

  /** The smallest schedulable design, which need not be on the front. */
  smallest() {
    const { smallest } = this.app.report;
    const group = draw('g', { class: 'smallest' });
    if (!smallest) return group;
    const [x, y] = [this.x(approximate(smallest.area)), this.y(approximate(smallest.utilization))];
    const { left, right, top, bottom } = this.box;
    if (x < left - 1 || x > right + 1) return group;
    const isLeft = x < (left + right) * 0.6;
    group.append(draw('rect', { x, y: top - 8, width: Math.max(0, right + 8 - x), height: bottom - top + 16 }));
    group.append(draw('line', { x1: x, x2: x, y1: top - 8, y2: bottom }));
    const anchor = isLeft ? { x: x + 8, 'text-anchor': 'start' } : { x: x - 8, 'text-anchor': 'end' };
    group.append(draw('text', { ...anchor, y: this.freeLine(top + 8) }, `schedulable from ${exactly(smallest.area)} on`));
    group.append(draw('path', { d: `M${x} ${y - 7}l7 7l-7 7l-7-7Z` }));
    return group;
  }

  /** The height of a line of text that is to stand at `y`, below that at U = 1 where they would meet. */
  freeLine(y) {
    const limit = this.y(1);
    return Math.abs(limit - 7 - y) < 16 ? limit + 18 : y;
  }

  /** What moves with the design and the budget. */
  renderMarker() {
    const { app, box } = this;
    const design = app.current();
    const [x, y] = [this.x(approximate(design.area)), this.y(approximate(design.utilization))];
    this.marker.replaceChildren();
    const isSeen = (at) => at >= box.left - 1 && at <= box.right + 1;
    if (app.budget) {
      const at = this.x(approximate(app.budget));
      if (isSeen(at)) this.marker.append(draw('line', { class: 'budget', x1: at, x2: at, y1: box.top, y2: box.bottom }));
    }
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
      make('strong', {}, areaWords(report, design.area)),
      make('span', {}, `utilization ${rounded(design.utilization, 6)}`),
      make('span', { class: `word ${verdict.kind}` }, verdict.word),
    );
    const width = this.tip.offsetWidth;
    const left = Math.max(4, Math.min(place.x + 14, this.box.width - width - 4));
    const isRoomBelow = place.y + 90 < this.box.height;
    this.tip.style.left = `${place.x + 14 + width > this.box.width ? Math.max(4, place.x - 14 - width) : left}px`;
    this.tip.style.top = `${isRoomBelow ? place.y + 12 : place.y - 84}px`;
  }
}
