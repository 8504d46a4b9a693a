// The chosen design with a bar per resource, the table of designs within the budgets, and the minimal schedulable costs.

/** The most designs in the table. */
const MOST_ROWS = 40;
/** The most minimal schedulable costs in theirs. */
const MOST_MINIMAL = 12;

/** The words of the other page's verdicts speak of area. */
function costVerdict(report, design) {
  const verdict = verdictOf(report, design);
  return { ...verdict, text: verdict.text.replaceAll('of no more area', 'that costs no more') };
}

class CostPanel extends Panel {
  head(design) {
    const title = {
      front: `Design ${grouped(design.index)} (numbered 0 to ${grouped(this.app.report.front.count - 1)})`,
      minimal: 'A minimal schedulable design',
      base: 'All in software',
    }[design.kind];
    return make('div', { class: 'bar' }, make('h2', { id: 'design-title' }, title));
  }

  render() {
    const { app } = this;
    const { report } = app;
    const design = app.current();
    const section = byId('design');
    Object.assign(section.dataset, {
      kind: design.kind,
      index: design.kind === 'front' ? design.index : '',
      cost: design.cost.map((amount) => exactly(amount).replace('−', '-')).join(' '),
      num: design.utilization.n,
      den: design.utilization.d,
      schedulable: design.schedulable,
      critical: report.criticalName(design) ?? '',
      variant: report.sheet.variants[design.variant] ?? '',
    });
    section.replaceChildren(this.head(design), this.figures(design), this.amounts(design), this.modes(design), this.verdict(design),
      this.choices(design), this.extras(design), this.jumps(design));
  }

  figures(design) {
    return make('dl', { class: 'figures' }, this.exact('Utilization', design.utilization));
  }

  /** What the design costs, and how much of each limit that is. */
  amounts(design) {
    const { report } = this.app;
    const rows = design.cost.flatMap((amount, resource) => {
      const limit = report.limits[resource];
      const most = limit ?? report.front.costs[resource].at(report.most[resource]);
      const share = most.n > 0n ? approximate(over(amount, most)) : 0;
      const of = limit ? [' ', make('span', {}, `of ${shortly(limit)}`)] : [];
      return [
        make('dt', {}, named(report.resources.names[resource])),
        make('dd', { class: 'of number' }, shortly(amount), ...of),
        make('dd', {}, bar(share, 'after')),
      ];
    });
    const device = report.resources.device;
    return make('div', {}, make('h3', {}, device ? ['Cost on ', named(device)] : 'Cost'), make('dl', { class: 'amounts' }, ...rows));
  }

  verdict(design) {
    const { app } = this;
    const { report } = app;
    const { word, kind, text } = costVerdict(report, design);
    const lines = [make('p', {}, make('span', { class: `word ${kind}` }, word)), make('p', {}, text)];
    const margin = marginWords(report, design);
    if (margin?.why) lines.push(make('p', {}, `Margin not known: ${visible(margin.why)}.`));
    if (margin?.factor) lines.push(this.margin(margin));
    const other = design.schedulable ? -1 : report.best(app.reach, (at) => report.isSchedulable(at));
    if (other >= 0 && design.kind !== 'base') {
      lines.push(make('p', { class: 'alert' }, 'Another design within these budgets is schedulable: ',
        button('show it', { class: 'link' }, () => app.show(report.design(other)))));
    }
    return make('div', { class: 'verdict' }, ...lines);
  }

  jumps(design) {
    const { app } = this;
    return make('div', { class: 'jumps' },
      button('Largest budgets', { 'data-jump': 'most' }, () => app.spendAll()),
      button('All in software', { disabled: design.kind === 'base', 'data-jump': 'base' }, () => app.show(app.report.base)));
  }
}

class CostTables {
  constructor(app) {
    this.app = app;
    const { report } = app;
    const { resources } = report;
    this.column = report.front.loads;
    this.isDescending = false;
    this.columns = [
      ['Design', '', { rank: report.front.index }],
      ...resources.names.map((name, at) => [shown(name), 'number', report.front.costs[at]]),
      ['Utilization', 'number', report.front.loads],
      ['Schedulable', '', { rank: report.front.verdicts }],
    ];
    this.by = this.columns.length - 2;
    byId('sort').replaceChildren(...this.columns.map(([words], at) => make('option', { value: at }, words)));
    byId('sort').addEventListener('change', () => this.sort(Number(byId('sort').value), false));
    byId('sort-turn').addEventListener('click', () => this.sort(this.by, !this.isDescending));
    this.renderMinimal();
  }

  sort(by, isDescending) {
    [this.by, this.isDescending] = [by, isDescending];
    this.render();
  }

  /** Turns the order of the column, or takes that column. */
  turn(by) {
    this.sort(by, by === this.by && !this.isDescending);
    byId('designs').querySelector(`[data-sort="${by}"]`)?.focus({ preventScroll: true });
  }

  row(at) {
    const { app } = this;
    const { report } = app;
    const design = report.design(at);
    const isChosen = app.selected.number === at;
    const { kind, word } = shortVerdict(report, design);
    const words = design.index < 0 ? 'minimal' : grouped(design.index);
    const label = { 'aria-label': `Show design ${words}`, 'aria-pressed': String(isChosen), class: 'row' };
    return make('tr', { class: isChosen ? 'chosen' : null },
      make('td', {}, button(words, label, () => app.show(report.design(at)))),
      ...design.cost.map((amount) => make('td', { class: 'number' }, shortly(amount))),
      make('td', { class: 'number' }, rounded(design.utilization, 6)),
      make('td', {}, make('span', { class: `word small ${kind}` }, word)));
  }

  render() {
    const { app } = this;
    const { report } = app;
    const within = [];
    for (let at = 0; at < report.front.all; at++) if (report.isWithin(at, app.reach)) within.push(at);
    const { rank } = this.columns[this.by][2];
    const sign = this.isDescending ? -1 : 1;
    within.sort((a, b) => sign * (rank[a] - rank[b]) || a - b);
    const rows = within.slice(0, MOST_ROWS).map((at) => this.row(at));
    fillTable(byId('designs'), this.columns.map(([words, kind]) => [words, kind]), rows);
    byId('designs').querySelectorAll('thead th').forEach((head, by) => {
      const isSorted = by === this.by;
      if (isSorted) head.setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      const arrow = isSorted ? (this.isDescending ? ' ↓' : ' ↑') : '';
      head.replaceChildren(button(`${head.textContent}${arrow}`, { 'data-sort': by }, () => this.turn(by)));
    });
    byId('sort').value = String(this.by);
    byId('sort-turn').setAttribute('aria-pressed', String(this.isDescending));
    const { kept, count } = report.front;
    const which = kept === count ? 'designs of the front' : `designs in this page (${grouped(count)} on the front)`;
    const first = within.length > MOST_ROWS ? `; the first ${MOST_ROWS} in this order are listed` : '';
    byId('designs-hint').textContent = `${grouped(within.length)} of ${grouped(report.front.all)} ${which} cost no more than the budgets${first}.`;
    byId('designs').dataset.within = within.length;
  }

  renderMinimal() {
    const { app } = this;
    const { report } = app;
    const { minimalAt } = report.front;
    byId('minimal-section').hidden = minimalAt.length === 0;
    if (!minimalAt.length) return;
    const more = minimalAt.length > MOST_MINIMAL ? ` The first ${MOST_MINIMAL} of ${grouped(minimalAt.length)} are listed.` : '';
    const unknown = report.sheet.minimal_unknown;
    const others = unknown === null ? '' : ` There may be others: ${visible(unknown)}.`;
    byId('minimal-hint').textContent = `No schedulable design costs less of one objective without more of another.${more}${others}`;
    const columns = this.columns.slice(0, -1).map(([words, kind]) => [words, kind]);
    const rows = minimalAt.slice(0, MOST_MINIMAL).map((at) => {
      const row = this.row(at);
      row.lastElementChild.remove();
      return row;
    });
    fillTable(byId('minimal'), columns, rows);
  }
}
