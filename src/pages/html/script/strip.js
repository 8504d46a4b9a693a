// The strip: a row a task, a column a design, a color a choice.

const ROW = 26;

/** Colors of choices; more choices begin again. */
const COLORS = ['#3b6fb6', '#b9650f', '#1f7a66', '#a8447e', '#7158b0', '#6f7a1f', '#8f5330', '#2b7ea3', '#b5443c', '#546f88'];

/** The most choices that a legend names. */
const MOST_IN_LEGEND = 20;

class Strip {
  constructor() {
    Object.assign(this, { canvas: byId('strip'), line: [] });
    // One color per name: the same instruction looks the same in every task.
    const names = new Set(report.choosing.flatMap((task) => report.designs.map(({ choices }) => choices[task])).filter((name) => name !== null));
    this.colors = new Map([...names].map((name, at) => [name, COLORS[at % COLORS.length]]));
    this.canvas.addEventListener('pointermove', (event) => app.look(this.designAt(event)));
    this.canvas.addEventListener('pointerleave', () => app.look(null));
    this.canvas.addEventListener('click', (event) => app.line.length && app.keep(this.designAt(event)));
    byId('strip-names').replaceChildren(...report.choosing.map((task) => make('div', {}, named(report.sheet.tasks[task].name))));
    const which = report.hasOneObjective ? `from the least ${costWord()} on the left to the most` : `along the line of the picture, from the least ${report.name(report.objectives[0])} on`;
    tell('strip-hint', `One row per task, one column per design, ${which}. Point to preview, click to select.`);
    const item = (background, words) =>
      make('li', {}, make('span', { class: 'swatch', 'aria-hidden': 'true', style: { background } }), words);
    const items = [...this.colors].map(([name, color]) => item(color, named(name)));
    byId('legend').replaceChildren(item('', 'in software'), ...fewOf(items, MOST_IN_LEGEND, (more) => make('li', {}, `and ${more} more`)));
  }

  designAt(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const { line } = app;
    const at = Math.floor(((event.clientX - bounds.left) / bounds.width) * line.length);
    return line[Math.max(0, Math.min(line.length - 1, at))] ?? null;
  }

  /** Draws the line, if it is another than the last. */
  renderLine() {
    const { line } = app;
    const isSame = line.length === this.line.length && line.every((design, at) => design === this.line[at]);
    if (!isSame) this.render();
  }

  render() {
    this.line = app.line;
    const tasks = report.choosing;
    // Paper is narrower than most screens, and has its own width only once it is printed.
    const isPaper = document.documentElement.hasAttribute('data-paper');
    const width = isPaper ? 600 : Math.max(100, this.canvas.parentElement.clientWidth);
    const height = ROW * tasks.length;
    const density = Math.max(1, Math.min(3, window.devicePixelRatio || 1));
    // Browsers have no larger canvas than some 32,000 pixels.
    const zoom = Math.min(density, 32000 / Math.max(width, height));
    this.canvas.width = Math.round(width * zoom);
    this.canvas.height = Math.round(height * zoom);
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext('2d');
    pen.scale(zoom, zoom);
    pen.font = '12px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    tasks.forEach((task, at) => this.row(pen, this.line.map(({ choices }) => choices[task]), at * ROW + 2, width));
    this.renderMarker();
  }

  /** A row: each run of one choice in one go, with its name where there is room. */
  row(pen, column, top, width) {
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--quiet-fill');
    pen.fillRect(0, top, width, ROW - 4);
    for (let from = 0; from < column.length; ) {
      let to = from + 1;
      while (to < column.length && column[to] === column[from]) to++;
      if (column[from] !== null) this.run(pen, column[from], [from, to].map((at) => (at / column.length) * width), top);
      from = to;
    }
  }

  run(pen, name, [left, right], top) {
    const isWide = right - left > 3;
    pen.fillStyle = this.colors.get(name);
    pen.fillRect(left, top, Math.max(0.5, right - left - (isWide ? 1 : 0)), ROW - 4);
    if (right - left < 30 || pen.measureText(shown(name)).width > right - left - 12) return;
    pen.fillStyle = '#ffffff';
    pen.fillText(shown(name), left + 6, top + ROW / 2 - 2);
  }

  renderMarker() {
    const mark = byId('strip-mark');
    const at = app.line.indexOf(app.current());
    mark.hidden = at < 0;
    const share = 100 / app.line.length;
    Object.assign(mark.style, { left: `${at * share}%`, width: `${share}%` });
  }
}
