//! The verdict within an area budget, or for any area, as text and as JSON (schema `isx.verdict/1`).
//!
//! With several resources the schema is `isx.verdict/2`, without `area_unit` and `budget`, and `min_schedulable`, the list of the
//! minimal schedulable costs, is null if only the limits were asked about.

use crate::answers::document::{Document, in_modes};
use crate::answers::lines::List;
pub use crate::answers::lines::Options;
use crate::answers::partition;
use crate::answers::response::{self, Response};
use crate::answers::words::{self, fraction};
use isx_design::front::ChosenDesign;
use isx_design::schedulability::{BudgetVerdict, SmallestWithin, Verdict};
use isx_exact::quantity::Rational;
use isx_report::front::blocks::built_names;
use isx_report::front::clock;
use isx_report::front::costs::{self, Costs, Counted, Minimal};
use isx_report::front::fields::{Amount, Ratio, choices};
use isx_report::text::{columns, visible};
use num_traits::One;
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.verdict/1";
/// The schema's name for a task set with several resources.
pub const SCHEMA_OF_RESOURCES: &str = "isx.verdict/2";

/// Prints the verdict, the design behind it, its slack and the smallest schedulable area.
pub fn write_text(verdict: &BudgetVerdict, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let schedulable = verdict.verdict.is_schedulable();
    let (word, style) = words::verdict(schedulable, options.color);
    let name = visible(&verdict.task_set.name);
    let with = with(verdict);
    let under = format!("under {}", verdict.task_set.scheduler.abbreviation());
    let fits = options.brief || columns(&format!("{name}: {word} {under} {with}")) <= options.width;
    let gap = if fits { " " } else { "\n  " };
    let variant = verdict.task_set.variants.get(verdict.shown().design.variant).filter(|_| options.brief);
    let variant = variant.map_or_else(String::new, |variant| format!(", variant {}", visible(&variant.name)));
    writeln!(out, "{name}: {style}{word}{style:#} {under}{gap}{with}{variant}")?;
    if options.brief {
        return Ok(());
    }
    let (set, shown) = (&verdict.task_set, verdict.shown());
    let mut about = List::default();
    about.add("", capitalized(&verdict.reason()));
    let account = &verdict.account;
    let ran = format!("{}, {} arithmetic; {}", account.ran_on(), account.arithmetic, account.why);
    about.add_origin(&set.what_if, options.engine.then_some(ran));
    about.write_whole(options.width, out)?;
    writeln!(out)?;

    let mut list = List::new(19);
    list.add("least utilization", fraction(&verdict.least.design.utilization));
    if !is_least(verdict, &shown) {
        list.add("utilization shown", fraction(&shown.design.utilization));
    }
    list.add("slack", fraction(&(Rational::one() - &shown.design.utilization)));
    let resources = &set.resources;
    let (used, smallest) =
        if costs::is_area(resources) { ("area used", "smallest area") } else { ("cost", "minimal costs") };
    list.add(used, costs::in_words(&shown.design.cost, resources));
    list.nonempty("left", costs::left(resources, &shown.design.cost));
    for (at, cost) in minimal(verdict).into_iter().enumerate() {
        list.add(if at == 0 { smallest } else { "" }, cost);
    }
    list.some("variant", set.variants.get(shown.design.variant).map(|variant| visible(&variant.name)));
    list.add("choices", choices_line(verdict, &shown));
    if !set.blocks.is_empty() {
        let built = visible(&built_names(set, &shown.choices).join(", "));
        list.add("blocks", if built.is_empty() { "none".into() } else { built });
    }
    list.some("clock", verdict.clock_of(&shown).map(clock::in_words));
    let limit = if verdict.is_clock_reached { "" } else { ", not at it but at every higher one" };
    let lowest = verdict.lowest_clock.as_ref().map(|hertz| clock::least_in_words(hertz) + limit);
    list.some("lowest clock", lowest);
    for (mode, in_mode) in set.modes.iter().zip(&verdict.modes) {
        let schedulable = words::schedulable_in_words(in_mode.schedulable);
        list.add(
            format!("in {}", visible(mode)),
            format!("{}, {schedulable}", fraction(&in_mode.utilization)),
        );
    }
    list.write_whole(options.width, out)?;
    let responses = responses(verdict);
    if !responses.is_empty() {
        writeln!(out)?;
    }
    response::write_text(&responses, &verdict.task_set.shown_times(), options.width, out)
}

/// Whether a design is that of least utilization.
pub(super) fn is_least(verdict: &BudgetVerdict, chosen: &ChosenDesign) -> bool {
    let least = &verdict.least;
    (&chosen.choices, chosen.design.variant) == (&least.choices, least.design.variant)
}

fn responses(verdict: &BudgetVerdict) -> Vec<Response> {
    let times = verdict.response_times.as_deref().unwrap_or_default();
    Response::of_times(&verdict.task_set, verdict.formulation(), &verdict.shown().choices, times)
}

/// The minimal schedulable costs; `None` if only the limits were asked about.
pub(super) fn minimal_costs(verdict: &BudgetVerdict) -> Option<Vec<Vec<Rational>>> {
    match (&verdict.minimal, &verdict.smallest) {
        (Some(minimal), _) => Some(minimal.iter().map(|chosen| chosen.design.cost.clone()).collect()),
        (None, _) if !costs::is_area(&verdict.task_set.resources) => None,
        (None, SmallestWithin::At(area)) => Some(vec![vec![area.clone()]]),
        (None, SmallestWithin::None | SmallestWithin::Unknown(_)) => Some(Vec::new()),
    }
}

/// Within which costs a set is schedulable or not: `with area 300 NAND2`, `on iCE40UP5K: LUT 5280`.
fn with(verdict: &BudgetVerdict) -> String {
    let resources = &verdict.task_set.resources;
    let (area, with, any) = match costs::is_area(resources) {
        true => ("area ", "with", "with any area"),
        false => ("", "at", "at any cost"),
    };
    let limits = costs::limits_in_words(resources);
    let minimal = minimal_costs(verdict).unwrap_or_default();
    match (&resources.device, &verdict.budget, &verdict.verdict) {
        (Some(device), ..) if !limits.is_empty() => format!("on {}: {limits}", visible(device)),
        (None, ..) if !limits.is_empty() => format!("within {limits}"),
        (_, Some(budget), _) => {
            format!("{with} {area}{}", costs::in_words(std::slice::from_ref(budget), resources))
        }
        (_, None, Verdict::Schedulable { .. }) if !minimal.is_empty() => {
            format!("from {area}{} on", costs::some_in_words(&mut minimal.into_iter(), resources))
        }
        (_, None, Verdict::NotSchedulable { .. }) => any.to_owned(),
        _ => format!("{with} {area}{}", costs::in_words(&verdict.shown().design.cost, resources)),
    }
}

/// The minimal schedulable costs, as many as are listed, or why there is none.
fn minimal(verdict: &BudgetVerdict) -> Vec<String> {
    let resources = &verdict.task_set.resources;
    let Some(minimal) = minimal_costs(verdict) else { return Vec::new() };
    let mut costs: Vec<String> = minimal.iter().map(|cost| costs::in_words(cost, resources)).collect();
    if let Some(more) = costs.len().checked_sub(MOST_COSTS).filter(|&more| more > 1) {
        costs.truncate(MOST_COSTS);
        costs.push(format!("and {more} others; --json lists them"));
    }
    match &verdict.smallest {
        SmallestWithin::Unknown(_) if !costs::is_area(resources) => {
            costs.push("others are not known".to_owned());
        }
        // Usually the verdict has the same reason, and has already printed it.
        SmallestWithin::Unknown(why) if verdict.reason().ends_with(why.as_str()) => {
            costs.push("unknown".into())
        }
        SmallestWithin::Unknown(why) => costs.push(format!("unknown: {why}")),
        SmallestWithin::None => costs.push("none: no design is schedulable".into()),
        SmallestWithin::At(_) => {}
    }
    costs
}

/// Minimal costs that are listed.
const MOST_COSTS: usize = 12;

fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn choices_line(verdict: &BudgetVerdict, design: &ChosenDesign) -> String {
    let tasks = verdict.task_set.tasks.iter().zip(&design.choices);
    words::taken(tasks.map(|(task, &choice)| (task.name.as_str(), partition::choice(task, choice))))
}

/// Writes the verdict as one JSON object, with tasks in file order.
pub fn write_json(verdict: &BudgetVerdict, out: &mut dyn Write) -> io::Result<()> {
    let (set, shown) = (&verdict.task_set, verdict.shown());
    let (resources, design) = (&set.resources, &shown.design);
    let is_area = costs::is_area(resources);
    let schema = if is_area { SCHEMA } else { SCHEMA_OF_RESOURCES };
    let is_reached = verdict.is_clock_reached || verdict.lowest_clock.is_none();
    Document::new(schema, &set.name)
        .with(Counted::from(resources))
        // Null where an area was not limited.
        .some("budget", is_area.then(|| verdict.budget.as_ref().map(Amount::from)))
        .add("verdict", words::verdict_field(verdict.verdict.is_schedulable()))
        .add("reason", verdict.reason())
        .add("least_utilization", Ratio::from(&verdict.least.design.utilization))
        .with(Costs::new(resources, design.cost.clone()))
        .add("utilization", Ratio::from(&design.utilization))
        .add("schedulable", design.schedulable)
        .add("schedulable_within", design.schedulable_within)
        .add("slack", Ratio::from(&(Rational::one() - &design.utilization)))
        .with(Minimal::new(resources, minimal_costs(verdict).as_deref(), verdict.smallest_unknown()))
        .add("choices", choices(set, &shown.choices))
        .what_if(&set.what_if)
        .some("blocks", (!set.blocks.is_empty()).then(|| built_names(set, &shown.choices)))
        .some("variant", set.variants.get(design.variant).map(|variant| &variant.name))
        .with(in_modes(&set.modes, &verdict.modes))
        .some("clock_hz", verdict.clock_of(&shown).map(Amount::from))
        .some("lowest_clock_hz", verdict.lowest_clock.as_ref().map(Amount::from))
        .some("lowest_clock_reached", (!is_reached).then_some(false))
        .add("scheduler", set.scheduler.name())
        .add("ties", verdict.formulation().has_ties())
        .some("response_times", verdict.response_times.is_some().then(|| responses(verdict)))
        .write(out)
}
