//! A schedule: a row per task, what the processor does as bars along the time, releases and deadlines as arrows.

use super::paint::{
    Anchor, Canvas, Ink, MARGIN, Paint, Rect, STRONG, SUBTITLE, Scale, Spread, TICK, WIDTH, cut_to_width,
    draw_across, draw_titles, text_width,
};
use crate::answers::words::{SOFTWARE, assignment};
use isx_design::schedulability::schedule::{Activity, Job, Schedule, Segment};
use isx_exact::quantity::{Rational, approx};
use isx_report::text::visible;
use isx_taskset::formulate::{Formulation, Policy};
use isx_taskset::{ShownUnit, TaskSet};
use num_bigint::BigInt;

/// The maximum number of jobs drawn.
const MOST_JOBS: usize = 200;
const LEFT: f64 = 160.0;
const RIGHT: f64 = WIDTH - MARGIN - 10.0;
/// Height of a row.
const ROW: f64 = 46.0;
/// Height of an arrow.
const ARROW: f64 = 30.0;
/// Height of a bar.
const BAR: f64 = 17.0;
/// Distance of two hatching lines.
const HATCH: f64 = 5.0;

/// A design whose schedule is drawn.
#[derive(Clone, Copy)]
pub struct Scheduled<'a> {
    /// Its set.
    pub set: &'a TaskSet,
    /// The formulation of the set or, if it has several modes, of the mode with this name.
    pub formulation: &'a Formulation,
    /// The name of the mode.
    pub mode: Option<&'a str>,
    /// What each task takes.
    pub choices: &'a [Option<u32>],
}

/// Draws a schedule of a design and returns an SVG document. Of a schedule with more than some hundred jobs the last ones
/// are drawn.
pub fn draw_gantt(schedule: &Schedule, design: &Scheduled) -> String {
    let gantt = Gantt::new(schedule, design);
    let notes = gantt.notes();
    let top = 128.0 + 18.0 * notes.len() as f64;
    let bottom = top + ROW * gantt.rows.len() as f64 + 12.0;
    let mut canvas = Canvas::new(WIDTH, bottom + 62.0);
    let title = match design.mode {
        Some(mode) => visible(&format!("{}, mode {mode}", design.set.name)),
        None => visible(&design.set.name),
    };
    let summary = gantt.summary();
    draw_titles(&mut canvas, &title, &summary, WIDTH);
    for (line, note) in notes.iter().enumerate() {
        let note = cut_to_width(note, SUBTITLE.size, WIDTH - 2.0 * MARGIN);
        canvas.text(&note, (MARGIN, 72.0 + 18.0 * line as f64), Anchor::Start, SUBTITLE, Ink::Quiet);
    }
    gantt.draw_legend(&mut canvas, top - 50.0);
    let frame = Rect { left: LEFT, top, right: RIGHT, bottom };
    let along = match gantt.unit.name() {
        "" => "time".to_owned(),
        unit => format!("time in {unit}"),
    };
    draw_across(&mut canvas, frame, (&gantt.scale.ticks(0), &[]), &along, true);
    for (row, &task) in gantt.rows.iter().enumerate() {
        gantt.draw_row(&mut canvas, row, task, top + ROW * (row as f64 + 1.0));
    }
    gantt.draw_deadline(&mut canvas, top, bottom);
    let notes: String = notes.iter().map(|note| format!(" {note}.")).collect();
    canvas.into_document(
        &title,
        &format!(
            "{summary}.{notes} A row per task; bars are what the processor does, arrows up releases, arrows down deadlines."
        ),
    )
}

/// What is drawn, and where.
struct Gantt<'a> {
    schedule: &'a Schedule,
    design: &'a Scheduled<'a>,
    unit: ShownUnit,
    scale: Scale,
    /// The jobs drawn are those not finished by this time.
    from: i128,
    /// The jobs drawn, and their number among those of their task, counted from 1.
    jobs: Vec<(usize, usize)>,
    /// The tasks drawn.
    rows: Vec<usize>,
}

impl<'a> Gantt<'a> {
    fn new(schedule: &'a Schedule, design: &'a Scheduled<'a>) -> Self {
        let Schedule { jobs, end, .. } = schedule;
        let mut ends: Vec<i128> = jobs.iter().map(|job| job.finish.unwrap_or(*end)).collect();
        isx_exact::order::sort(&mut ends);
        let from = jobs.len().checked_sub(MOST_JOBS + 1).map_or(i128::MIN, |last| ends[last]);
        let mut counts = vec![0; design.set.tasks.len()];
        let mut drawn = Vec::new();
        for (at, job) in jobs.iter().enumerate() {
            counts[job.task] += 1;
            if job.finish.unwrap_or(*end) > from || at == schedule.decisive {
                drawn.push((at, counts[job.task]));
            }
        }
        let has_job = |task: &usize| drawn.iter().any(|&(at, _)| jobs[at].task == *task);
        let rows = schedule.tasks.iter().copied().filter(has_job).collect();
        let first = jobs.iter().map(|job| job.arrival).min().unwrap_or(0).min(0).max(from);
        let unit = design.set.shown_times();
        let scale = |range| Scale::new(Spread::Linear, range, (LEFT, RIGHT));
        let mut gantt =
            Self { schedule, design, unit, scale: scale((0.0, 1.0)), from: first, jobs: drawn, rows };
        let low = gantt.value(first);
        // A schedule that ends where it begins, at time 0, has no length.
        let high = gantt.value(*end).max(low + gantt.value(1));
        gantt.scale = scale((low, high + (high - low) / 50.0));
        gantt
    }

    fn time(&self, units: i128) -> Rational {
        Rational::from(BigInt::from(units)) * &self.design.formulation.time_unit
    }

    fn value(&self, units: i128) -> f64 {
        approx(&self.unit.value(&self.time(units)))
    }

    fn in_words(&self, units: i128) -> String {
        self.unit.in_words(&self.time(units))
    }

    fn x(&self, units: i128) -> f64 {
        self.scale.pixel(self.value(units))
    }

    fn name(&self, task: usize) -> String {
        self.design.set.tasks.get(task).map(|task| visible(&task.name)).unwrap_or_default()
    }

    fn ink(row: usize) -> Ink {
        Ink::Level((row % 4 * 2) as u8)
    }

    /// What the schedule shows, as a sentence.
    fn summary(&self) -> String {
        let schedule = self.schedule;
        let decisive = &schedule.jobs[schedule.decisive];
        let (name, due) = (self.name(decisive.task), self.in_words(decisive.due));
        let waits = schedule.segments.iter().any(|segment| segment.activity != Activity::Running);
        let work = if waits { "work and waiting" } else { "work" };
        let summary = match (schedule.missing, schedule.demand.map(|demand| self.in_words(demand))) {
            (Some(_), Some(demand)) => {
                format!("{name} misses its deadline at {due}, by which {demand} of {work} are due")
            }
            (Some(left), None) => {
                let left = self.in_words(left);
                format!("{name} misses its deadline at {due}, when {left} of its work are left")
            }
            (None, Some(demand)) => {
                format!("every deadline is met; nearest is {due}, by which {demand} of {work} are due")
            }
            (None, None) => {
                let response = self.in_words(decisive.finish.unwrap_or(decisive.due) - decisive.arrival);
                let within = self.in_words(decisive.due - decisive.arrival);
                format!("every deadline is met; {name} comes nearest: response {response} of {within}")
            }
        };
        format!("{}: {summary}", self.design.set.scheduler.abbreviation())
    }

    /// How the schedule begins, and what is left out.
    fn notes(&self) -> Vec<String> {
        let schedule = self.schedule;
        let is_fixed = matches!(self.design.formulation.policy, Policy::FixedPriority(_));
        let name = self.name(schedule.jobs[schedule.decisive].task);
        let which = if is_fixed {
            format!("{name} and all tasks of higher priority")
        } else {
            "all tasks".to_owned()
        };
        let has_jitter = schedule.jobs.iter().any(|job| job.arrival < 0);
        let jitter = if has_jitter { ", after their full jitter" } else { "" };
        let mut notes = vec![format!("Critical instant 0: {which} are released{jitter}")];
        let left_out = schedule.jobs.len() - self.jobs.len();
        if left_out > 0 {
            let from = self.in_words(self.from);
            notes.push(format!("Left out: the {left_out} jobs that are done by {from}"));
        }
        if schedule.is_one_of_many {
            notes.push(
                "Only the first deadlines were compared; all are met, and a later one may be nearer".into(),
            );
        }
        notes
    }

    fn draw_legend(&self, canvas: &mut Canvas, y: f64) {
        let mut x = MARGIN;
        let mut entry = |canvas: &mut Canvas, words: &str, draw: &dyn Fn(&mut Canvas, f64)| {
            draw(canvas, x);
            canvas.text(words, (x + 28.0, y), Anchor::Start, TICK, Ink::Quiet);
            x += 28.0 + text_width(words, TICK.size) + 14.0;
        };
        let swatch = |x: f64| Rect { left: x, top: y - 6.0, right: x + 22.0, bottom: y + 6.0 };
        let does = |activity| self.schedule.segments.iter().any(|segment| segment.activity == activity);
        for (activity, words) in [
            (Activity::Running, "runs"),
            (Activity::Uninterruptible, "keeps others waiting"),
            (Activity::Blocked, "blocked"),
        ] {
            if activity == Activity::Running || does(activity) {
                entry(canvas, words, &|canvas, x| fill(canvas, swatch(x), activity, Self::ink(0)));
            }
        }
        entry(canvas, "ready", &|canvas, x| canvas.line((x, y), (x + 22.0, y), 1.2, Ink::Quiet));
        entry(canvas, "release", &|canvas, x| arrow(canvas, x + 11.0, (y + 7.0, y - 7.0), 1.0, Ink::Axis));
        entry(canvas, "deadline", &|canvas, x| arrow(canvas, x + 11.0, (y - 7.0, y + 7.0), 1.0, Ink::Axis));
        if self.schedule.jobs.iter().any(|job| job.release > job.arrival) {
            entry(canvas, "jitter", &|canvas, x| jitter(canvas, (x, x + 22.0), y));
        }
    }

    fn draw_row(&self, canvas: &mut Canvas, row: usize, task: usize, base: f64) {
        let room = LEFT - MARGIN - 12.0;
        let name = cut_to_width(&self.name(task), STRONG.size * 1.12, room);
        canvas.text(&name, (MARGIN, base - 22.0), Anchor::Start, STRONG, Ink::Text);
        let choice = taken_by(self.design.set, task, self.design.choices);
        let choice = choice.unwrap_or_else(|| SOFTWARE.to_owned());
        let choice = cut_to_width(&choice, TICK.size, room);
        canvas.text(&choice, (MARGIN, base - 6.0), Anchor::Start, TICK, Ink::Quiet);
        canvas.line((LEFT, base), (RIGHT, base), 1.0, Ink::Axis);
        let own = || self.jobs.iter().filter(|(at, _)| self.schedule.jobs[*at].task == task);
        // Bars are drawn over the arrows of other jobs.
        own().for_each(|&(at, _)| self.draw_arrows(canvas, at, Self::ink(row), base));
        for &(at, number) in own() {
            let tooltip = self.tooltip(&self.schedule.jobs[at], number);
            canvas.titled(&tooltip, &mut |canvas| self.draw_bars(canvas, at, Self::ink(row), base));
        }
    }

    fn tooltip(&self, job: &Job, number: usize) -> String {
        let [arrival, release, due] = [job.arrival, job.release, job.due].map(|time| self.in_words(time));
        let released =
            if job.release > job.arrival { format!(", released {release}") } else { String::new() };
        let finish = job.finish.map(|finish| format!(", done {}", self.in_words(finish))).unwrap_or_default();
        format!("{}, job {number}: arrives {arrival}{released}{finish}, due {due}", self.name(job.task))
    }

    /// The releases and deadlines of a job, and the line from release to finish.
    fn draw_arrows(&self, canvas: &mut Canvas, at: usize, ink: Ink, base: f64) {
        let Schedule { jobs, end, decisive, .. } = self.schedule;
        let job = &jobs[at];
        // Arrows of short periods are smaller.
        let period = Rational::from(self.design.formulation.tasks[job.task].period.clone());
        let period = approx(&self.unit.value(&(period * &self.design.formulation.time_unit)));
        let size = ((self.scale.pixel(period) - self.scale.pixel(0.0)) / 9.0).min(1.0);
        let drawn = |time: i128| time >= self.from && time <= *end;
        let (from, to) = (self.x(job.release.max(self.from)), self.x(job.finish.unwrap_or(*end)));
        if to > from {
            canvas.line((from, base - BAR / 2.0), (to, base - BAR / 2.0), 1.2, ink);
        }
        if job.release > job.arrival && drawn(job.arrival) {
            jitter(canvas, (self.x(job.arrival), self.x(job.release)), base - ARROW + 6.0);
        }
        if drawn(job.release) {
            arrow(canvas, self.x(job.release), (base, base - ARROW), size, Ink::Axis);
        }
        if drawn(job.due) && at != *decisive {
            arrow(canvas, self.x(job.due), (base - ARROW, base), size, Ink::Axis);
        }
    }

    /// What the processor does for a job.
    fn draw_bars(&self, canvas: &mut Canvas, at: usize, ink: Ink, base: f64) {
        let Schedule { jobs, segments, decisive, .. } = self.schedule;
        for segment in segments.iter().filter(|segment| segment.job == at && segment.end > self.from) {
            let Segment { activity, start, end, .. } = *segment;
            let start = start.max(self.from);
            // What is done after the deadline that is missed has the color of the deadline.
            let due = if at == *decisive { jobs[at].due.clamp(start, end) } else { end };
            for (start, end, ink) in [(start, due, ink), (due, end, Ink::Bound)] {
                if end > start {
                    let (left, right) = (self.x(start), self.x(end));
                    let rect = Rect { left, top: base - BAR, right: right.max(left + 0.5), bottom: base };
                    fill(canvas, rect, activity, ink);
                }
            }
        }
    }

    /// The deadline that decides, through all rows.
    fn draw_deadline(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        let schedule = self.schedule;
        let job = &schedule.jobs[schedule.decisive];
        let (ink, words) = match schedule.missing {
            Some(_) => (Ink::Bound, "deadline missed"),
            None => (Ink::Text, "deadline that decides"),
        };
        let x = self.x(job.due);
        canvas.dashes((x, top - 8.0), (x, bottom), ink);
        if let Some(row) = self.rows.iter().position(|&task| task == job.task) {
            let base = top + ROW * (row as f64 + 1.0);
            arrow(canvas, x, (base - ARROW, base), 1.8, ink);
        }
        let words = format!("{words}: {}", self.in_words(job.due));
        let half = text_width(&words, STRONG.size * 1.12) / 2.0;
        let x = x.clamp(MARGIN + half, WIDTH - MARGIN - half);
        canvas.text(&words, (x, top - 20.0), Anchor::Middle, STRONG, ink);
    }
}

/// What a task takes, in words: its choice, or of each of its parts what that takes; `None` if all of it is software.
fn taken_by(set: &TaskSet, task: usize, choices: &[Option<u32>]) -> Option<String> {
    let choice = |row: usize| {
        let choice = set.tasks[row].choices.get((*choices.get(row)?)? as usize)?;
        Some(choice.name.as_str())
    };
    let parts = task + 1..task + 1 + set.parts_of(task).len();
    if parts.is_empty() {
        return choice(task).map(visible);
    }
    let taken = parts.filter_map(|row| {
        let (part, choice) = (set.tasks[row].part.as_ref()?, choice(row)?);
        Some(if part == choice { visible(part) } else { assignment(part, Some(choice)) })
    });
    let taken: Vec<String> = taken.collect();
    (!taken.is_empty()).then(|| taken.join(", "))
}

/// A bar: filled if the processor runs the job, hatched in light if that cannot be interrupted, in gray if the job waits.
fn fill(canvas: &mut Canvas, rect: Rect, activity: Activity, ink: Ink) {
    let (paint, lines) = match activity {
        Activity::Running => return canvas.rectangle(rect, Paint(ink, None)),
        Activity::Uninterruptible => (Paint(ink, None), Ink::Canvas),
        Activity::Blocked => (Paint(Ink::Canvas, Some((Ink::Quiet, 1.0))), Ink::Quiet),
    };
    canvas.rectangle(rect, paint);
    let height = rect.bottom - rect.top;
    let count = ((rect.right - rect.left + height) / HATCH) as usize;
    for line in 1..=count {
        // From the bottom at `from` to the top at `from + height`, cut at the sides.
        let from = rect.left - height + HATCH * line as f64;
        let (left, right) = (from.max(rect.left), (from + height).min(rect.right));
        if right > left {
            canvas.line(
                (left, rect.bottom - (left - from)),
                (right, rect.bottom - (right - from)),
                1.2,
                lines,
            );
        }
    }
}

/// An upright arrow to the second height; of size 1 its head is 7 pixels wide.
fn arrow(canvas: &mut Canvas, x: f64, (from, to): (f64, f64), size: f64, ink: Ink) {
    let back = to + if to < from { 6.0 * size } else { -6.0 * size };
    let half = 3.5 * size;
    canvas.path(&[(x, from), (x, to), (x - half, back), (x, to), (x + half, back)], 1.2 * size, ink);
}

/// From an arrival to the release.
fn jitter(canvas: &mut Canvas, (from, to): (f64, f64), y: f64) {
    canvas.line((from, y - 4.0), (from, y + 4.0), 1.2, Ink::Axis);
    canvas.dashes((from, y), (to, y), Ink::Axis);
}

#[cfg(test)]
mod tests {
    use super::super::tests::gallery::{legible, number};
    use super::*;
    use crate::testing::{task, taskset, whole};
    use isx_design::schedulability::{Effort, Limits, schedule};
    use isx_exact::sampling::Sampler;
    use isx_taskset::formulate::formulate;
    use isx_taskset::{KernelCosts, Lock, Nonpreemptive, Scheduler};

    fn drawn(set: &TaskSet) -> (Schedule, String) {
        let formulation = formulate(set, None).unwrap();
        let choices = vec![None; set.tasks.len()];
        let schedule = schedule(&formulation, &choices, &mut Effort::new(Limits::default())).unwrap();
        let design = Scheduled { set, formulation: &formulation, mode: None, choices: &choices };
        let svg = draw_gantt(&schedule, &design);
        (schedule, svg)
    }

    fn random(sampler: &mut Sampler) -> TaskSet {
        let count = sampler.uniform(1, 9);
        let mut within = |low: u64, high: u64| i64::try_from(sampler.uniform(low, high)).unwrap();
        let scheduler = [Scheduler::Edf, Scheduler::FixedPriority][within(0, 1) as usize];
        let tasks = (0..count).map(|at| {
            let period = [6, 10, 12, 15, 20, 30, 60][within(0, 6) as usize];
            let name = if at == 0 { "a <long> & name ".repeat(9) } else { format!("task {at}") };
            let mut task = task(&name, within(1, 1 + period as u64 / count), period, &[]);
            task = task.with_deadline(whole(within(period as u64 / 2, 3 * period as u64)));
            task.priority = Some(at as u32 / 2 + 1);
            if within(0, 1) == 1 {
                let [jitter, blocking, nonpreemptive] = [within(0, 1), within(0, 4), within(0, 9)].map(whole);
                let nonpreemptive =
                    if within(0, 4) == 0 { Nonpreemptive::All } else { Nonpreemptive::Part(nonpreemptive) };
                let jitter = if scheduler == Scheduler::Edf { whole(0) } else { jitter };
                let locks =
                    (0..within(0, 2)).map(|at| Lock { name: format!("bus {at}"), time: whole(within(1, 9)) });
                let locks = locks.collect();
                task.kernel = KernelCosts { jitter, blocking, nonpreemptive, locks };
            }
            task
        });
        let set = taskset("pump <&> ", tasks.collect());
        set.with_scheduler(scheduler).unwrap()
    }

    #[test]
    fn every_text_of_a_schedule_is_legible_and_the_picture_is_small() {
        let mut sampler = Sampler::new(27);
        let mut seen = [0, 0];
        for _ in 0..200 {
            let set = random(&mut sampler);
            let (schedule, svg) = drawn(&set);
            seen[usize::from(schedule.missing.is_some())] += 1;
            assert!(svg.len() < 300_000, "{}", svg.len());
            let texts = legible(&svg, "schedule");
            let word =
                if schedule.missing.is_some() { "deadline missed: " } else { "deadline that decides: " };
            assert_eq!(texts.iter().filter(|text| text.text.starts_with(word)).count(), 1, "{svg}");
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }

    #[test]
    fn bars_stand_where_the_schedule_has_them() {
        let set = taskset("two", vec![task("fir", 2, 4, &[]), task("iir", 3, 6, &[])]);
        let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
        let (_, svg) = drawn(&set);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let bars = document.descendants().filter(|node| {
            node.has_tag_name("rect") && node.parent().is_some_and(|group| group.has_tag_name("g"))
        });
        let color = |ink: &Ink| format!("{}", Paint(*ink, None));
        let inks = [Gantt::ink(0), Gantt::ink(1), Ink::Bound];
        let bars: Vec<(usize, f64, f64)> = bars
            .map(|bar| {
                let ink = format!("fill=\"{}\"", bar.attribute("fill").unwrap());
                let ink = inks.iter().position(|own| color(own) == ink).unwrap();
                // The axis goes from 0 to 7 and a fiftieth of it.
                let time = |x: f64| ((x - LEFT) / (RIGHT - LEFT) * 7.14 * 100.0).round() / 100.0;
                let left = number(&bar, "x");
                (ink, time(left), time(left + number(&bar, "width")))
            })
            .collect();
        let expected = [(0, 0.0, 2.0), (0, 4.0, 6.0), (1, 2.0, 4.0), (2, 6.0, 7.0)];
        assert_eq!(bars, expected);
        let titles: Vec<_> = document.descendants().filter(|node| node.has_tag_name("title")).collect();
        let titles: Vec<_> = titles.iter().filter_map(roxmltree::Node::text).collect();
        assert_eq!(
            titles,
            [
                "two",
                "fir, job 1: arrives 0, done 2, due 4",
                "fir, job 2: arrives 4, done 6, due 8",
                "iir, job 1: arrives 0, done 7, due 6",
                "iir, job 2: arrives 6, due 12",
            ]
        );
        let described = document.descendants().find(|node| node.has_tag_name("desc")).unwrap();
        assert_eq!(
            described.text().unwrap(),
            "RM: iir misses its deadline at 6, when 1 of its work are left. Critical instant 0: iir and all tasks of higher \
             priority are released. A row per task; bars are what the processor does, arrows up releases, arrows down deadlines."
        );
    }

    #[test]
    fn of_a_long_schedule_the_end_is_drawn() {
        let slow = task("slow", 1500, 2000, &[]);
        let set = taskset("long", vec![task("fast", 1, 4, &[]), slow]);
        let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
        let (schedule, svg) = drawn(&set);
        assert_eq!((schedule.jobs.len(), schedule.deadline(), schedule.missing), (503, 2000, None));
        assert!(svg.contains("Left out: the 303 jobs that are done by 1209<"), "{svg}");
        assert!(
            svg.contains("slow, job 1: arrives 0, done 2000, due 2000") && !svg.contains("fast, job 303:")
        );
        assert!(svg.contains("fast, job 304: arrives 1212, done 1213, due 1216"));
    }
}
