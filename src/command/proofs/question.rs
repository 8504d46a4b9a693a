//! The question that a certificate must answer, from the command line of `verify`.

use crate::arguments::set_capacity;
use crate::arguments::what_if::Changes;
use crate::failure::Failure;
use crate::files::{as_text, hexadecimal, parse_silently, read_beginning, unreadable, warn};
use clap::Args;
use isx_certificate::problem::{hash, of_division, of_knapsack, of_mckp, of_variants, refuse_long};
use isx_certificate::{About, Column, Kind, Limits};
use isx_exact::quantity::{Rational, format_decimal, parse_decimal};
use isx_explore::{ExploreError, refuse_area};
use isx_pages::proof;
use isx_problems::knapsack::text::{self as knapsack_text, KnapsackText};
use isx_problems::mckp::Choice;
use isx_problems::mckp::text::{self as mckp_text, MckpText};
use isx_problems::text::TextError;
use isx_taskset::formulate::{formulate, formulate_allowed};
use isx_taskset::{Resources, TaskSet};
use std::path::Path;

/// The flags that state the question; without them the question is that of the file.
#[derive(Args, Debug)]
#[command(next_help_heading = "Question")]
pub struct Question {
    /// Ask about this capacity of a mckp or knapsack problem instead of the file's
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    capacity: Option<String>,

    /// Ask about selections in which a class may give no item (mckp)
    #[arg(long)]
    optional: bool,

    /// Ask about the designs up to this area, as given to explore as --max-area or to check as --area
    #[arg(long, visible_alias = "area", value_name = "AREA", value_parser = parse_decimal, allow_negative_numbers = true)]
    max_area: Option<Rational>,

    /// Ask about the tasks divided among this many cores, as partition was [default: as the file says, or the certificate]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    cores: Option<u32>,

    #[command(flatten)]
    changes: Changes,
}

/// An input, read as the kind of problem that the certificate is about.
pub enum Input {
    TaskSet(Box<TaskSet>),
    Mckp(MckpText),
    Knapsack(KnapsackText),
}

/// What reading a file takes, as a multiple of its bytes: short numbers are the worst.
const READING: u64 = 32;

impl Question {
    /// Refuses flags for another kind of problem than the certificate's.
    pub fn fits(&self, about: &About) -> Result<(), String> {
        let kind = about.kind;
        let of_task_sets = self.max_area.is_some() || self.changes.are_any();
        let refused = match kind {
            Kind::TaskSet => [("--capacity", self.capacity.is_some()), ("--optional", self.optional)],
            Kind::Mckp { .. } => [("--max-area and the what-if flags", of_task_sets), ("", false)],
            Kind::Knapsack => {
                [("--max-area and the what-if flags", of_task_sets), ("--optional", self.optional)]
            }
        };
        let of_cores = match about.cores {
            Some(_) => ("--max-area", self.max_area.is_some()),
            None => ("--cores", self.cores.is_some()),
        };
        match refused.iter().chain([&of_cores]).find(|(_, given)| *given) {
            Some((flag, _)) => {
                let divided = if about.cores.is_some() { " divided among cores" } else { "" };
                Err(format!("the certificate is about {}{divided}; leave out {flag}", proof::kind(kind)))
            }
            None => Ok(()),
        }
    }

    /// Reads the input within the memory limit.
    pub fn read(&self, file: &Path, kind: Kind, limits: Limits) -> Result<Input, Failure> {
        let most = limits.memory / READING;
        let too_long = |why: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}: {why}; allow more with --max-memory", file.display()))
        };
        let bytes = read_beginning(file, most + 1)?;
        if bytes.len() as u64 > most {
            let why = format!(
                "it has more than {most} bytes, and reading a byte may take {READING} of the {} that are allowed",
                limits.memory
            );
            return Err(too_long(&why));
        }
        if kind == Kind::TaskSet {
            let reading = parse_silently(file, &bytes)?;
            warn(&reading);
            let set = self.changes.apply(reading.task_set)?;
            refuse_area(&set, self.max_area.is_some())?;
            refuse_long(&set, limits.memory).map_err(|long| too_long(&long))?;
            return Ok(Input::TaskSet(Box::new(set)));
        }
        let text = as_text(file, bytes)?;
        let wrong = |problem: TextError| unreadable(file, &problem);
        let mut input = match kind {
            Kind::Knapsack => Input::Knapsack(knapsack_text::parse(&text).map_err(wrong)?),
            _ => {
                let choice = if self.optional { Choice::Optional } else { Choice::ExactlyOne };
                Input::Mckp(mckp_text::parse(&text, choice).map_err(wrong)?)
            }
        };
        if let Some((capacity, places)) = input.capacity() {
            set_capacity(capacity, self.capacity.as_deref(), places)?;
        }
        Ok(input)
    }

    /// The SHA-256 of the requested problem if it is the certificate's; else how the two differ.
    pub fn hash(&self, mut input: Input, about: &About) -> Result<Result<[u8; 32], String>, Failure> {
        let asked = Asked::of(&input, self.max_area.as_ref(), self.cores(&input, about))?;
        if asked.hash == about.hash {
            return Ok(Ok(asked.hash));
        }
        let own = input.limits();
        let area = input.ask(about);
        // The certificate of a question about all areas does not say so where the set has variants: it is tried too.
        for area in [area.as_ref(), None] {
            // If this input cannot be asked the question, the certificate is about another input.
            let its = Asked::of(&input, area, cores_of(about)).ok();
            let Some(its) = its.filter(|its| its.hash == about.hash) else { continue };
            let way = match is_larger(&own, &input.limits()) {
                // Of a limit of the file and one of a flag the smaller counts, so no flag raises it.
                true => "give the limits with which it was written".into(),
                false => format!("{} asks the certificate's question", its.flags),
            };
            return Ok(Err(format!(
                "the certificate answers another question about this input: it is about {}, not about {}; {way}",
                its.words, asked.words
            )));
        }
        let [found, expected] = [about.hash, asked.hash].map(|hash| hexadecimal(&hash));
        Ok(Err(format!(
            "the certificate is about another input, or about this one with other flags: the SHA-256 of its problem \
             is {found}, of the input's {expected}"
        )))
    }

    /// The number of cores, if the certificate is about a division among some.
    fn cores(&self, input: &Input, about: &About) -> Option<u32> {
        let of_certificate = cores_of(about)?;
        let of_file = match input {
            Input::TaskSet(set) => set.cores.as_ref().and_then(|cores| cores.count),
            _ => None,
        };
        let of_file = of_file.filter(|(least, most)| least == most).map(|(count, _)| count);
        self.cores.or(of_file).or(Some(of_certificate))
    }

    /// The question, for reports.
    pub fn stated(&self, input: &Input) -> proof::Question {
        let mut question = proof::Question {
            max_area: self.max_area.as_ref().map(format_decimal),
            changes: self.changes.given(),
            value_places: 0,
            weight_places: 0,
            resources: None,
            variants: Vec::new(),
        };
        match input {
            Input::TaskSet(set) => {
                question.resources = set.named_resources().cloned();
                question.variants = set.variants.iter().map(|variant| variant.name.clone()).collect();
            }
            Input::Mckp(text) => {
                (question.value_places, question.weight_places) = (text.value_places, text.weight_places);
            }
            Input::Knapsack(text) => {
                (question.value_places, question.weight_places) = (text.profit_places, text.weight_places);
            }
        }
        question
    }
}

impl Input {
    /// The limits of the resources; none with one area.
    fn limits(&self) -> Vec<Option<Rational>> {
        match self {
            Self::TaskSet(set) => set.resources.limits.clone(),
            _ => Vec::new(),
        }
    }

    /// The capacity of a problem that has one, and the number of decimals of its weights.
    fn capacity(&mut self) -> Option<(&mut u64, u32)> {
        match self {
            Self::TaskSet(_) => None,
            Self::Mckp(text) => Some((&mut text.problem.capacity, text.weight_places)),
            Self::Knapsack(text) => Some((&mut text.problem.capacity, text.weight_places)),
        }
    }

    /// Changes the problem to the certificate's question, if the certificate is about this input; for a task set that
    /// is an area.
    fn ask(&mut self, about: &About) -> Option<Rational> {
        let asked = &about.resources;
        if let Some((capacity, _)) = self.capacity() {
            *capacity = asked.columns[0].limit;
        }
        match self {
            Self::TaskSet(set) if set.is_one_area() => return asked.columns.first().map(cost),
            Self::TaskSet(set) if asked.is_possible => {
                let own = &mut set.resources;
                own.objectives = asked.columns[..asked.objectives].iter().map(|c| c.number).collect();
                own.limits = vec![None; own.names.len()];
                for column in &asked.columns {
                    if let Some(limit) = own.limits.get_mut(column.number) {
                        *limit = Some(cost(column));
                    }
                }
            }
            Self::Mckp(text) => {
                let optional = matches!(about.kind, Kind::Mckp { optional: true });
                text.problem.choice = if optional { Choice::Optional } else { Choice::ExactlyOne };
            }
            Self::TaskSet(_) | Self::Knapsack(_) => {}
        }
        None
    }
}

/// The number of cores that a certificate is about.
fn cores_of(about: &About) -> Option<u32> {
    // A set has fewer cores.
    about.cores.map(|cores| u32::try_from(cores).unwrap_or(u32::MAX))
}

/// Whether one of these limits is larger than the input's own.
fn is_larger(own: &[Option<Rational>], its: &[Option<Rational>]) -> bool {
    let is_larger = |(own, its): (&Option<Rational>, &Option<Rational>)| {
        own.as_ref().is_some_and(|own| its.as_ref().is_none_or(|its| its > own))
    };
    own.iter().zip(its).any(is_larger)
}

/// The largest cost that a certificate is about, in a resource's own unit.
fn cost(column: &Column) -> Rational {
    let (numerator, denominator) = column.cost(column.limit);
    Rational::new(numerator, denominator.into())
}

/// A question about an input.
struct Asked {
    hash: [u8; 32],
    words: String,
    /// The flags that ask it.
    flags: String,
}

impl Asked {
    fn of(input: &Input, max_area: Option<&Rational>, cores: Option<u32>) -> Result<Self, Failure> {
        let (problem, words, flags) = match (input, cores) {
            (Input::TaskSet(set), Some(cores)) => {
                let joined = set.joined();
                let set = joined.as_ref().map_or(&**set, |joined| &joined.task_set);
                let formulation = formulate(set, None).map_err(ExploreError::from)?;
                let words = format!("{cores} core{}", if cores == 1 { "" } else { "s" });
                (of_division(set, &formulation, cores), words, format!("--cores {cores}"))
            }
            (Input::TaskSet(set), None) => {
                let problem = of_variants(&formulate_allowed(set, max_area).map_err(ExploreError::from)?);
                if let Some(resources) = set.named_resources() {
                    let (words, flags) = of_resources(resources);
                    return Ok(Self { hash: hash(&problem), words, flags });
                }
                match max_area.map(format_decimal) {
                    Some(area) => (problem, format!("areas up to {area}"), format!("--max-area {area}")),
                    None => (problem, "all areas".into(), "leaving out --max-area".into()),
                }
            }
            (Input::Mckp(text), _) => {
                let capacity = proof::scaled(&text.problem.capacity.into(), text.weight_places);
                let (choice, flag) = match text.problem.choice {
                    Choice::Optional => ("optional choice", " --optional"),
                    Choice::ExactlyOne => ("exactly one item per class", ""),
                };
                let words = format!("capacity {capacity} with {choice}");
                (of_mckp(&text.problem), words, format!("--capacity {capacity}{flag}"))
            }
            (Input::Knapsack(text), _) => {
                let capacity = proof::scaled(&text.problem.capacity.into(), text.weight_places);
                let words = format!("capacity {capacity}");
                (of_knapsack(&text.problem), words, format!("--capacity {capacity}"))
            }
        };
        Ok(Self { hash: hash(&problem), words, flags })
    }
}

/// The question about several resources, in words and as flags.
fn of_resources(resources: &Resources) -> (String, String) {
    let objectives = resources.objectives.iter().filter_map(|&at| Some(resources.names.get(at)?.as_str()));
    let objectives = objectives.collect::<Vec<_>>().join(",");
    let limits = resources.limits_in_words();
    let limits = limits.map_or("without limits".into(), |limits| format!("within {limits}"));
    let words = format!("the front of {} {limits}", objectives.replace(',', ", "));
    let within = resources.names.iter().zip(&resources.limits);
    let within =
        within.filter_map(|(name, limit)| Some(format!("{name}={}", format_decimal(limit.as_ref()?))));
    let within = within.collect::<Vec<_>>().join(",");
    let within = if within.is_empty() { String::new() } else { format!(" --within {within}") };
    (words, format!("--objectives {objectives}{within}"))
}
