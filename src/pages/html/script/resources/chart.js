// Utilization against the first objective: the line within the budgets of the others, and that without any.

/** Of a line of so many corners or fewer, each has a mark. */
const MOST_CORNERS = 80;

class CostChart {
  constructor(app) {
    this.app = app;
    this.svg = draw('svg', { 'aria-hidden': 'true', focusable: 'false' });
    byId('plot').append(this.svg);
    const { report } = app;
    this.resource = report.resources.objectives[0];
    this.amounts = report.front.costs[this.resource];
    this.widest = report.line(report.reach(report.resources.objectives.map(() => null)));
    const loads = [...report.front.loads.x, approximate(report.base.utilization)];
    const [low, high] = loads.reduce(([low, high], load) => [Math.min(low, load), Math.max(high, load)], [Infinity, 0]);
    const isNear = Math.max(low - 1, 1 - high, 0) <= 3 * (high - low);
    this.ends = isNear ? [Math.min(low, 1), Math.max(high, 1)] : [low, high];
    byId('plot').addEventListener('pointerdown', (event) => this.point(event));
    byId('plot').addEventListener('pointermove', (event) => event.buttons === 1 && this.point(event));
  }

  measure() {
    const width = Math.max(260, byId('plot').clientWidth);
    const height = Math.round(Math.min(420, Math.max(250, width * 0.5)));
    this.box = { left: 58, right: width - 14, top: 18, bottom: height - 46 };
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('height', height);
    const [from, to] = this.app.range(0).map((n) => approximate({ n, d: this.amounts.den }));
    const span = to - from || Math.abs(to) || 1;
    this.costs = [from - 0.03 * span, to + 0.03 * span];
    const [low, high] = this.ends;
    const room = (high - low || 0.2 * high || 1) * 0.08;
    this.loads = [Math.max(0, low - room), high + room];
  }

  x(cost) {
    const [from, to] = this.costs;
    return this.box.left + ((cost - from) / (to - from)) * (this.box.right - this.box.left);
  }

  y(load) {
    const [low, high] = this.loads;
    return this.box.bottom - ((load - low) / (high - low)) * (this.box.bottom - this.box.top);
  }

  /** The budget of the first objective goes to where the pointer is. */
  point(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * this.svg.viewBox.baseVal.width;
    const share = (place - this.box.left) / (this.box.right - this.box.left);
    const cost = this.costs[0] + share * (this.costs[1] - this.costs[0]);
    const { den } = this.amounts;
    const scale = 1e6;
    this.app.budgetTo(0, (BigInt(Math.round(cost * scale)) * den) / BigInt(scale));
    event.preventDefault();
  }

  steps(corners) {
    const { loads } = this.app.report.front;
    const place = (number) => number.toFixed(1);
    let path = '';
    let before = null;
    for (const at of corners) {
      const [x, y] = [place(this.x(this.amounts.x[at])), place(this.y(loads.x[at]))];
      path += before === null ? `M${x} ${y}` : `H${x}V${y}`;
      before = at;
    }
    return before === null ? '' : `${path}H${place(this.end())}`;
  }

  /** Where lines end: at the limit, if there is one. */
  end() {
    const limit = this.app.report.limits[this.resource];
    return limit ? Math.min(this.box.right, this.x(approximate(limit))) : this.box.right;
  }

  axes() {
    const { left, right, bottom } = this.box;
    const { report } = this.app;
    const few = Math.max(2, Math.floor((right - left) / 80));
    const across = evenTicks(...this.costs, few).map((cost) => draw('text', { x: this.x(cost), y: bottom + 18, 'text-anchor': 'middle' }, tickText(cost)));
    const up = evenTicks(...this.loads, 6).flatMap((load) => [
      draw('line', { x1: left, x2: right, y1: this.y(load), y2: this.y(load) }),
      draw('text', { x: left - 8, y: this.y(load) + 4, 'text-anchor': 'end' }, tickText(load)),
    ]);
    return draw('g', { class: 'grid' }, ...up, ...across,
      draw('text', { class: 'axis', x: left, y: 12 }, 'Utilization'),
      draw('text', { class: 'axis', x: right, y: bottom + 38, 'text-anchor': 'end' }, report.name(this.resource).slice(0, 40)));
  }

  limits() {
    const { left, right, top, bottom } = this.box;
    const { report } = this.app;
    const parts = [];
    const labels = [];
    if (this.loads[0] <= 1 && this.loads[1] >= 1) {
      parts.push(draw('line', { x1: left, x2: right, y1: this.y(1), y2: this.y(1) }));
      labels.push(draw('text', { class: 'one', x: this.end() - 6, y: this.y(1) - 6, 'text-anchor': 'end' }, right < 420 ? 'U = 1' : limitWords(report)));
    }
    const limit = report.limits[this.resource];
    if (limit) {
      const x = this.x(approximate(limit));
      const words = `${report.resources.device ? shown(report.resources.device).slice(0, 24) : 'limit'}: ${exactly(limit)}`;
      parts.push(draw('line', { class: 'device', x1: x, x2: x, y1: top, y2: bottom }));
      labels.push(draw('text', { class: 'one', x: x - 6, y: top + 12, 'text-anchor': 'end' }, words));
    }
    return [draw('g', { class: 'limit' }, ...parts), draw('g', { class: 'labels' }, ...labels)];
  }

  marks(corners) {
    if (corners.length > MOST_CORNERS) return '';
    const { front } = this.app.report;
    const mark = (at) => {
      const verdict = VERDICTS[front.verdicts[at]];
      const kind = verdict === null ? 'open' : verdict ? 'yes' : 'no';
      return draw('circle', { class: kind, cx: this.x(this.amounts.x[at]), cy: this.y(front.loads.x[at]), r: corners.length > 30 ? 3 : 4 });
    };
    return draw('g', { class: 'marks' }, ...corners.map(mark));
  }

  marker() {
    const { app } = this;
    const { top, bottom } = this.box;
    const design = app.current();
    const [x, y] = [this.x(approximate(design.cost[this.resource])), this.y(approximate(design.utilization))];
    const parts = [draw('circle', { class: 'halo', cx: x, cy: y, r: 11 }), draw('circle', { class: 'dot', cx: x, cy: y, r: 6 })];
    const budget = this.x(approximate({ n: app.budgets[0], d: this.amounts.den }));
    parts.unshift(draw('line', { class: 'budget', x1: budget, x2: budget, y1: top, y2: bottom }));
    return draw('g', { class: 'marker' }, ...parts);
  }

  render() {
    this.measure();
    const { app } = this;
    const { report } = app;
    const corners = report.line(app.reach);
    this.svg.replaceChildren(
      this.axes(),
      draw('path', { class: 'context', d: this.steps(this.widest) }),
      ...this.limits(),
      draw('path', { class: 'steps', d: this.steps(corners) }),
      this.marks(corners) || draw('g'),
      this.marker(),
    );
    const plot = byId('plot');
    plot.dataset.corners = corners.map((at) => report.front.index[at]).join(' ');
    plot.setAttribute('aria-label', `Utilization against ${report.name(this.resource)}: ${counted(corners.length, 'design')} within the other budgets`);
    this.legend(corners);
  }

  legend(corners) {
    const { app } = this;
    const { report } = app;
    const others = report.resources.objectives.slice(1).map((resource, at) => `${report.name(resource)} ≤ ${app.amountWords(at + 1)}`);
    const entries = [];
    if (others.length) {
      entries.push(make('span', {}, make('span', { class: 'swatch-line' }), `least utilization with ${listed(others)}`));
      entries.push(make('span', {}, make('span', { class: 'swatch-line context-line' }), `with any ${listed(report.resources.objectives.slice(1).map((resource) => report.name(resource)))}`));
    }
    if (corners.length <= MOST_CORNERS) {
      for (const [kind, words] of MARKS) {
        if (!corners.some((at) => ({ false: 'no', true: 'yes', null: 'open' })[VERDICTS[report.front.verdicts[at]]] === kind)) continue;
        const mark = draw('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true', class: 'marks' }, draw('circle', { class: kind, cx: 6, cy: 6, r: 4.4 }));
        entries.push(make('span', {}, mark, words));
      }
    }
    byId('marks-legend').replaceChildren(...entries);
  }
}
