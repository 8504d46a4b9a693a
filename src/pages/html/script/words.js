// What the page says in words.

const HIDDEN =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\u00ad\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu;

/** Text in which what is invisible or turns the line round is written out. */
function visible(text) {
  return text.replace(HIDDEN, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

const LONGEST_NAME = 120;

/** A name for the screen. */
function shown(name) {
  const text = visible(name);
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
}

const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const STATUS = {
  proved: 'a certificate shows that no design is missing and none can be better',
  checked: 'every design was summed again from its choices',
};

const SCHEDULERS = {
  edf: 'EDF (earliest deadline first)',
  rm: 'fixed priorities, rate-monotonic',
  dm: 'fixed priorities, deadline-monotonic',
  fixed: 'fixed priorities, as given',
};

/** What a utilization of 1 means, for the line in the chart. */
function limitWords() {
  if (report.isByMargin) return '1/margin = 1: the limit';
  return { decides: 'U = 1: the limit under EDF', necessary: 'U = 1: necessary, not enough', unknown: 'U = 1: necessary' }[report.sheet.limit];
}

/** An area with its unit. */
const areaWords = (area) => `${exactly(area)} ${shown(report.areaUnit ?? report.names[report.objectives[0]])}`.trim();

/** What a design costs, in words. */
function costWords(cost) {
  if (report.areaUnit !== null) return areaWords(cost[0]);
  return report.names.map((_, resource) => `${report.name(resource)} ${shortly(cost[resource])}`).join(', ');
}

/** What is weighed: an area, or costs; what costs no more than another; and what there is to weigh within. */
const costWord = () => (report.areaUnit === null ? 'cost' : 'area');
const noMoreWords = () => (report.areaUnit === null ? 'that costs no more' : 'of no more area');
const exploredWords = () => (report.areaUnit === null ? 'the limits' : 'the area explored');

/** What an axis or column of costs is called: an area with its unit, or the name of a resource. */
function costTitle(resource) {
  const { areaUnit } = report;
  if (areaUnit === null) return report.name(resource);
  return areaUnit ? `Area in ${shown(areaUnit)}` : 'Area';
}

/** What vouches for the front, in a word or two and a sentence. What a file says of itself is marked as its own claim. */
function statusWords() {
  const { sheet: { origin }, document: { status = null } } = report;
  if (status === null) return ['not stated', ''];
  const isSummed = origin.of !== 'front';
  if (origin.of === 'task set' || (isSummed && status !== 'proved')) return [status, STATUS[status] ?? ''];
  const why = status === 'proved' ? 'no certificate was given to check it by' : 'it was not checked against the task set';
  return [`${visible(status)}, as the file says`, why];
}

/** What the end of a front says, in the facts, beside the last design and where it comes from. */
function endWords() {
  const { document, isByMargin, areaUnit } = report;
  if (document.larger_margins_unknown) {
    const why = `larger margins are not known: ${visible(document.larger_margins_unknown)}`;
    return { fact: ', larger ones are not known', next: `None here: ${why}.`, front: `not complete: ${why}` };
  }
  if (document.complete) {
    const gain = isByMargin ? 'raises the margin' : 'lowers the utilization';
    return {
      fact: '',
      next: isByMargin ? 'None: no design has a larger margin.' : 'None: no design saves more.',
      front: `complete: no larger ${costWord()} ${gain}`,
    };
  }
  return areaUnit !== null
    ? { fact: ', the largest area explored', next: 'None here: the front stops at the largest area explored.', front: 'not complete: larger areas were not explored' }
    : { fact: ', within the limits', next: 'None here: the front stops at the limits.', front: 'all designs within the limits; larger costs were not explored' };
}

/** A clock of so many hertz, in the largest unit of which it is at least one. */
function hertzWords(hertz) {
  const units = [['GHz', 9n], ['MHz', 6n], ['kHz', 3n], ['Hz', 0n]];
  const [unit, power] = units.find(([, power]) => hertz.n >= hertz.d * 10n ** power) ?? units.at(-1);
  // A narrow table must not break it.
  return `${shortly(over(hertz, { n: 10n ** power, d: 1n }))}\u00a0${unit}`;
}

/** A clock as the document has it. */
const clockWords = (text) => (parsed(text) ? hertzWords(parsed(text)) : `${shown(text)} Hz`);

/** The verdict on a design: a word, a class for its color, and a sentence. */
function verdictOf(design) {
  const other = noMoreWords();
  const slack = minus(ONE, design.utilization);
  if (slack.n < 0n) return { word: 'Not schedulable', kind: 'no', text: `The utilization is above 1, by ${shortly(minus(ZERO, slack))}.` };
  if (design.schedulable) return { word: 'Schedulable', kind: 'yes', text: reasonWords(shortly(slack)) };
  const isBought = design.schedulable_within === true ? `, another ${other} is schedulable` : '';
  if (design.schedulable === null) {
    const text = isBought ? `This design was not decided${isBought}.` : 'Whether this design is schedulable was not decided.';
    return { word: 'Undecided', kind: 'open', text };
  }
  const none = design.schedulable_within === false
    ? `, and so does every other ${other}`
    : `; whether another ${other} is schedulable is not known`;
  return { word: 'Not schedulable', kind: 'no', text: `This design misses a deadline${isBought || none}.` };
}

/** That word within a sentence. */
const verdictWord = (design) => verdictOf(design).word.toLowerCase();

/** The verdict in the table of designs: with a star where the design fails and another of no more area does not. */
function shortVerdict(design) {
  const { kind } = verdictOf(design);
  return { kind, word: { yes: 'yes', no: design.schedulable_within ? 'no*' : 'no', open: '?' }[kind] };
}

function reasonWords(slack) {
  const { limit } = report.sheet;
  const unused = `${slack} of the processor is left.`;
  if (limit === 'decides') return `Slack 1 − U: ${unused}`;
  if (limit === 'unknown') return `${unused} That all deadlines are met is what the front says.`;
  return report.document.scheduler === 'edf'
    ? `By the processor demand criterion; ${unused}`
    : `By exact response times; ${unused}`;
}

/** What a front weighs area against: the name of that, and its figure of a design. */
function measured({ margin, utilization }) {
  return report.isByMargin && margin ? ['margin', rounded(margin, 6)] : ['utilization', rounded(utilization, 6)];
}

/** How far all WCETs may grow, or null where nothing is known of it. */
function marginWords({ utilization, details, margin }) {
  if (report.sheet.limit === 'decides') return { factor: over(ONE, utilization), limit: 'the utilization passes 1' };
  if (details?.margin) {
    const reached = details.margin_reached === false ? ', at this factor too' : '';
    return { factor: ratio(details.margin), limit: `${details.margin_limit}${reached}` };
  }
  if (margin) return { factor: margin, limit: null };
  return details ? { why: details.margin_unknown } : null;
}

/** The lowest clock at which a design is schedulable, in hertz as a fraction; null where nothing is known of it. */
function lowestClock({ clock, utilization, details }) {
  const { sheet } = report;
  if (sheet.limit === 'decides' && sheet.clock) return times(parsed(clock ?? sheet.clock), utilization);
  return details?.lowest_clock_hz ? parsed(details.lowest_clock_hz) : null;
}

/** The answer in a sentence: words, a figure, words. */
function answerWords() {
  const { document, smallest, minimal } = report;
  if (smallest) {
    const at = ` Its utilization is ${rounded(smallest.utilization, 6)}.`;
    if (smallest.area.n === 0n) return ['Schedulable without additional area.', '', at];
    return [`The smallest schedulable ${costWord()} is `, areaWords(smallest.area), `.${at}`];
  }
  if (minimal.length) {
    const more = minimal.length > 1 ? `, or ${counted(minimal.length - 1, 'other minimal cost')}.` : '.';
    return ['Schedulable at ', costWords(minimal[0].cost), more];
  }
  const why = document.min_schedulable_unknown;
  if (why !== null) {
    const what = report.hasOneObjective ? `The smallest schedulable ${costWord()}` : 'Whether a design is schedulable';
    return [`${what} is `, 'not known', `: ${visible(why)}.`];
  }
  return ['', 'No design', document.complete ? ' is schedulable.' : ` within ${exploredWords()} is schedulable.`];
}

/** The smallest areas with a margin: text and figures in turns, or nothing where a front of an earlier version has none. */
function marginsWords() {
  const { margins = [], complete } = report.document;
  return margins.flatMap(({ margin, min_schedulable_area: area, min_schedulable_unknown: why }, at) => {
    const percent = exactly(times(parsed(margin), { n: 100n, d: 1n }));
    const before = at === 0 ? 'Smallest area with a margin of ' : ', ';
    const none = complete ? 'none' : 'none in the area explored';
    return [`${before}${percent} %: `, area !== null ? areaWords(parsed(area)) : why === null ? none : 'not known'];
  });
}

/** Which of the designs one is. */
function placeWords({ kind, index }) {
  return {
    front: `Design ${grouped(index ?? 0)} (numbered 0 to ${grouped(report.count - 1)})`,
    smallest: 'Smallest schedulable design',
    minimal: 'A minimal schedulable design',
    base: 'All in software',
  }[kind];
}

/** A design in a sentence, for screen readers. */
function spoken(design) {
  const { tasks } = report.sheet;
  const taken = design.choices.flatMap((choice, at) => (choice === null ? [] : [`${shown(tasks[at].name)} takes ${shown(choice)}`]));
  const few = taken.length > 4 ? fewOf(taken, 3, (more) => `${more} more`) : taken;
  const inMode = design.critical === undefined ? '' : ` in ${shown(design.critical)}`;
  const margin = design.margin ? `margin ${shortly(design.margin)}, ` : '';
  const variant = design.variant === null ? '' : `on ${shown(design.variant)}, `;
  const figures = `${variant}${costWord()} ${costWords(design.cost)}, ${margin}utilization ${shortly(design.utilization)}${inMode}`;
  return `${placeWords(design)}: ${figures}, ${verdictWord(design)}; ${few.length ? listed(few) : 'all tasks in software'}.`;
}
