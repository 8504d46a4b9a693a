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
function limitWords({ sheet, isByMargin }) {
  if (isByMargin) return '1/margin = 1: the limit';
  if (sheet.limit === 'decides') return 'U = 1: the limit under EDF';
  if (sheet.limit === 'necessary') return 'U = 1: necessary, not enough';
  return 'U = 1: necessary';
}

/** An area with its unit. */
function areaWords({ resources }, area) {
  return `${exactly(area)} ${shown(resources.area_unit ?? resources.names[resources.objectives[0]])}`.trim();
}

/** What a design costs, in words. */
function costWords(report, cost) {
  const { names, area_unit } = report.resources;
  return area_unit === null ? names.map((_, resource) => `${report.name(resource)} ${shortly(cost[resource])}`).join(', ') : areaWords(report, cost[0]);
}

/** What is weighed: an area, or costs. */
const costWord = ({ resources }) => (resources.area_unit === null ? 'cost' : 'area');

/** What an axis or column of costs is called: an area with its unit, or the name of a resource. */
function costTitle({ resources }, resource) {
  if (resources.area_unit === null) return shown(resources.names[resource]);
  return resources.area_unit ? `Area in ${shown(resources.area_unit)}` : 'Area';
}

/** What vouches for the front, in a word or two and a sentence. What a file says of itself is told as that. */
function statusWords({ sheet }) {
  const { status, origin } = sheet;
  if (status === null) return ['not told', ''];
  const isSummed = origin.of !== 'front';
  if (origin.of === 'task set' || (isSummed && status !== 'proved')) return [status, STATUS[status] ?? ''];
  const why = status === 'proved' ? 'no certificate was given to check it by' : 'it was not checked against the task set';
  return [`${visible(status)}, as the file says`, why];
}

/** What the end of a front says, in the facts, beside the last design and where it comes from. */
function endWords({ sheet, isByMargin, resources }) {
  const why = sheet.larger_margins_unknown;
  if (why) {
    return {
      fact: ', larger ones are not known',
      next: `None here: larger margins are not known: ${visible(why)}.`,
      front: `not complete: larger margins are not known: ${visible(why)}`,
    };
  }
  const isArea = resources.area_unit !== null;
  if (sheet.complete) {
    const gain = isByMargin ? 'raises the margin' : 'lowers the utilization';
    return {
      fact: '',
      next: isByMargin ? 'None: no design has a larger margin.' : 'None: no design saves more.',
      front: `complete: no larger ${isArea ? 'area' : 'cost'} ${gain}`,
    };
  }
  return isArea
    ? { fact: ', the largest area explored', next: 'None here: the front stops at the largest area explored.', front: 'not complete: larger areas were not explored' }
    : { fact: ', within the limits', next: 'None here: the front stops at the limits.', front: 'all designs within the limits; larger costs were not explored' };
}

/** A clock in the largest unit of which it is at least one. */
function clockWords(hertz) {
  const exact = parsed(hertz);
  return exact ? fractionOfHertz(exact) : `${shown(hertz)} Hz`;
}

function fractionOfHertz(exact) {
  const units = [['GHz', 9n], ['MHz', 6n], ['kHz', 3n], ['Hz', 0n]];
  const [unit, power] = units.find(([, power]) => exact.n >= exact.d * 10n ** power) ?? units[3];
  // A narrow table must not break it.
  return `${shortly(over(exact, { n: 10n ** power, d: 1n }))}\u00a0${unit}`;
}

/** The verdict on a design: a word, a class for its color, and a sentence. */
function verdictOf(report, design) {
  const { sheet } = report;
  const other = report.resources.area_unit === null ? 'that costs no more' : 'of no more area';
  const slack = minus(ONE, design.utilization);
  if (slack.n < 0n) {
    const above = { n: -slack.n, d: slack.d };
    return { word: 'Not schedulable', kind: 'no', text: `The utilization is above 1, by ${shortly(above)}.` };
  }
  if (design.schedulable) return { word: 'Schedulable', kind: 'yes', text: reasonWords(sheet, slack) };
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

/** The verdict in the table of designs: with a star where the design fails and another of no more area does not. */
function shortVerdict(report, design) {
  const { kind } = verdictOf(report, design);
  return { kind, word: { yes: 'yes', no: design.schedulable_within ? 'no*' : 'no', open: '?' }[kind] };
}

function reasonWords({ limit, scheduler }, slack) {
  if (limit === 'decides') return `Slack 1 − U: ${shortly(slack)} of the processor is left.`;
  const unused = `${shortly(slack)} of the processor is left.`;
  if (limit === 'unknown') return `${unused} That all deadlines are met is what the front says.`;
  return scheduler === 'edf'
    ? `By the processor demand criterion; ${unused}`
    : `By exact response times; ${unused}`;
}

/** What a front weighs area against: the name of that, and its figure of a design. */
function measured({ isByMargin }, { margin, utilization }) {
  return isByMargin && margin ? ['margin', rounded(margin, 6)] : ['utilization', rounded(utilization, 6)];
}

/** How far all WCETs may grow, or null where nothing is known of it. */
function marginWords(report, design) {
  if (report.sheet.limit === 'decides') {
    return { factor: over(ONE, design.utilization), limit: 'the utilization passes 1' };
  }
  const margin = design.details?.margin;
  if (margin && !margin.why) return { factor: { n: BigInt(margin[0]), d: BigInt(margin[1]) }, limit: margin[2] };
  if (design.margin) return { factor: design.margin, limit: null };
  return margin ? { why: margin.why } : null;
}

/** The lowest clock at which a design is schedulable, in hertz as a fraction; null where nothing is known of it. */
function lowestClock(report, design) {
  const { clock, clocks, limit } = report.sheet;
  if (limit === 'decides' && clock) return times(parsed(clocks.length ? clocks[design.clock] : clock), design.utilization);
  return design.details?.clock ? parsed(design.details.clock) : null;
}

/** The answer in a sentence: words, a figure, words. */
function answerWords(report) {
  const { sheet, smallest, front } = report;
  if (smallest) {
    const at = ` Its utilization is ${rounded(smallest.utilization, 6)}.`;
    if (smallest.area.n === 0n) return ['Schedulable without additional area.', '', at];
    return [`The smallest schedulable ${costWord(report)} is `, areaWords(report, smallest.area), `.${at}`];
  }
  if (front.minimalAt.length) {
    const more = front.minimalAt.length > 1 ? `, or ${counted(front.minimalAt.length - 1, 'other minimal cost')}.` : '.';
    return ['Schedulable at ', costWords(report, report.design(front.minimalAt[0]).cost), more];
  }
  if (sheet.minimal_unknown !== null) {
    const what = report.hasOneObjective ? `The smallest schedulable ${costWord(report)}` : 'Whether a design is schedulable';
    return [`${what} is `, 'not known', `: ${visible(sheet.minimal_unknown)}.`];
  }
  const where = report.resources.area_unit === null ? 'the limits' : 'the area explored';
  return ['', 'No design', sheet.complete ? ' is schedulable.' : ` within ${where} is schedulable.`];
}

/** The smallest areas with a margin: text and figures in turns, or nothing where a front of an earlier version has none. */
function marginsWords(report) {
  const { margins, complete } = report.sheet;
  return margins.flatMap(({ margin, min_schedulable_area: area, min_schedulable_unknown: why }, at) => {
    const percent = exactly(over(parsed(margin), { n: 1n, d: 100n }));
    const before = at === 0 ? 'Smallest area with a margin of ' : ', ';
    const none = complete ? 'none' : 'none in the area explored';
    return [`${before}${percent} %: `, area !== null ? areaWords(report, parsed(area)) : why === null ? none : 'not known'];
  });
}

/** A design in a sentence, for screen readers. */
function spoken(report, design) {
  const place = {
    front: `Design ${design.index} (numbered 0 to ${report.front.count - 1})`,
    smallest: 'The smallest schedulable design',
    minimal: 'A minimal schedulable design',
    base: 'All in software',
  }[design.kind];
  const taken = report.sheet.tasks.flatMap((task, at) => {
    const choice = report.choiceOf(design, at);
    return choice ? [`${shown(task.name)} takes ${shown(choice.name)}`] : [];
  });
  const few = taken.length > 4 ? [...taken.slice(0, 3), `${taken.length - 3} more`] : taken;
  const choices = few.length ? listed(few) : 'all tasks in software';
  const critical = report.criticalName(design);
  const inMode = critical === undefined ? '' : ` in ${shown(critical)}`;
  const margin = design.margin ? `margin ${shortly(design.margin)}, ` : '';
  const variant = design.variant === null ? '' : `on ${shown(report.sheet.variants[design.variant])}, `;
  const figures = `${variant}${costWord(report)} ${costWords(report, design.cost)}, ${margin}utilization ${shortly(design.utilization)}${inMode}`;
  return `${place}: ${figures}, ${verdictOf(report, design).word.toLowerCase()}; ${choices}.`;
}
