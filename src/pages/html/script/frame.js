// What stands once and stays: title, answer, facts, margins, notes, origin, and what the page leaves out.

/** The parts of every page. */
function renderFrame(sheet, answer, facts, made) {
  const { document, origin, description } = sheet;
  tell('title', named(sheet.title));
  const isOther = sheet.title === document.taskset ? '' : `Task set ${shown(document.taskset)}. `;
  const about = `${isOther}${visible(description ?? '')}`.trim();
  tell('about', about && folded(about));
  tell('what-if', document.what_if?.length ? `What if: ${document.what_if.map(visible).join('; ')}` : '');
  tell('answer', answer);
  tell('facts', facts.map(([label, value, more]) =>
    make('div', {}, make('dt', {}, label), make('dd', {}, make('strong', {}, value), make('span', {}, more ?? '')))));
  byId('notes-section').hidden = !origin.notes.length;
  tell('notes', origin.notes.map((note) => make('li', {}, folded(visible(note)))));
  const rows = [
    ['Made by', visible(origin.program)],
    ...(origin.command ? [['Command', make('code', {}, visible(origin.command))]] : []),
    ...origin.inputs.map((input) => ['Input', ...fileWords(input)]),
    ...made,
  ];
  tell('origin', rows.flatMap(([term, ...text]) => [make('dt', {}, term), make('dd', {}, ...text)]));
}

/** A long text behind its beginning. */
function folded(text) {
  if (text.length <= 420) return text;
  const cut = text.lastIndexOf(' ', 220);
  const end = cut > 80 ? cut : 220;
  return make('details', {}, make('summary', {}, `${text.slice(0, end)} …`), `… ${text.slice(end).trim()}`);
}

const fileWords = ({ name, sha256 }) => [named(name), make('span', { class: 'hash' }, ' SHA-256 ', make('code', {}, visible(sha256)))];

const schedulerRow = (name) => ['Scheduler', SCHEDULERS[name] ?? 'not stated'];

/** The parts of the page of a front. */
function renderFront() {
  const { hasOneObjective, isByMargin, names, objectives } = report;
  const what = report.areaUnit === null ? listed(objectives.map((resource) => report.name(resource))) : 'Area';
  tell('front-title', `${what} against ${isByMargin ? 'margin' : 'utilization'}`);
  if (isByMargin) byId('plot-help').append(' The picture shows 1/margin: at most 1 is schedulable, and the lower, the longer the WCETs may be.');
  if (!hasOneObjective) {
    const limited = names.filter((_, resource) => !objectives.includes(resource)).map(shown);
    byId('plot-help').append(` Move a slider: the design of least utilization within all budgets is shown.${limited.length ? ` ${listed(limited)}: only limited, so without a slider.` : ''}`);
    tell('designs-title', 'Designs within the budgets');
  }
  byId('sorting').hidden = hasOneObjective;
  const [before, figure, after] = answerWords();
  renderFrame(report.sheet, [before, figure ? make('strong', {}, figure) : '', after], facts(), frontRows());
  tell('margins', marginsWords().map((words, at) => (at % 2 ? make('strong', {}, words) : words)));
  renderModeAreas();
  tell('thinned', thinnedWords());
}

function facts() {
  const { base } = report;
  const last = report.last();
  const [name, figure] = measured(base);
  return [
    ['All in software', figure, `${name}, ${verdictWord(base)}`],
    [report.isByMargin ? 'Largest margin' : 'Least utilization', measured(last)[1], `at ${costWords(last.cost)}${endWords().fact}`],
    ['Designs', grouped(report.count), 'on the exact Pareto front'],
    ['Status', ...statusWords()],
  ];
}

/** How a front was made. */
function frontRows() {
  const { sheet: { origin }, document: { scheduler, engine, status } } = report;
  const rows = [schedulerRow(scheduler), ['Status', statusWords().filter(Boolean).join(': ')]];
  if (engine) {
    const { ran_on, arithmetic, why } = engine;
    rows.push(['Engine', visible([ran_on, arithmetic].filter(Boolean).join(', ') + (why ? `: ${why}` : ''))]);
  }
  if (origin.certificate) rows.push(['Certificate', ...fileWords(origin.certificate)]);
  else if (status === 'proved' && origin.of === 'task set') rows.push(['Certificate', 'made and checked, not kept or not named here']);
  const has = {
    'task set': 'the exploration itself',
    front: 'a front.json alone: execution times, deadlines, response times and areas of choices and blocks are not in it',
    'front and task set': 'a front.json and its task set, solved again: the points are those of the set, and every area and utilization here was summed again',
    'front and sums': 'a front.json and its task set: every area and utilization here was summed again; whether a point is missing was not checked',
  };
  const margins = report.isByMargin && origin.of === 'front and sums' ? '; margins were computed again for some designs only' : '';
  return [...rows, ['Front', endWords().front], ['Made of', `${has[origin.of] ?? ''}${margins}`]];
}

/** What some of the modes cost without the others. */
function renderModeAreas() {
  const areas = report.document.mode_areas ?? [];
  byId('modes-section').hidden = !areas.length;
  const all = report.smallest?.area ?? ZERO;
  const columns = [
    { title: 'Modes', isHead: true, of: ({ modes }) => namedList(modes) },
    {
      title: costTitle(report.objectives[0]), kind: 'number',
      of: ({ min_schedulable_area: area, min_schedulable_unknown: why }) => (area !== null ? exactly(parsed(area)) : why === null ? 'none' : `not known: ${visible(why)}`),
    },
    {
      title: 'Area as a bar', kind: 'bars',
      of: ({ min_schedulable_area: area }) => (area !== null && all.n > 0n ? bar(approximate(over(parsed(area), all)), 'after') : ''),
    },
  ];
  fillTable(byId('modes'), columns, areas);
}

/** What the page leaves out of a long front. */
function thinnedWords() {
  const { count, kept, stride, around, front, sheet } = report;
  if (kept === count) return '';
  // The places of the front around which it has every design, as far as there are such.
  const isSchedulable = front.some(({ schedulable }) => schedulable);
  const fits = !report.isByMargin && !isLess(ONE, front.at(-1).utilization);
  const places = sheet.limit === 'decides'
    ? [isSchedulable ? 'where the set becomes schedulable' : '']
    : [fits ? 'where the utilization falls to 1' : '', isSchedulable ? 'the first schedulable one' : ''];
  const limits = report.hasOneObjective ? places.filter(Boolean) : [];
  const near = limits.length ? ` the ${around} on both sides of ${listed(limits)},` : '';
  return `Of the ${grouped(count)} designs of the front ${grouped(kept)} are in this page: one in ${grouped(stride)},${near} ` +
    (report.hasOneObjective
      ? 'and the last. The curve leads from one of these to the next; what lies between is at most as high.'
      : 'and all minimal schedulable ones: the best design here within budgets may have a little more utilization than the best of the front, which “isx show --within” finds.');
}
