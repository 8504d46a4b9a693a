// What the page shows and how it changes: one state, and everything drawn from it.

class App {
  constructor(report) {
    this.report = report;
    this.preview = null;
    this.budget = null;
    this.view = [0, 1];
    this.setScale(false);
    this.selected = designOfHash(report, location.hash) ?? this.first();
    this.without = new Without(this);
    this.chart = new Chart(this);
    this.strip = new Strip(this);
    this.panel = new Panel(this);
    this.tables = new Tables(this);
    this.pointing = new Pointing(this, this.chart);
    this.follow = oncePerFrame(() => this.renderCurrent());
    this.say = debounced(() => this.announce(), 400);
  }

  /** The design shown at the beginning: the smallest schedulable one, else the last. */
  first() {
    const { report } = this;
    if (!report.smallest) return report.design(report.front.kept - 1);
    return report.smallestAt >= 0 ? report.design(report.smallestAt) : report.smallest;
  }

  current() {
    return this.preview ?? this.selected;
  }

  setScale(isLog) {
    this.scale = new Scale(this.report, isLog);
    byId('linear').setAttribute('aria-pressed', String(!this.scale.isLog));
    byId('logarithmic').setAttribute('aria-pressed', String(this.scale.isLog));
  }

  changeScale(isLog) {
    this.setScale(isLog);
    this.view = [0, 1];
    this.chart.render();
    this.renderBudget();
  }

  zoomTo(view) {
    this.view = viewWithin(view);
    byId('zoom-out').disabled = byId('zoom-reset').disabled = this.view[0] <= 0 && this.view[1] >= 1;
    this.chart.render();
  }

  /** Shows a design as long as a pointer rests on it; none ends that. */
  look(at) {
    if ((this.preview?.at ?? null) === at) return;
    this.preview = at === null ? null : this.report.design(at);
    this.follow();
  }

  /** Chooses a design of the front by its place in the page. */
  keep(at) {
    this.show(this.report.design(at));
  }

  walk(by) {
    const { kept } = this.report.front;
    const { at, area } = this.selected;
    const from = at >= 0 ? at : this.report.within(area) + (by > 0 ? 0 : 1);
    this.keep(Math.max(0, Math.min(kept - 1, from + by)));
  }

  showSmallest() {
    const { report } = this;
    if (report.smallestAt >= 0) this.keep(report.smallestAt);
    else this.show(report.smallest);
  }

  /** Chooses a design; the budget follows it. */
  show(design) {
    this.selected = design;
    this.preview = null;
    this.budget = design.area;
    this.bringInSight();
    this.renderBudget();
    this.renderCurrent();
    this.tables.renderDesigns();
    this.share();
    this.say();
  }

  /** The address names the chosen design, once the reader has chosen one. */
  share() {
    if (this.isShared) keepInAddress(this.selected);
  }

  /** Chooses the design that a budget buys. */
  spend(budget) {
    const at = this.report.within(budget);
    this.budget = budget;
    this.preview = null;
    if (at >= 0) this.selected = this.report.design(at);
    this.renderBudgetAnswer();
    this.renderCurrent();
    this.tables.renderDesigns();
    this.share();
    this.say();
  }

  bringInSight() {
    const place = this.scale.place(approximate(this.selected.area));
    const [from, to] = this.view;
    if (place >= from && place <= to) return;
    const half = (to - from) / 2;
    this.zoomTo([place - half, place + half]);
  }

  render() {
    renderFront(this.report);
    this.zoomTo(this.view);
    this.strip.render();
    this.show(this.selected);
    this.tables.renderDesigns();
  }

  renderCurrent() {
    const focus = document.activeElement;
    const again = byId('design').contains(focus) ? focus.dataset : null;
    this.chart.renderMarker();
    this.strip.renderMarker();
    this.panel.render();
    this.tables.render();
    this.renderSlider();
    if (again) this.focusAgain(again);
  }

  /** The panel is made anew; whoever stood on one of its buttons stands there again. */
  focusAgain({ step, jump }) {
    const name = step ? `[data-step="${step}"]` : `[data-jump="${jump}"]`;
    const same = byId('design').querySelector(name);
    (same && !same.disabled ? same : byId('plot')).focus({ preventScroll: true });
  }

  /** The chart is a slider to screen readers. */
  renderSlider() {
    const { report, selected } = this;
    const at = selected.at >= 0 ? selected.at : Math.max(0, report.within(selected.area));
    const values = { valuemin: 1, valuemax: report.front.count, valuenow: report.front.index[at] + 1, valuetext: spoken(report, selected) };
    for (const [name, value] of Object.entries(values)) byId('plot').setAttribute(`aria-${name}`, value);
  }

  renderBudget() {
    const place = this.scale.place(approximate(this.budget)) * this.scale.end;
    byId('budget-slider').value = String(Math.round(place * 1000));
    byId('budget').value = exactly(this.budget);
    widen(byId('budget'));
    this.renderBudgetAnswer();
  }

  /** What the budget buys, in a sentence. */
  renderBudgetAnswer() {
    const { report, budget } = this;
    const at = report.within(budget);
    const answer = byId('budget-answer');
    const text = at < 0 ? 'No design needs as little area as that.' : this.boughtWords(report.design(at));
    answer.textContent = text;
    byId('budget-slider').setAttribute('aria-valuetext', `${areaWords(report, budget)}. ${text}`);
    byId('budget').removeAttribute('aria-invalid');
    this.without.render();
  }

  boughtWords(design) {
    const { report, budget } = this;
    const left = minus(budget, design.area);
    const rest = left.n > 0n ? ` and leaves ${areaWords(report, left)}` : '';
    const word = verdictOf(report, design).word.toLowerCase();
    const { kept, count } = report.front;
    const best = report.isByMargin ? 'largest margin' : 'least utilization';
    const which = kept === count ? `the design of ${best}` : `of the designs in this page that of ${best}`;
    const bought = `${areaWords(report, budget)} buys ${which}, ${measured(report, design)[1]} (${word})${rest}.`;
    const { smallest } = report;
    if (design.schedulable || !smallest || isLess(budget, smallest.area)) return bought;
    return `${bought} It also buys one that is schedulable: ${areaWords(report, smallest.area)} at ${rounded(smallest.utilization, 6)}.`;
  }

  announce() {
    if (document.activeElement !== byId('plot')) byId('live').textContent = spoken(this.report, this.selected);
  }
}

function debounced(act, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}

/** Makes a field as wide as what stands in it; it grows alone, so that what is beside it does not jump to and fro. */
function widen(field) {
  const digits = Math.max(field.value.length, Number(field.dataset.digits ?? 0));
  field.dataset.digits = digits;
  field.style.width = `calc(${digits}ch + 20px)`;
}

/** An area of the slider: a number with no more decimals than make a difference. */
function areaOfSlider(app, position) {
  const { report, scale } = app;
  const last = report.design(report.front.kept - 1).area;
  const most = report.smallest && isLess(last, report.smallest.area) ? report.smallest.area : last;
  if (position >= 1000) return most;
  const area = scale.area(position / 1000 / scale.end);
  const places = Math.max(0, Math.min(20, 3 - Math.floor(Math.log10(scale.most))));
  return parsed(area.toFixed(places)) ?? fraction(BigInt(Math.round(area)), 1n);
}

function connectBudget(app) {
  byId('budget-unit').textContent = shown(app.report.resources.area_unit ?? app.report.resources.names[app.report.resources.objectives[0]]);
  byId('budget-slider').addEventListener('input', (event) => {
    const area = areaOfSlider(app, Number(event.target.value));
    byId('budget').value = exactly(area);
    widen(byId('budget'));
    app.spend(area);
  });
  byId('budget').addEventListener('input', (event) => {
    widen(event.target);
    const area = parsed(event.target.value.trim().replace(/[,_\s](?=\d{3}(?:\D|$))/g, ''));
    if (area) {
      app.spend(area);
      byId('budget-slider').value = String(Math.round(app.scale.place(approximate(area)) * app.scale.end * 1000));
    } else {
      event.target.setAttribute('aria-invalid', 'true');
      byId('budget-answer').textContent = 'An area is a number such as 1200 or 12.5.';
    }
  });
}

function connectTheme({ chart, strip }) {
  const printed = () => [chart, strip].forEach((part) => part.render());
  connectColors(() => strip.render(), printed);
}

async function start() {
  const report = await Report.read(byId('data').textContent);
  byId('report').hidden = false;
  const app = new App(report);
  app.render();
  connectBudget(app);
  connectTheme(app);
  connectSize([app.chart, app.strip]);
  connectSharing(app);
  byId('linear').addEventListener('click', () => app.changeScale(false));
  byId('logarithmic').addEventListener('click', () => app.changeScale(true));
  document.documentElement.dataset.ready = 'yes';
}
