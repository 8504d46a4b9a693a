// Blocks switched off: the designs of this front that do without them.

class Without {
  constructor(app) {
    this.app = app;
    this.off = new Set();
  }

  /** Switches a block off, or on again. */
  toggle(block) {
    if (!this.off.delete(block)) this.off.add(block);
    const { app } = this;
    app.renew();
    app.chart.render();
    app.tables.renderBlocks();
    app.tables.renderDesigns();
    this.render();
    byId('blocks').querySelector(`[data-block="${block}"]`)?.focus({ preventScroll: true });
  }

  get isOn() {
    return this.off.size > 0;
  }

  /** Whether a design builds a block that is switched off. */
  isHidden(number) {
    return [...this.off].some((block) => this.app.report.front.blocks[block][number]);
  }

  /** Of designs none of which is better than another, those that remain are such too: a front of their own. */
  render() {
    const hint = byId('without');
    hint.hidden = !this.isOn;
    if (!this.isOn) return;
    const { report, budgets } = this.app;
    const { kept, count } = report.front;
    const names = [...this.off].map((block) => shown(report.sheet.blocks[block].name));
    const which = kept === count ? 'designs of this front' : 'designs in this page';
    const left = Array.from({ length: kept }, (_, at) => at).filter((at) => !this.isHidden(at)).length;
    const number = report.bought(budgets, (at) => !this.isHidden(at));
    const design = number < 0 ? null : report.design(number);
    const best = design
      ? `${this.app.budgetWords()} then ${report.hasOneObjective ? 'buys' : 'buy'} ${measured(report, design).join(' ')} at ${costWords(report, design.cost)} (${verdictOf(report, design).word.toLowerCase()}).`
      : 'None of them costs as little as the budget.';
    const flags = names.map((name) => `--forbid ${name}`).join(' ');
    hint.textContent =
      `Without ${listed(names)}: ${grouped(left)} of ${grouped(kept)} ${which} remain, the line in full color. ${best} ` +
      `Only designs of this front count here: the front of the task set without ${names.length > 1 ? 'these blocks' : 'this block'} may have better ones, which “isx explore” with “${flags}” finds.`;
  }
}
