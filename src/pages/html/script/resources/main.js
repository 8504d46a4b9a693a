// What the page shows and how it changes: budgets, the best design within them, and everything drawn from these.

/** The most positions of a slider. */
const MOST_POSITIONS = 1_000_000n;

class CostApp {
  constructor(report) {
    this.report = report;
    const { objectives, names } = report.resources;
    report.most = names.map((_, resource) => {
      const { rank } = report.front.costs[resource];
      return rank.reduce((most, value, at) => (value > rank[most] ? at : most), 0);
    });
    this.ranges = objectives.map((resource) => {
      const amounts = report.front.costs[resource];
      const most = amounts.distinct.at(-1);
      const limit = report.limits[resource];
      const high = limit === null ? most : amounts.floor(limit);
      return [amounts.distinct[0], high > most ? high : most];
    });
    this.selected = this.ofHash() ?? this.first();
    this.budgets = this.budgetsOf(this.selected);
    this.reach = report.reach(this.budgets);
    this.sliders = objectives.map((resource, at) => this.slider(resource, at));
    this.chart = new CostChart(this);
    this.panel = new CostPanel(this);
    this.tables = new CostTables(this);
    this.tasks = new Tables(this);
    this.follow = oncePerFrame(() => this.render());
  }

  first() {
    const { report } = this;
    const { minimalAt } = report.front;
    const reach = report.reach(report.resources.objectives.map(() => null));
    return report.design(minimalAt.length ? minimalAt[0] : report.best(reach));
  }

  /** The design that the address names: by its number on the front, or among the minimal schedulable ones. */
  ofHash() {
    const { front } = this.report;
    const [, kind, number] = /^#(design|minimal)=(\d{1,12})$/.exec(location.hash) ?? [];
    if (!kind) return null;
    const at = kind === 'minimal' ? front.minimalAt[Number(number)] ?? -1 : front.index.indexOf(Number(number));
    return at < 0 ? null : this.report.design(at);
  }

  share() {
    const { front } = this.report;
    const { number: at, index, kind } = this.selected;
    if (!this.isShared || kind === 'base') return;
    try {
      history.replaceState(null, '', index >= 0 ? `#design=${index}` : `#minimal=${front.minimalAt.indexOf(at)}`);
    } catch {
      // A page in a frame may have no address of its own.
    }
  }

  current() {
    return this.selected;
  }

  range(objective) {
    return this.ranges[objective];
  }

  /** The costs of a design in the objectives, within the sliders. */
  budgetsOf(design) {
    const { objectives } = this.report.resources;
    return objectives.map((resource, at) => this.inside(at, this.report.front.costs[resource].floor(design.cost[resource])));
  }

  inside(objective, budget) {
    const [low, high] = this.ranges[objective];
    return budget < low ? low : budget > high ? high : budget;
  }

  amount(objective) {
    const { den } = this.report.front.costs[this.report.resources.objectives[objective]];
    return fraction(this.budgets[objective], den);
  }

  amountWords(objective) {
    return shortly(this.amount(objective));
  }

  /** A label, a slider, a field, and what there is at most. */
  slider(resource, at) {
    const { report } = this;
    const [low, high] = this.ranges[at];
    const unit = (high - low) / MOST_POSITIONS + 1n;
    const id = `budget-${at}`;
    const range = make('input', { type: 'range', id, min: 0, max: (high - low + unit - 1n) / unit, step: 1 });
    const field = make('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', 'aria-label': `Budget of ${report.name(resource)} as a number` });
    const limit = report.limits[resource];
    const of = make('span', { class: 'of' }, limit ? `of ${shortly(limit)}` : '');
    range.addEventListener('input', () => this.budgetTo(at, low + BigInt(range.value) * unit));
    field.addEventListener('input', () => {
      const text = field.value.trim().replace('−', '-').replace(/[,_\s](?=\d{3}(?:\D|$))/g, '');
      const amount = /^-?\d/.test(text) && parsed(text.replace(/^-/, '')) ? signed(text) : null;
      field.toggleAttribute('aria-invalid', amount === null);
      if (amount) this.budgetTo(at, report.front.costs[resource].floor(amount), field);
      else byId('budget-answer').textContent = 'A budget is a number such as 1200 or 12.5.';
    });
    field.addEventListener('change', () => this.render());
    const label = make('label', { for: id, title: visible(report.resources.names[resource]).slice(0, 200) }, `${report.name(resource)} at most`);
    byId('budgets').append(make('div', { class: 'budget-row' }, label, range, make('span', { class: 'amount' }, field, of)));
    return { range, field, low, unit };
  }

  /** Sets one budget, and chooses the best design within all of them; a field being typed in keeps its text. */
  budgetTo(objective, budget, field = null) {
    this.budgets[objective] = this.inside(objective, budget);
    this.typing = field;
    this.spend();
  }

  spendAll() {
    this.budgets = this.ranges.map(([, high]) => high);
    this.spend();
  }

  spend() {
    const { report } = this;
    this.reach = report.reach(this.budgets);
    const at = report.best(this.reach);
    this.isEmpty = at < 0;
    if (at >= 0) this.selected = report.design(at);
    this.share();
    this.follow();
  }

  /** Chooses a design; the budgets become its costs. */
  show(design) {
    this.selected = design;
    this.isEmpty = false;
    this.budgets = this.budgetsOf(design);
    this.reach = this.report.reach(this.budgets);
    this.share();
    this.render();
  }

  render() {
    const focus = document.activeElement;
    const jump = byId('design').contains(focus) ? focus.dataset.jump ?? '' : null;
    const label = focus?.closest?.('table') ? [focus.closest('table').id, focus.getAttribute('aria-label')] : null;
    this.sliders.forEach(({ range, field, low, unit }, at) => {
      range.value = String((this.budgets[at] - low + unit - 1n) / unit);
      range.setAttribute('aria-valuetext', this.amountWords(at));
      if (field !== this.typing) {
        field.value = exactly(this.amount(at));
        field.removeAttribute('aria-invalid');
      }
    });
    this.typing = null;
    this.chart.render();
    this.panel.render();
    this.tables.render();
    this.tables.renderMinimal();
    this.tasks.renderTasks();
    this.renderAnswer();
    if (jump !== null) this.focusAgain(byId('design').querySelector(`[data-jump="${jump}"]`));
    if (label?.[1]) this.focusAgain([...byId(label[0]).querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === label[1]));
  }

  /** What is made anew takes the focus of what stood there. */
  focusAgain(element) {
    (element && !element.disabled ? element : this.sliders[0].range).focus({ preventScroll: true });
  }

  renderAnswer() {
    const { report } = this;
    const design = this.selected;
    const budgets = listed(report.resources.objectives.map((resource, at) => `${report.name(resource)} ${this.amountWords(at)}`));
    byId('budget-answer').textContent = this.isEmpty
      ? `No design costs as little as ${budgets}.`
      : `Within ${budgets}: utilization ${rounded(design.utilization, 6)}, ${costVerdict(report, design).word.toLowerCase()}.`;
  }
}

/** The costs in words. */
function costWords(report, cost) {
  return cost.map((amount, resource) => `${report.name(resource)} ${shortly(amount)}`).join(', ');
}

/** What stands once and stays. */
function renderCostFrame(report) {
  const { sheet, front, base } = report;
  const { objectives } = report.resources;
  const best = report.design(report.best(report.reach(objectives.map(() => null))));
  renderFrame(report, costAnswer(report), [
    ['All in software', rounded(base.utilization, 6), `utilization, ${costVerdict(report, base).word.toLowerCase()}`],
    ['Least utilization', rounded(best.utilization, 6), `at ${costWords(report, best.cost)}`],
    ['Designs', grouped(front.count), 'on the exact Pareto front'],
    ['Status', ...statusWords(report)],
  ], frontRows(report, frontWords(report)));
  byId('front-title').textContent = `${listed(objectives.map((resource) => report.name(resource)))} against utilization`;
  const limited = report.resources.names.filter((_, resource) => !objectives.includes(resource)).map((name) => shown(name));
  byId('plot-help').textContent = 'Move a slider, or click in the picture: the design of least utilization within all budgets is shown.' +
    (limited.length ? ` ${listed(limited)}: only limited, so without a slider.` : '');
  byId('thinned').hidden = front.kept === front.count;
  byId('thinned').textContent = `Of the ${grouped(front.count)} designs of the front ${grouped(front.kept)} are in this page, one in ${grouped(sheet.front.stride)}, and all minimal schedulable ones: ` +
    'the best design here within budgets may have a little more utilization than the best of the front, which “isx show --within” finds.';
}

function frontWords({ sheet }) {
  return sheet.complete ? 'complete: no larger costs lower the utilization' : 'all designs within the limits; larger costs were not explored';
}

function costAnswer(report) {
  const { sheet, front } = report;
  const { minimalAt } = front;
  if (minimalAt.length) {
    const { cost } = report.design(minimalAt[0]);
    const more = minimalAt.length > 1 ? `, or ${counted(minimalAt.length - 1, 'other minimal cost')}.` : '.';
    return ['Schedulable at ', make('strong', {}, costWords(report, cost)), more];
  }
  if (sheet.minimal_unknown !== null) return ['Whether a design is schedulable is ', make('strong', {}, 'not known'), `: ${visible(sheet.minimal_unknown)}.`];
  return [make('strong', {}, 'No design'), sheet.complete ? ' is schedulable.' : ' within the limits is schedulable.'];
}

async function start() {
  const report = await Report.read(byId('data').textContent);
  byId('report').hidden = false;
  const app = new CostApp(report);
  renderCostFrame(report);
  app.render();
  connectColors();
  connectSize([app.chart]);
  byId('save-csv').addEventListener('click', () => saveCsv(report));
  addEventListener('hashchange', () => {
    const design = app.ofHash();
    if (design) app.show(design);
  });
  app.isShared = true;
  document.documentElement.dataset.ready = 'yes';
}
