// What the page shows and how it changes: one state, and everything drawn from it.

/** The most positions of a slider. */
const MOST_POSITIONS = 1_000_000n;

class App {
  constructor(report) {
    this.report = report;
    this.preview = null;
    this.view = [0, 1];
    this.without = new Without(this);
    this.selected = designOfHash(report, location.hash) ?? this.first();
    this.budgets = this.budgetsOf(this.selected);
    this.renew();
    this.setScale(false);
    this.sliders = report.resources.objectives.map((resource, at) => this.slider(resource, at));
    this.chart = new Chart(this);
    this.strip = new Strip(this);
    this.panel = new Panel(this);
    this.tables = new Tables(this);
    this.pointing = new Pointing(this, this.chart);
    this.follow = oncePerFrame(() => this.renderCurrent());
    this.followAll = oncePerFrame(() => this.renderChosen());
    this.say = debounced(() => this.announce(), 400);
  }

  /** The design shown at the beginning: a minimal schedulable one, else that of least utilization. */
  first() {
    const { report } = this;
    const [minimal = report.last()] = report.front.minimalAt;
    return report.design(minimal);
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
    this.zoomTo([0, 1]);
  }

  zoomTo(view) {
    this.view = viewWithin(view);
    byId('zoom-out').disabled = byId('zoom-reset').disabled = this.view[0] <= 0 && this.view[1] >= 1;
    this.chart.render();
  }

  /** What a design costs in the objectives. */
  budgetsOf(design) {
    return this.report.resources.objectives.map((resource) => design.cost[resource]);
  }

  /** What depends on the budgets: the designs that they reach, the line of least utilization, and what is left of it without blocks. */
  renew() {
    const { report, without } = this;
    this.reach = report.reach(this.budgets);
    this.line = report.line(this.reach);
    this.rest = without.isOn ? report.line(this.reach, (at) => !without.isHidden(at)) : this.line;
  }

  /** Shows a design as long as a pointer rests on it; none ends that. */
  look(number) {
    if ((this.preview?.number ?? null) === number) return;
    this.preview = number === null ? null : this.report.design(number);
    this.follow();
  }

  /** Chooses a design of the line; with several objectives the budgets of the others stay. */
  keep(number) {
    const design = this.report.design(number);
    if (this.report.hasOneObjective) this.show(design);
    else this.spend(0, design.area);
  }

  walk(by) {
    const { line, report } = this;
    const here = line.indexOf(this.selected.number);
    const before = line.findLastIndex((number) => report.x[number] <= approximate(this.selected.area));
    const from = here >= 0 ? here : before + (by > 0 ? 0 : 1);
    this.keep(line[Math.max(0, Math.min(line.length - 1, from + by))]);
  }

  /** Chooses a design; the budgets become its costs. */
  show(design) {
    this.selected = design;
    this.budgets = this.budgetsOf(design);
    this.isEmpty = false;
    this.typing = null;
    this.bringInSight();
    this.chosen();
    this.renderChosen();
  }

  /** Sets a budget, and chooses the design that all of them buy. */
  spend(objective, budget) {
    this.budgets = this.budgets.with(objective, budget);
    this.buy();
  }

  spendAll() {
    this.budgets = this.sliders.map(({ high }, at) => this.fractionOf(at, high));
    this.buy();
  }

  buy() {
    const number = this.report.bought(this.budgets);
    this.isEmpty = number < 0;
    if (number >= 0) this.selected = this.report.design(number);
    this.chosen();
    this.followAll();
  }

  /** The address names the chosen design, once the reader has chosen one. */
  chosen() {
    this.preview = null;
    this.renew();
    if (this.isShared) keepInAddress(this.report, this.selected);
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
    this.show(this.selected);
  }

  /** What follows the chosen design and the budgets. */
  renderChosen() {
    if (!this.report.hasOneObjective || this.without.isOn) this.chart.render();
    this.strip.renderLine();
    this.renderBudgets();
    this.renderCurrent();
    const focus = document.activeElement?.closest?.('table') ? document.activeElement : null;
    const again = focus && [focus.closest('table').id, focus.getAttribute('aria-label')];
    this.tables.renderDesigns();
    if (again?.[1]) [...byId(again[0]).querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === again[1])?.focus({ preventScroll: true });
  }

  renderCurrent() {
    const focus = document.activeElement;
    const again = byId('design').contains(focus) ? focus.dataset : null;
    this.chart.renderMarker();
    this.strip.renderMarker();
    this.panel.render();
    this.tables.render();
    this.renderPosition();
    if (again) this.focusAgain(again);
  }

  /** The panel is made anew; whoever stood on one of its buttons stands there again. */
  focusAgain({ step, jump }) {
    const name = step ? `[data-step="${step}"]` : `[data-jump="${jump}"]`;
    const same = byId('design').querySelector(name);
    (same && !same.disabled ? same : byId('plot')).focus({ preventScroll: true });
  }

  /** The chart is a slider to screen readers. */
  renderPosition() {
    const { report, selected } = this;
    const now = selected.at >= 0 ? selected.at : Math.max(0, report.hasOneObjective ? report.within(selected.area) : 0);
    const values = { valuemin: 1, valuemax: report.front.count, valuenow: (report.front.index[now] ?? 0) + 1, valuetext: spoken(report, selected) };
    for (const [name, value] of Object.entries(values)) byId('plot').setAttribute(`aria-${name}`, value);
  }

  fractionOf(objective, numerator) {
    return fraction(numerator, this.report.amountsOf(objective).den);
  }

  /** A label, a slider, a field, and what there is at most. */
  slider(resource, at) {
    const { report } = this;
    const { distinct } = report.front.costs[resource];
    const [low, high] = [distinct[0], distinct.at(-1)];
    const unit = (high - low) / MOST_POSITIONS + 1n;
    const id = `budget-${at}`;
    const isArea = report.resources.area_unit !== null;
    const label = isArea ? 'Area budget' : `${report.name(resource)} at most`;
    const range = make('input', { type: 'range', id, min: 0, max: (high - low + unit - 1n) / unit, step: 1 });
    const field = make('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', 'aria-label': `${isArea ? label : `Budget of ${report.name(resource)}`} as a number` });
    const limit = report.limits[resource];
    const of = make('span', { class: 'of' }, isArea ? shown(report.resources.area_unit) : limit ? `of ${shortly(limit)}` : '');
    range.addEventListener('input', () => {
      const amount = low + BigInt(range.value) * unit;
      this.spend(at, this.fractionOf(at, amount > high ? high : amount));
    });
    field.addEventListener('input', () => {
      const text = field.value.trim().replace('−', '-').replace(/[,_\s](?=\d{3}(?:\D|$))/g, '');
      const amount = parsed(text.replace(/^-/, '')) && signed(text);
      widen(field);
      this.typing = field;
      if (amount) {
        field.removeAttribute('aria-invalid');
        this.spend(at, amount);
      } else {
        field.setAttribute('aria-invalid', 'true');
        byId('budget-answer').textContent = 'A budget is a number such as 1200 or 12.5.';
      }
    });
    field.addEventListener('blur', () => {
      this.typing = null;
      this.renderBudgets();
    });
    const title = isArea ? null : visible(report.resources.names[resource]).slice(0, 200);
    byId('budgets').append(make('div', { class: 'budget-row' }, make('label', { for: id, title }, label), range, make('span', { class: 'amount' }, field, of)));
    return { range, field, low, high, unit };
  }

  /** The sliders, and the fields but for one that is being typed in. */
  renderBudgets() {
    const { report } = this;
    this.sliders.forEach(({ range, field, low, unit }, at) => {
      const amount = report.amountsOf(at).floor(this.budgets[at]);
      range.value = String(amount < low ? 0n : (amount - low + unit - 1n) / unit);
      if (field !== this.typing) {
        field.value = exactly(this.budgets[at]);
        field.removeAttribute('aria-invalid');
        widen(field);
      }
      range.setAttribute('aria-valuetext', shortly(this.budgets[at]));
    });
    byId('budget-answer').textContent = this.isEmpty ? 'No design costs as little as that.' : this.boughtWords();
    this.without.render();
  }

  /** What the budgets are, in words. */
  budgetWords() {
    const { report, budgets } = this;
    const { objectives } = report.resources;
    return report.hasOneObjective ? areaWords(report, budgets[0]) : listed(objectives.map((resource, at) => `${report.name(resource)} ${shortly(budgets[at])}`));
  }

  /** What the budgets buy, in a sentence. */
  boughtWords() {
    const { report, budgets } = this;
    const number = report.bought(budgets);
    if (number < 0) return 'No design costs as little as that.';
    const design = report.design(number);
    const word = verdictOf(report, design).word.toLowerCase();
    const { kept, count } = report.front;
    const best = report.isByMargin ? 'largest margin' : 'least utilization';
    const which = kept === count ? `the design of ${best}` : `of the designs in this page that of ${best}`;
    const left = report.hasOneObjective ? minus(budgets[0], design.area) : ZERO;
    const rest = left.n > 0n ? ` and leaves ${areaWords(report, left)}` : '';
    const bought = `${this.budgetWords()} ${report.hasOneObjective ? 'buys' : 'buy'} ${which}, ${measured(report, design)[1]} (${word})${rest}.`;
    const other = design.schedulable ? -1 : report.best(this.reach, (at) => report.isSchedulable(at));
    if (other < 0) return bought;
    const passing = report.design(other);
    return `${bought} A schedulable one is within too: ${costWords(report, passing.cost)} at ${rounded(passing.utilization, 6)}.`;
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

async function start() {
  const report = await Report.read(byId('data').textContent);
  byId('report').hidden = false;
  const app = new App(report);
  app.render();
  const { chart, strip } = app;
  connectColors(() => strip.render(), () => [chart, strip].forEach((part) => part.render()));
  connectSize([chart, strip]);
  connectSharing(app);
  byId('linear').addEventListener('click', () => app.changeScale(false));
  byId('logarithmic').addEventListener('click', () => app.changeScale(true));
  document.documentElement.dataset.ready = 'yes';
}
