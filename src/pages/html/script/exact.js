'use strict';

// Exact numbers: fractions { n, d } of BigInts in lowest terms, d above zero. Those of the document also have the nearest
// double x, by which most comparisons are decided. Doubles are otherwise for places on the screen alone.

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

/** A decimal such as -12.5, or a fraction such as 1/3; null where the text is neither. */
function parsed(text) {
  const found = /^(-?)(\d+)(?:\.(\d+)|\/(\d+))?$/.exec(text);
  if (!found) return null;
  const [, sign, whole, places = '', divisor = '1'] = found;
  const d = BigInt(divisor) * 10n ** BigInt(places.length);
  return d > 0n ? { ...fraction(BigInt(sign + whole + places), d), x: Number(text) } : null;
}

/** A number that the document has as numerator, denominator and nearest double. */
const ratio = ({ num, den, approx }) => ({ n: BigInt(num), d: BigInt(den), x: approx });

const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const minus = (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
const over = (a, b) => fraction(a.n * b.d, a.d * b.n);

/** Below 0 where a is less, above 0 where it is more. */
function compare(a, b) {
  const apart = a.x - b.x;
  if (apart) return apart;
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : Number(difference > 0n);
}

const isLess = (a, b) => compare(a, b) < 0;
const isSame = (a, b) => compare(a, b) === 0;
const least = (numbers) => numbers.reduce((least, number) => (isLess(number, least) ? number : least));
const most = (numbers) => numbers.reduce((most, number) => (isLess(most, number) ? number : most));

/** The nearest double, or almost. */
function approximate({ n, d, x }) {
  if (x) return x;
  // Doubles end above 256 hexadecimal digits: what both have too many of says nothing of the quotient.
  const excess = Math.max(0, Math.min(n.toString(16).length, d.toString(16).length) - 200);
  return Number(n >> BigInt(4 * excess)) / Number(d >> BigInt(4 * excess));
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
