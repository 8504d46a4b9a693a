// Elements are made one by one; text becomes text nodes, never markup.

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== ''));
  return element;
}

const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

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

/** A bar of so much of the whole, from 0 to 1. */
function bar(share, kind) {
  const inner = make('span', { class: `bar-${kind}` });
  inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return make('span', { class: 'bar-line', 'aria-hidden': 'true' }, inner);
}

/** A color of the page's style. */
const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls no more than once a frame. */
function oncePerFrame(act) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}

/** Light, dark and printed colors; `changed` and `printed` draw again what does not follow the style sheet. */
function connectColors(changed = () => {}, printed = () => {}) {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  const render = () => {
    byId('theme').textContent = isDark() ? 'Light' : 'Dark';
    byId('theme').setAttribute('aria-label', isDark() ? 'Use light colors' : 'Use dark colors');
    changed();
  };
  byId('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    render();
  });
  dark.addEventListener('change', render);
  const onPaper = (isPaper) => () => {
    root.toggleAttribute('data-paper', isPaper);
    printed();
  };
  addEventListener('beforeprint', onPaper(true));
  addEventListener('afterprint', onPaper(false));
  render();
}

/** Draws these parts anew where the room of the picture changes. */
function connectSize(parts) {
  let width = byId('plot').clientWidth;
  const resized = oncePerFrame(() => {
    if (byId('plot').clientWidth === width) return;
    width = byId('plot').clientWidth;
    parts.forEach((part) => part.render());
  });
  new ResizeObserver(resized).observe(byId('plot'));
}
