// Elements are made one by one; text becomes text nodes, never markup.

const byId = (id) => document.getElementById(id);

/** Sets attributes and adds children; `style` is an object, which the page's policy allows. */
function fill(element, { style = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  Object.assign(element.style, style);
  element.append(...children.flat().filter((child) => child !== null && child !== ''));
  return element;
}

const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** Shows these words in an element, and hides it where there are none. */
function tell(id, words) {
  const parts = [words].flat().filter((part) => part !== '');
  byId(id).hidden = !parts.length;
  byId(id).replaceChildren(...parts);
}

/** A name of more letters takes several lines in a table. */
const LONG_NAME = 24;

/** A name of the user's, whose direction does not reach what stands beside it. */
function named(name, attributes = {}) {
  const text = shown(name);
  const whole = visible(name);
  // A table would set a long one in a column as narrow as its longest word.
  const kind = [attributes.class, text.length > LONG_NAME ? 'long' : ''].filter(Boolean).join(' ');
  return make('bdi', { ...attributes, class: kind || null, title: whole === text ? null : whole.slice(0, 2000) }, text);
}

function button(text, attributes, act) {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', act);
  return element;
}

/** Names with commas between them. */
const namedList = (names, attributes = () => ({})) => names.flatMap((name, at) => [at ? ', ' : '', named(name, attributes(name))]);

/** Words of less weight, such as that there is none. */
const quiet = (text) => make('span', { class: 'none' }, text);

/** A task and what it takes. */
const change = (tag, task, choice) =>
  make(tag, { class: 'change' }, named(task), make('span', { class: 'arrow' }, ' → '), choice === null ? 'software' : named(choice, { class: 'taken' }));

/** The first of a long list, and what is made of the number of the others. */
const fewOf = (list, most, others) => (list.length > most ? [...list.slice(0, most), others(list.length - most)] : list);

const wordOf = ({ word, kind }, size = '') => make('span', { class: `word ${size} ${kind}` }, word);

/** A bar of so much of the whole, from 0 to 1. */
function bar(share, kind) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return make('span', { class: 'bar-line', 'aria-hidden': 'true' }, make('span', { class: `bar-${kind}`, style: { width } }));
}

/** Fills a table. A column has a title, a kind, what it has of a row and, where the title alone would not do, a label that a
    narrow screen shows before each cell; the first column may be the heads of the rows. */
function fillTable(table, columns, rows, attributes = () => ({})) {
  const head = columns.map(({ title, kind = null }) =>
    make('th', { scope: 'col', class: kind }, kind === 'bars' ? make('span', { class: 'hidden' }, title) : title));
  const cell = (row, { title, kind = null, label = title, isHead, of }) => {
    const content = [of(row)].flat();
    return isHead ? make('th', { scope: 'row' }, ...content) : make('td', { class: kind, 'data-label': label }, ...content);
  };
  const body = rows.map((row) => make('tr', attributes(row), ...columns.map((column) => cell(row, column))));
  table.replaceChildren(make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

/** Draws again what may hold the focus; whoever stood on a button stands on the one of that name, or on the chart. */
function keepFocus(redraw) {
  const nameOf = (button) => button.getAttribute('aria-label') ?? button.textContent;
  const focus = document.activeElement;
  const part = focus.closest('table, #design');
  redraw();
  if (!part || focus.isConnected) return;
  const same = [...part.querySelectorAll('button:enabled')].find((button) => nameOf(button) === nameOf(focus));
  (same ?? byId('plot')).focus({ preventScroll: true });
}

/** Calls no more than once a frame. */
function oncePerFrame(act) {
  let waiting = 0;
  return () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      act();
    });
  };
}

/** Light, dark and printed colors; `redraw` is for what does not follow the style sheet. */
function connectColors(redraw) {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  const render = () => {
    const isDark = chosen ?? dark.matches;
    root.dataset.theme = isDark ? 'dark' : 'light';
    byId('theme').textContent = isDark ? 'Light' : 'Dark';
    byId('theme').setAttribute('aria-label', isDark ? 'Use light colors' : 'Use dark colors');
    redraw();
  };
  byId('theme').addEventListener('click', () => {
    chosen = !(chosen ?? dark.matches);
    render();
  });
  dark.addEventListener('change', render);
  for (const [when, isPaper] of [['beforeprint', true], ['afterprint', false]]) {
    addEventListener(when, () => {
      root.toggleAttribute('data-paper', isPaper);
      redraw();
    });
  }
  render();
}
