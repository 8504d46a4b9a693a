// Pointers and keys on the chart: point, keep, walk, zoom.

/** Pixels that a pointer moves before it is a drag. */
const DRAG = 6;

/** The narrowest view, as a part of the axis. */
const NARROWEST = 1e-7;

/** A view within the axis, not too narrow. */
function viewWithin([from, to]) {
  const width = Math.max(NARROWEST, Math.min(1, to - from));
  const start = Math.max(0, Math.min(1 - width, from));
  return [start, start + width];
}

class Pointing {
  constructor(chart) {
    Object.assign(this, { chart, from: null, box: null });
    const plot = byId('plot');
    const whole = () => app.zoomTo([0, 1]);
    plot.addEventListener('pointermove', (event) => this.move(event));
    plot.addEventListener('pointerdown', (event) => this.press(event));
    plot.addEventListener('pointerup', (event) => this.release(event));
    plot.addEventListener('pointercancel', () => this.stop());
    plot.addEventListener('pointerleave', () => this.from === null && app.look(null));
    plot.addEventListener('dblclick', whole);
    plot.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    const far = () => Math.max(2, Math.round(app.line.length / 20));
    const walk = (by) => () => app.walk(by());
    const [closer, away, on, back] = [() => this.zoomBy(0.5), () => this.zoomBy(2), walk(() => 1), walk(() => -1)];
    const acts = {
      ArrowRight: on, ArrowUp: on, ArrowLeft: back, ArrowDown: back, PageUp: walk(far), PageDown: walk(() => -far()),
      Home: () => app.keep(app.line[0]), End: () => app.keep(app.line.at(-1)),
      '+': closer, '=': closer, '-': away, 0: whole, Escape: whole,
    };
    plot.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !app.line.length || !Object.hasOwn(acts, event.key)) return;
      event.preventDefault();
      acts[event.key]();
    });
    for (const [id, act] of [['zoom-in', closer], ['zoom-out', away], ['zoom-reset', whole]]) byId(id).addEventListener('click', act);
  }

  xOf(event) {
    const bounds = this.chart.svg.getBoundingClientRect();
    return ((event.clientX - bounds.left) / bounds.width) * this.chart.box.width;
  }

  /** The design whose step is under a place of the chart, or whose corner is nearest. */
  designAt(x) {
    const { line } = app;
    const last = this.chart.lastAt(this.chart.placeAt(x));
    const [before, after] = [line[Math.max(0, last)], line[Math.min(line.length - 1, last + 1)]];
    const distance = (design) => Math.abs(this.chart.x(design.x) - x);
    return distance(after) < 5 && distance(after) < distance(before) ? after : before;
  }

  move(event) {
    const x = this.xOf(event);
    if (this.from !== null && Math.abs(x - this.from) > DRAG && event.pointerType === 'mouse') this.stretch(x);
    else if (!this.box && app.line.length) app.look(this.designAt(x));
  }

  press(event) {
    if (event.button !== 0) return;
    this.from = this.xOf(event);
    byId('plot').setPointerCapture(event.pointerId);
  }

  /** Shows what a drag is about to zoom to. */
  stretch(x) {
    const { left, right, top, bottom } = this.chart.box;
    this.ends = [this.from, x].map((end) => Math.max(left, Math.min(right, end))).sort((a, b) => a - b);
    this.box ??= this.chart.svg.appendChild(draw('rect', { class: 'stretch', y: top, height: bottom - top }));
    fill(this.box, { x: this.ends[0], width: this.ends[1] - this.ends[0] }, []);
    app.look(null);
  }

  release(event) {
    if (this.from === null) return;
    const ends = this.box && this.ends;
    this.stop();
    if (!ends) {
      if (app.line.length) app.keep(this.designAt(this.xOf(event)));
    } else if (ends[1] - ends[0] > DRAG) app.zoomTo(ends.map((end) => this.chart.placeAt(end)));
  }

  stop() {
    this.box?.remove();
    [this.box, this.from] = [null, null];
  }

  /** Zooms round the chosen design where it is in sight, else round the middle. */
  zoomBy(factor, center = null) {
    const [from, to] = app.view;
    const chosen = app.scale.place(app.selected.x);
    const fixed = center ?? (chosen > from && chosen < to ? chosen : (from + to) / 2);
    app.zoomTo([fixed - (fixed - from) * factor, fixed + (to - fixed) * factor]);
  }

  /** A wheel alone scrolls the page, as everywhere. */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 0.8 : 1.25, this.chart.placeAt(this.xOf(event)));
  }
}
