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

/** Zooms round a place, else round the chosen design where it is in sight, else round the middle. */
function zoomBy(factor, center = null) {
  const [from, to] = app.view;
  const chosen = app.scale.place(app.selected.x);
  const fixed = center ?? (chosen > from && chosen < to ? chosen : (from + to) / 2);
  app.zoomTo([fixed - (fixed - from) * factor, fixed + (to - fixed) * factor]);
}

/** The design whose step is under a place of the chart, or whose corner is nearest. */
function designUnder(chart, x) {
  const { line } = app;
  const last = chart.lastAt(chart.placeAt(x));
  const [before, after] = [line[Math.max(0, last)], line[Math.min(line.length - 1, last + 1)]];
  const distance = (design) => Math.abs(chart.x(design.x) - x);
  return distance(after) < 5 && distance(after) < distance(before) ? after : before;
}

const showWhole = () => app.zoomTo([0, 1]);

function connectPointer(chart) {
  const plot = byId('plot');
  // Where a press began, and what a drag from there is about to zoom to.
  let [from, ends, box] = [null, null, null];
  const xOf = (event) => {
    const bounds = chart.svg.getBoundingClientRect();
    return ((event.clientX - bounds.left) / bounds.width) * chart.box.width;
  };
  const stop = () => {
    box?.remove();
    [from, ends, box] = [null, null, null];
  };
  const stretch = (x) => {
    const { left, right, top, bottom } = chart.box;
    ends = [from, x].map((end) => Math.max(left, Math.min(right, end))).sort((a, b) => a - b);
    box ??= chart.svg.appendChild(draw('rect', { class: 'stretch', y: top, height: bottom - top }));
    fill(box, { x: ends[0], width: ends[1] - ends[0] }, []);
    app.look(null);
  };
  plot.addEventListener('pointermove', (event) => {
    const x = xOf(event);
    if (from !== null && Math.abs(x - from) > DRAG && event.pointerType === 'mouse') stretch(x);
    else if (!box && app.line.length) app.look(designUnder(chart, x));
  });
  plot.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    from = xOf(event);
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener('pointerup', (event) => {
    const [isPressed, dragged] = [from !== null, ends];
    stop();
    if (dragged && dragged[1] - dragged[0] > DRAG) app.zoomTo(dragged.map((end) => chart.placeAt(end)));
    else if (isPressed && !dragged && app.line.length) app.keep(designUnder(chart, xOf(event)));
  });
  plot.addEventListener('pointercancel', stop);
  plot.addEventListener('pointerleave', () => from === null && app.look(null));
  plot.addEventListener('dblclick', showWhole);
  // A wheel alone scrolls the page, as everywhere.
  plot.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 0.8 : 1.25, chart.placeAt(xOf(event)));
  }, { passive: false });
}

function connectKeys() {
  const far = () => Math.max(2, Math.round(app.line.length / 20));
  const [on, back] = [() => app.walk(1), () => app.walk(-1)];
  const [closer, away] = [() => zoomBy(0.5), () => zoomBy(2)];
  const acts = {
    ArrowRight: on, ArrowUp: on, ArrowLeft: back, ArrowDown: back,
    PageUp: () => app.walk(far()), PageDown: () => app.walk(-far()),
    Home: () => app.keep(app.line[0]), End: () => app.keep(app.line.at(-1)),
    '+': closer, '=': closer, '-': away, 0: showWhole, Escape: showWhole,
  };
  byId('plot').addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !app.line.length || !Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });
  for (const [id, act] of [['zoom-in', closer], ['zoom-out', away], ['zoom-reset', showWhole]]) byId(id).addEventListener('click', act);
}
