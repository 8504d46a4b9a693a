// Pointers and keys on the chart: point, keep, walk, zoom.

/** Pixels that a pointer moves before it is a drag. */
const DRAG = 6;

/** The narrowest view, as a part of the axis. */
const NARROWEST = 1e-7;

class Pointing {
  constructor(app, chart) {
    Object.assign(this, { app, chart, from: null, box: null });
    const plot = byId('plot');
    plot.addEventListener('pointermove', (event) => this.move(event));
    plot.addEventListener('pointerdown', (event) => this.press(event));
    plot.addEventListener('pointerup', (event) => this.release(event));
    plot.addEventListener('pointercancel', () => this.stop());
    plot.addEventListener('pointerleave', () => this.from === null && app.look(null));
    plot.addEventListener('dblclick', () => app.zoomTo([0, 1]));
    plot.addEventListener('keydown', (event) => this.key(event));
    plot.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    byId('zoom-in').addEventListener('click', () => this.zoomBy(0.5));
    byId('zoom-out').addEventListener('click', () => this.zoomBy(2));
    byId('zoom-reset').addEventListener('click', () => app.zoomTo([0, 1]));
  }

  xOf(event) {
    const bounds = this.chart.svg.getBoundingClientRect();
    return ((event.clientX - bounds.left) / bounds.width) * this.chart.box.width;
  }

  /** The design whose step is under a place of the chart, or whose corner is nearest. */
  designAt(x) {
    const { line, report } = this.app;
    const last = this.chart.lastAt(this.chart.placeAt(x));
    const [before, after] = [line[Math.max(0, last)], line[Math.min(line.length - 1, last + 1)]];
    const distance = (at) => Math.abs(this.chart.x(report.x[at]) - x);
    return distance(after) < 5 && distance(after) < distance(before) ? after : before;
  }

  move(event) {
    const x = this.xOf(event);
    if (this.from !== null && Math.abs(x - this.from) > DRAG && event.pointerType === 'mouse') this.stretch(x);
    else if (!this.box && this.app.line.length) this.app.look(this.designAt(x));
  }

  press(event) {
    if (event.button !== 0) return;
    this.from = this.xOf(event);
    byId('plot').setPointerCapture(event.pointerId);
  }

  /** Shows what a drag is about to zoom to. */
  stretch(x) {
    const { left, right, top, bottom } = this.chart.box;
    const ends = [this.from, x].map((end) => Math.max(left, Math.min(right, end))).sort((a, b) => a - b);
    this.box ??= this.chart.svg.appendChild(draw('rect', { class: 'stretch', y: top, height: bottom - top }));
    this.box.setAttribute('x', ends[0]);
    this.box.setAttribute('width', ends[1] - ends[0]);
    this.ends = ends;
    this.app.look(null);
  }

  release(event) {
    if (this.from === null) return;
    const ends = this.box && this.ends;
    this.stop();
    if (ends) {
      if (ends[1] - ends[0] > DRAG) this.app.zoomTo(ends.map((end) => this.chart.placeAt(end)));
    } else if (this.app.line.length) this.app.keep(this.designAt(this.xOf(event)));
  }

  stop() {
    this.box?.remove();
    [this.box, this.from] = [null, null];
  }

  /** Zooms round the chosen design where it is in sight, else round the middle. */
  zoomBy(factor, center = null) {
    const [from, to] = this.app.view;
    const chosen = this.app.scale.place(approximate(this.app.selected.area));
    const fixed = center ?? (chosen > from && chosen < to ? chosen : (from + to) / 2);
    this.app.zoomTo([fixed - (fixed - from) * factor, fixed + (to - fixed) * factor]);
  }

  /** A wheel alone scrolls the page, as everywhere. */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 0.8 : 1.25, this.chart.placeAt(this.xOf(event)));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { app } = this;
    const far = Math.max(2, Math.round(app.line.length / 20));
    const walks = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: far, PageDown: -far };
    const act = {
      Home: () => app.keep(app.line[0]),
      End: () => app.keep(app.line.at(-1)),
      '+': () => this.zoomBy(0.5),
      '=': () => this.zoomBy(0.5),
      '-': () => this.zoomBy(2),
      0: () => app.zoomTo([0, 1]),
      Escape: () => app.zoomTo([0, 1]),
    }[event.key] ?? (event.key in walks ? () => app.walk(walks[event.key]) : null);
    if (!act || !app.line.length) return;
    event.preventDefault();
    act();
  }
}

/** A view within the axis, not too narrow. */
function viewWithin([from, to]) {
  const width = Math.max(NARROWEST, Math.min(1, to - from));
  const start = Math.max(0, Math.min(1 - width, from));
  return [start, start + width];
}
