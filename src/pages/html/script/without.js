// Blocks switched off: the designs of this front that do without them.

class Without {
  constructor(app) {
    this.app = app;
    this.off = new Set();
    this.renew();
  }

  /** Switches a block off, or on again. */
  toggle(block) {
    if (!this.off.delete(block)) this.off.add(block);
    this.renew();
    const { app } = this;
    app.chart.render();
    app.tables.renderBlocks();
    app.tables.renderDesigns();
    this.render();
    byId('blocks').querySelector(`[data-block="${block}"]`)?.focus({ preventScroll: true });
  }

  /** Of designs none of which is better than another, those that remain are such too: a front of their own. */
  renew() {
    const { front } = this.app.report;
    const columns = [...this.off].map((block) => front.blocks[block]);
    const all = Array.from({ length: front.kept }, (_, at) => at);
    this.rest = all.filter((at) => columns.every((column) => !column[at]));
  }

  get isOn() {
    return this.off.size > 0;
  }

  /** Whether a design builds a block that is switched off. */
  isHidden(at) {
    return [...this.off].some((block) => this.app.report.front.blocks[block][at]);
  }

  /** The last remaining design within the budget, -1 if there is none. */
  bought() {
    const { budget, report } = this.app;
    return this.rest.findLast((at) => at <= report.within(budget)) ?? -1;
  }

  render() {
    const hint = byId('without');
    hint.hidden = !this.isOn;
    if (!this.isOn) return;
    const { report, budget } = this.app;
    const names = [...this.off].map((block) => shown(report.sheet.blocks[block].name));
    const which = report.front.kept === report.front.count ? 'designs of this front' : 'designs in this page';
    const at = this.bought();
    const design = at < 0 ? null : report.design(at);
    const best = design
      ? `${areaWords(report, budget)} then buys ${measured(report, design).join(' ')} at ${areaWords(report, design.area)} (${verdictOf(report, design).word.toLowerCase()}).`
      : 'None of them needs as little area as the budget.';
    const flags = names.map((name) => `--forbid ${name}`).join(' ');
    hint.textContent =
      `Without ${listed(names)}: ${grouped(this.rest.length)} of ${grouped(report.front.kept)} ${which} remain, the line in full color. ${best} ` +
      `Only designs of this front count here: the front of the task set without ${names.length > 1 ? 'these blocks' : 'this block'} may have better ones, which “isx explore” with “${flags}” finds.`;
  }
}
