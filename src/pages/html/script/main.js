// What the page of a front shows and how it changes: one state, and everything drawn from it. Last, what begins.

/** The most positions of a slider. */
const MOST_POSITIONS = 1_000_000n;

class App {
  constructor() {
    Object.assign(this, { preview: null, view: [0, 1], off: new Set(), typing: null });
    // At the beginning the page shows a minimal schedulable design, else that of least utilization.
    this.selected = designOfHash(location.hash) ?? report.minimal[0] ?? report.last();
    this.budgets = this.budgetsOf(this.selected);
    this.renew();
    this.setScale(false);
    this.sliders = report.objectives.map((resource, at) => this.slider(resource, at));
    this.chart = new Chart();
    this.strip = new Strip();
    this.tables = new Tables();
    connectPointer(this.chart);
    connectKeys();
    this.follow = oncePerFrame(() => this.renderCurrent());
    this.followAll = oncePerFrame(() => this.renderChosen());
    for (const [id, isLog] of [['linear', false], ['logarithmic', true]]) {
      byId(id).addEventListener('click', () => {
        this.setScale(isLog);
        this.zoomTo([0, 1]);
      });
    }
  }

  current() {
    return this.preview ?? this.selected;
  }

  setScale(isLog) {
    this.scale = new Scale(isLog);
    byId('linear').setAttribute('aria-pressed', String(!this.scale.isLog));
    byId('logarithmic').setAttribute('aria-pressed', String(this.scale.isLog));
  }

  zoomTo(view) {
    this.view = viewWithin(view);
    byId('zoom-out').disabled = byId('zoom-reset').disabled = this.view[0] <= 0 && this.view[1] >= 1;
    this.chart.render();
  }

  /** What a design costs in the objectives. */
  budgetsOf(design) {
    return report.objectives.map((resource) => design.cost[resource]);
  }

  /** Whether a design builds a block that is switched off. */
  isHidden({ blocks }) {
    return blocks.some((block) => this.off.has(block));
  }

  /** What depends on the budgets: the line of least utilization, and what is left of it without blocks. */
  renew() {
    this.line = report.line(this.budgets);
    this.rest = report.line(this.budgets, (design) => !this.isHidden(design));
  }

  /** The best schedulable design within the budgets. */
  schedulable() {
    return report.best(this.budgets, ({ schedulable }) => schedulable, report.designs);
  }

  /** Shows a design as long as a pointer rests on it; none ends that. */
  look(design) {
    if (this.preview === design) return;
    this.preview = design;
    this.follow();
  }

  /** Chooses a design of the line; with several objectives the budgets of the others stay. */
  keep(design) {
    if (report.hasOneObjective) this.show(design);
    else this.spend(0, design.area);
  }

  walk(by) {
    const { line, selected } = this;
    const here = line.indexOf(selected);
    const from = here >= 0 ? here : line.findLastIndex(({ x }) => x <= selected.x) + (by > 0 ? 0 : 1);
    this.keep(line[Math.max(0, Math.min(line.length - 1, from + by))]);
  }

  /** Chooses a design; the budgets become its costs. */
  show(design) {
    Object.assign(this, { selected: design, budgets: this.budgetsOf(design), typing: null });
    const place = this.scale.place(design.x);
    const [from, to] = this.view;
    this.chosen();
    if (place < from || place > to) this.zoomTo([place - (to - from) / 2, place + (to - from) / 2]);
    this.renderChosen();
  }

  /** Sets one of the budgets. */
  spend(objective, budget) {
    this.buy(this.budgets.with(objective, budget));
  }

  /** Chooses the design that these budgets buy. */
  buy(budgets) {
    Object.assign(this, { budgets, selected: report.best(budgets) ?? this.selected });
    this.chosen();
    this.followAll();
  }

  /** The address names the chosen design, once the reader has chosen one. */
  chosen() {
    this.preview = null;
    this.renew();
    if (this.isShared && this.selected.hash) keepInAddress(this.selected.hash);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => document.activeElement !== byId('plot') && tell('live', spoken(this.selected)), 400);
  }

  /** Switches a block off, or on again. */
  toggle(block) {
    if (!this.off.delete(block)) this.off.add(block);
    this.renew();
    this.renderChosen();
  }

  render() {
    this.chart.render();
    this.strip.render();
  }

  /** What follows the chosen design and the budgets. */
  renderChosen() {
    this.chart.render();
    this.strip.renderLine();
    this.renderBudgets();
    this.renderCurrent();
    keepFocus(() => this.tables.renderDesigns());
  }

  renderCurrent() {
    this.chart.renderMarker();
    this.strip.renderMarker();
    keepFocus(() => panel.render());
    this.tables.renderTasks();
    keepFocus(() => this.tables.renderBlocks());
    // The chart is a slider to screen readers.
    const { selected } = this;
    const place = selected.kind === 'front' ? selected.number : report.hasOneObjective ? report.within(selected.area) : 0;
    const now = (report.front[Math.max(0, place)]?.index ?? 0) + 1;
    fill(byId('plot'), { 'aria-valuemin': 1, 'aria-valuemax': report.count, 'aria-valuenow': now, 'aria-valuetext': spoken(selected) }, []);
  }

  /** A label, a slider, a field, and what there is at most. */
  slider(resource, at) {
    const [low, high] = report.ends[resource];
    // The slider moves in steps of the last digit of all costs, or in larger ones where these are too many.
    const den = report.designs.reduce((all, { cost }) => (all / greatestDivisor(all, cost[resource].d)) * cost[resource].d, 1n);
    const range = minus(high, low);
    const steps = (range.n * den) / range.d;
    const unit = { n: steps / MOST_POSITIONS + 1n, d: den };
    const positionOf = (amount) => {
      const { n, d } = over(minus(amount, low), unit);
      return n < 0n ? 0n : (n + d - 1n) / d;
    };
    const id = `budget-${at}`;
    const isArea = report.areaUnit !== null;
    const name = report.name(resource);
    const label = isArea ? 'Area budget' : `${name} at most`;
    const slider = make('input', { type: 'range', id, min: 0, max: positionOf(high), step: 1 });
    const field = make('input', { type: 'text', inputmode: 'decimal', maxlength: 800, autocomplete: 'off', spellcheck: 'false', 'aria-label': `${isArea ? label : `Budget of ${name}`} as a number` });
    const limit = report.limits[resource];
    const of = make('span', { class: 'of' }, isArea ? shown(report.areaUnit) : limit ? `of ${shortly(limit)}` : '');
    slider.addEventListener('input', () => {
      const amount = plus(low, times({ n: BigInt(slider.value), d: 1n }, unit));
      this.spend(at, isLess(high, amount) ? high : amount);
    });
    field.addEventListener('input', () => {
      const amount = parsed(field.value.trim().replace('−', '-').replace(/[,_\s](?=\d{3}(?:\D|$))/g, ''));
      widen(field);
      this.typing = field;
      if (amount) {
        field.removeAttribute('aria-invalid');
        this.spend(at, amount);
      } else {
        field.setAttribute('aria-invalid', 'true');
        tell('budget-answer', 'A budget is a number such as 1200 or 12.5.');
      }
    });
    field.addEventListener('blur', () => {
      this.typing = null;
      this.renderBudgets();
    });
    const title = isArea ? null : visible(report.names[resource]).slice(0, 200);
    byId('budgets').append(make('div', { class: 'budget-row' }, make('label', { for: id, title }, label), slider, make('span', { class: 'amount' }, field, of)));
    return { slider, field, positionOf };
  }

  /** The sliders, and the fields but for one that is being typed in. */
  renderBudgets() {
    this.sliders.forEach(({ slider, field, positionOf }, at) => {
      slider.value = String(positionOf(this.budgets[at]));
      slider.setAttribute('aria-valuetext', shortly(this.budgets[at]));
      if (field === this.typing) return;
      field.value = exactly(this.budgets[at]);
      field.removeAttribute('aria-invalid');
      widen(field);
    });
    tell('budget-answer', this.boughtWords());
    tell('without', this.off.size ? this.withoutWords() : '');
  }

  /** What the budgets are, and that they buy, in words. */
  budgetWords() {
    const { budgets } = this;
    if (report.hasOneObjective) return { words: areaWords(budgets[0]), buy: 'buys' };
    return { words: listed(report.objectives.map((resource, at) => `${report.name(resource)} ${shortly(budgets[at])}`)), buy: 'buy' };
  }

  /** What the budgets buy, in a sentence. */
  boughtWords() {
    const { budgets } = this;
    const design = report.best(budgets);
    if (!design) return 'No design costs as little as that.';
    const { words, buy } = this.budgetWords();
    const best = report.isByMargin ? 'largest margin' : 'least utilization';
    const which = report.kept === report.count ? `the design of ${best}` : `of the designs in this page that of ${best}`;
    const left = report.hasOneObjective ? minus(budgets[0], design.area) : ZERO;
    const rest = left.n > 0n ? ` and leaves ${areaWords(left)}` : '';
    const bought = `${words} ${buy} ${which}, ${measured(design)[1]} (${verdictWord(design)})${rest}.`;
    const passing = design.schedulable ? null : this.schedulable();
    return passing ? `${bought} A schedulable one is within too: ${costWords(passing.cost)} at ${rounded(passing.utilization, 6)}.` : bought;
  }

  /** What is left without the blocks that are switched off. Of designs none of which is better than another, those that
      remain are such too: a front of their own. */
  withoutWords() {
    const { kept, count, front } = report;
    const names = [...this.off].map(shown);
    const which = kept === count ? 'designs of this front' : 'designs in this page';
    const isLeft = (design) => !this.isHidden(design);
    const design = report.best(this.budgets, isLeft);
    const { words, buy } = this.budgetWords();
    const best = design
      ? `${words} then ${buy} ${measured(design).join(' ')} at ${costWords(design.cost)} (${verdictWord(design)}).`
      : 'None of them costs as little as the budget.';
    const flags = names.map((name) => `--forbid ${name}`).join(' ');
    return `Without ${listed(names)}: ${grouped(front.filter(isLeft).length)} of ${grouped(kept)} ${which} remain, the line in full color. ${best} ` +
      `Only designs of this front count here: the front of the task set without ${names.length > 1 ? 'these blocks' : 'this block'} may have better ones, which “isx explore” with “${flags}” finds.`;
  }
}

/** Makes a field as wide as what stands in it; it grows alone, so that what is beside it does not jump to and fro. */
function widen(field) {
  const digits = Math.max(field.value.length, Number(field.dataset.digits ?? 0));
  field.dataset.digits = digits;
  field.style.width = `calc(${digits}ch + 20px)`;
}

async function start() {
  connectColors(() => app?.render());
  const text = byId('data').textContent;
  const sheet = sheetOf(text);
  const isFront = sheet.document.schema.startsWith('isx.front');
  byId('report').hidden = false;
  document.querySelectorAll('[data-of]').forEach((part) => (part.hidden = (part.dataset.of === 'front') !== isFront));
  if (isFront) {
    report = await Report.read(text);
    app = new App();
    renderFront();
    app.zoomTo(app.view);
    app.show(app.selected);
    connectSharing();
    new ResizeObserver(oncePerFrame(() => app.chart.box.width !== Math.max(280, byId('plot').clientWidth) && app.render())).observe(byId('plot'));
  } else {
    new CorePage(sheet).render();
  }
  document.documentElement.dataset.ready = 'yes';
}

// Begins, or says why the page cannot be shown.
start().catch((problem) => {
  const isOld = typeof DecompressionStream === 'undefined';
  tell('problem', isOld
    ? 'This browser is too old for the report: it needs one of 2023 or later.'
    : `The report cannot be shown: ${problem.message}`);
});
