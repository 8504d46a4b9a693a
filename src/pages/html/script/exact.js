'use strict';

// Exact numbers: fractions { n, d } of BigInts, d above zero. Doubles are made of them for places on the screen alone.

function greatestDivisor(a, b) {
  a = a < 0n ? -a : a;
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

function fraction(n, d) {
  const divisor = greatestDivisor(n, d) || 1n;
  return { n: n / divisor, d: d / divisor };
}

const ZERO = { n: 0n, d: 1n };
const ONE = { n: 1n, d: 1n };

/** A decimal such as 12.5, or a fraction such as 1/3; null where the text is neither. */
function parsed(text) {
  const decimal = /^(\d{1,400})(?:\.(\d{1,400}))?$/.exec(text);
  if (decimal) {
    const places = decimal[2] ?? '';
    return fraction(BigInt(decimal[1] + places), 10n ** BigInt(places.length));
  }
  const quotient = /^(\d+)\/(\d+)$/.exec(text);
  return quotient && BigInt(quotient[2]) > 0n ? fraction(BigInt(quotient[1]), BigInt(quotient[2])) : null;
}

/** A number that may be negative. */
function signed(text) {
  const number = parsed(text.replace(/^-/, ''));
  return text.startsWith('-') ? { n: -number.n, d: number.d } : number;
}

const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const minus = (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
const over = (a, b) => fraction(a.n * b.d, a.d * b.n);
const isLess = (a, b) => a.n * b.d < b.n * a.d;
const isSame = (a, b) => a.n * b.d === b.n * a.d;

/** The nearest double, or almost. */
function approximate({ n, d }) {
  const digits = Math.max(n.toString(16).length, d.toString(16).length);
  if (digits <= 200) return Number(n) / Number(d);
  const scaled = Number((n << 1100n) / d);
  return Number.isFinite(scaled) ? scaled / 2 ** 550 / 2 ** 550 : Number(n / d);
}

/** Rounded to so many decimals, half away from zero. */
function rounded({ n, d }, places) {
  const negative = n < 0n;
  const scale = 10n ** BigInt(places);
  const digits = ((negative ? -n : n) * scale * 2n + d) / (d * 2n);
  const text = digits.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const sign = negative && digits > 0n ? '−' : '';
  return sign + (places ? `${whole}.${text.slice(-places)}` : whole);
}

/** The exact decimal where there is one, else a fraction. */
function exactly({ n, d }) {
  let [rest, twos, fives] = [d, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  if (rest !== 1n) return `${n}/${d}`.replace('-', '−');
  return rounded({ n, d }, Math.max(twos, fives));
}

/** The most decimals that a small number is shown with. */
const MOST_PLACES = 40;

/** Rounded to so many decimals, or to as many more as it takes for a number that is not 0 not to look like it. */
function perceptibly(number, places) {
  let enough = places;
  while (number.n !== 0n && enough < MOST_PLACES && !/[1-9]/.test(rounded(number, enough))) enough++;
  return rounded(number, enough === places ? places : enough + 1);
}

/** As it is, or about as much where the exact text is long. */
function shortly(number, places = 6) {
  const exact = exactly(number);
  return exact.length <= places + 8 && !exact.includes('/') ? exact : `≈\u00a0${perceptibly(number, places)}`;
}

/** A numerator and a denominator, in text. */
const ratio = ([n, d]) => ({ n: BigInt(n), d: BigInt(d) });
