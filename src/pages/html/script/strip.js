// The strip: a row a task, a column a design, a color a choice.

const ROW = 26;

/** Colors of choices; more choices begin again. */
const COLORS = ['#3b6fb6', '#b9650f', '#1f7a66', '#a8447e', '#7158b0', '#6f7a1f', '#8f5330', '#2b7ea3', '#b5443c', '#546f88'];

/** The most choices that a legend names. */
const MOST_IN_LEGEND = 20;

class Strip {
  constructor(app) {
    this.app = app;
    this.canvas = byId('strip');
    this.colors = this.colorsOfNames();
    const point = (event) => this.designAt(event);
    this.canvas.addEventListener('pointermove', (event) => app.look(point(event)));
    this.canvas.addEventListener('pointerleave', () => app.look(null));
    this.canvas.addEventListener('click', (event) => app.line.length && app.keep(point(event)));
    this.head();
  }

  /** A color a name: the same instruction looks the same in every task. */
  colorsOfNames() {
    const colors = new Map();
    const { tasks } = this.app.report.sheet;
    this.app.report.front.tasks.forEach((column, task) => {
      for (const choice of new Set(column)) {
        const name = choice && tasks[task].choices[choice - 1].name;
        if (choice && !colors.has(name)) colors.set(name, COLORS[colors.size % COLORS.length]);
      }
    });
    return colors;
  }

  /** The names of the tasks, and what the colors mean. */
  head() {
    const { report } = this.app;
    const names = report.sheet.tasks.map((task) => make('div', {}, named(task.name)));
    byId('strip-names').replaceChildren(...names);
    const which = report.hasOneObjective ? `from the least ${costWord(report)} on the left to the most` : `along the line of the picture, from the least ${report.name(report.resources.objectives[0])} on`;
    byId('strip-hint').textContent = `One row per task, one column per design, ${which}. Point to preview, click to select.`;
    const swatch = (color) => {
      const square = make('span', { class: 'swatch', 'aria-hidden': 'true' });
      if (color) square.style.background = color;
      return square;
    };
    const items = [...this.colors].slice(0, MOST_IN_LEGEND).map(([name, color]) => make('li', {}, swatch(color), named(name)));
    const more = this.colors.size - MOST_IN_LEGEND;
    if (more > 0) items.push(make('li', {}, `and ${more} more`));
    byId('legend').replaceChildren(make('li', {}, swatch(null), 'in software'), ...items);
    this.canvas.setAttribute('aria-label', 'Which choice each task takes along the front; the table of designs has the same in words');
  }

  designAt(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const { line } = this.app;
    const at = Math.floor(((event.clientX - bounds.left) / bounds.width) * line.length);
    return line[Math.max(0, Math.min(line.length - 1, at))] ?? null;
  }

  /** Draws the line, if it is another than the last. */
  renderLine() {
    const { line } = this.app;
    if (this.line && line.length === this.line.length && line.every((number, at) => number === this.line[at])) return;
    this.render();
  }

  render() {
    this.line = this.app.line;
    const { front, sheet } = this.app.report;
    // Paper is narrower than most screens, and has its own width only once it is printed.
    const isPaper = document.documentElement.hasAttribute('data-paper');
    const width = isPaper ? 600 : Math.max(100, this.canvas.parentElement.clientWidth);
    const height = ROW * sheet.tasks.length;
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
    front.tasks.forEach((column, task) => this.row(pen, this.line.map((number) => column[number]), task, width));
    this.renderMarker();
  }

  /** A row: each run of one choice in one go, with its name where there is room. */
  row(pen, column, task, width) {
    const { choices } = this.app.report.sheet.tasks[task];
    const top = task * ROW + 2;
    pen.fillStyle = colorOf('quiet-fill');
    pen.fillRect(0, top, width, ROW - 4);
    for (let from = 0; from < column.length; ) {
      let to = from + 1;
      while (to < column.length && column[to] === column[from]) to++;
      if (column[from]) this.run(pen, choices[column[from] - 1].name, [from, to].map((at) => (at / column.length) * width), top);
      from = to;
    }
  }

  run(pen, name, [left, right], top) {
    const isWide = right - left > 3;
    pen.fillStyle = this.colors.get(name);
    pen.fillRect(left, top, Math.max(0.5, right - left - (isWide ? 1 : 0)), ROW - 4);
    if (right - left < 30) return;
    const text = shown(name);
    if (pen.measureText(text).width > right - left - 12) return;
    pen.fillStyle = '#ffffff';
    pen.fillText(text, left + 6, top + ROW / 2 - 2);
  }

  renderMarker() {
    const mark = byId('strip-mark');
    const at = this.app.line.indexOf(this.app.current().number);
    mark.hidden = at < 0;
    const share = 100 / this.app.line.length;
    mark.style.left = `${at * share}%`;
    mark.style.width = `${share}%`;
  }
}
