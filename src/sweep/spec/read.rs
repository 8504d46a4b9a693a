//! Reads a specification. Every error is reported at its place, with how to fix it.

use super::axis::{Axis, combinations, positions, values};
use super::canonical::{SCHEMA_NAME, text};
use super::definition::{Asked, MEASURES, Point, SETS_PER_CHUNK, SetFile, Spec};
use super::error::SweepError;
use super::files::{files_in, sha256};
use isx_design::schedulability::Limits;
use isx_exact::quantity::{Rational, format_decimal, parse_decimal, shortened};
use isx_taskset::document::{Field, Fields, Found, Keys, Node, Value, parse};
use isx_taskset::generate::{Checked, KEYS, KeyProblem, recipe_of};
use isx_taskset::recipe::TaskSetRecipe;
use isx_taskset::{Diagnostic, ReadError, Scheduler, Source, printable};
use num_traits::{ToPrimitive, Zero};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

const SPEC_KEYS: &Keys = &Keys {
    of: "a sweep",
    names: &[
        "schema",
        "seed",
        "sets_per_point",
        "grid",
        "paired",
        "recipe",
        "files",
        "measure",
        "budgets",
        "steps",
    ],
};
const RECIPE_KEYS: &Keys = &Keys { of: "a recipe", names: KEYS };
/// The keys that do not change the random numbers.
const PAIRED_KEYS: &Keys = &Keys { of: "`paired`", names: &["scheduler", "switch"] };
const FILE_KEYS: &Keys = &Keys { of: "a file", names: &["path", "sha256"] };

/// Keys that are drawn after the priorities: with `fixed` and without it they differ.
const AFTER_PRIORITIES: [&str; 4] = ["resources", "jitter", "blocking", "nonpreemptive"];

/// The most combinations of paired values, points, and sets of each.
const MOST_PAIRS: u64 = 100;
const MOST_POINTS: u64 = 10_000;
const MOST_SETS: u64 = 1_000_000_000;

/// The most chunks: a listing of their folder takes some ten seconds.
const MOST_CHUNKS: u64 = 10_000_000;

pub fn read(name: &str, bytes: &[u8], folder: &Path) -> Result<Spec, SweepError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(SweepError::Asked(format!("{}: the file is empty: it holds no sweep", printable(name))));
    }
    let refused = |problem| ReadError::File { file: printable(name), problem };
    let source = Arc::new(Source::decode(name, bytes.to_vec()).map_err(refused)?);
    let invalid = |error: Box<Diagnostic>| ReadError::Invalid { diagnostics: vec![*error], omitted: 0 };
    let root = parse(&source).map_err(invalid)?;
    let nothing = || SweepError::Asked(format!("{}: the file holds only comments", printable(name)));
    let root = root.ok_or_else(nothing)?;
    let reader = Reader { source: &source, folder };
    Ok(reader.spec(&root).map_err(invalid)?)
}

impl Reader<'_> {
    fn spec(&self, root: &Node<'_>) -> Found<Spec> {
        let fields = Fields::new(self.source, root, "the sweep".to_owned(), SPEC_KEYS)?;
        let schema =
            fields.required("schema").map_err(|error| error.help(format!("add `schema: {SCHEMA_NAME}`")))?;
        if schema.text("a schema")? != SCHEMA_NAME {
            let message = format!("the schema is `{}`", shortened(schema.text("a schema")?));
            return Err(schema.refused(message).label(format!("expected `{SCHEMA_NAME}`")));
        }
        let paired = self.axes(&fields, "paired", PAIRED_KEYS)?;
        if combinations(&paired) > MOST_PAIRS {
            let field = fields.required("paired")?;
            return Err(field.error("has more than 100 combinations").label("take fewer values"));
        }
        let asked = self.asked(&fields)?;
        let spec = Spec { paired, asked, ..Spec::default() };
        let spec = match fields.get_filled("files") {
            Some(files) => self.of_files(spec, &fields, files)?,
            None => self.drawn(spec, &fields)?,
        };
        let text = text(&spec);
        Ok(Spec { sha256: sha256(text.as_bytes()), text, ..spec })
    }

    fn asked(&self, fields: &Fields<'_>) -> Found<Asked> {
        let mut asked = Asked { steps: Limits::default().steps / 10, ..Asked::default() };
        if let Some(field) = fields.get_filled("measure") {
            for node in field.list()? {
                let Some(at) = MEASURES.iter().position(|name| node.text() == Some(name)) else {
                    let message = match node.text() {
                        Some(text) => format!("`{}` is not a measure", shortened(text)),
                        None => "a measure is not a word".to_owned(),
                    };
                    let help =
                        format!("the measures are {}", MEASURES.map(|name| format!("`{name}`")).join(", "));
                    return Err(self.error(node.bytes.clone(), message).help(help));
                };
                let all = [
                    &mut asked.min_area,
                    &mut asked.least_utilization,
                    &mut asked.breakdown,
                    &mut asked.points,
                ];
                all.into_iter().nth(at).into_iter().for_each(|asked| *asked = true);
            }
        }
        if let Some(field) = fields.get_filled("budgets") {
            let (texts, places) = self.values(field, true)?;
            for (text, place) in texts.iter().zip(places) {
                let budget = parse_decimal(text).map_err(|problem| {
                    self.error(place, format!("{field}: {problem}")).label("expected an area")
                })?;
                asked.budgets.push(budget);
            }
        }
        if asked.budgets.is_empty() && asked.measures().is_empty() {
            let error = fields.missing("measure");
            return Err(error.help(format!("add `measure: [{}]`, or some of these", MEASURES.join(", "))));
        }
        if let Some(field) = fields.get_filled("steps") {
            asked.steps = self.whole(field, 1, u64::MAX)?;
        }
        Ok(asked)
    }

    /// The points of a grid.
    fn drawn(&self, spec: Spec, fields: &Fields<'_>) -> Found<Spec> {
        let paired = &spec.paired;
        let seed = self.whole(fields.required("seed")?, 0, u64::MAX)?;
        let sets_per_point = self.whole(fields.required("sets_per_point")?, 1, MOST_SETS)?;
        let grid = self.axes(fields, "grid", RECIPE_KEYS)?;
        let recipe_fields = fields.get_filled("recipe");
        let recipe_fields = recipe_fields
            .map(|field| Fields::new(self.source, field.node, "the recipe".to_owned(), RECIPE_KEYS))
            .transpose()?;
        let mut recipe: Vec<Axis> = Vec::new();
        for field in recipe_fields.iter().flat_map(Fields::all) {
            let (values, places) = (vec![self.value(field.node)?], vec![field.place()]);
            recipe.push(Axis { key: field.key.to_owned(), values, places });
        }
        recipe.sort_by(|a, b| a.key.cmp(&b.key));
        self.refuse_twice(&grid.iter().chain(paired).chain(&recipe).collect::<Vec<_>>())?;
        let keys = grid.iter().chain(&recipe).map(|axis| axis.key.as_str());
        self.refuse_after_priorities(paired, &keys.collect::<Vec<_>>())?;
        let count = combinations(&grid);
        if count > MOST_POINTS {
            let field = fields.required("grid")?;
            return Err(field.error(format!("has {count} points")).label("up to 10000 are measured"));
        }
        let chunks = count.saturating_mul(sets_per_point.div_ceil(SETS_PER_CHUNK));
        if chunks > MOST_CHUNKS {
            let message = format!("makes {chunks} chunks of {SETS_PER_CHUNK} sets");
            return Err(fields
                .required("sets_per_point")?
                .error(message)
                .label("up to 10000000 are computed"));
        }
        let mut points = Vec::with_capacity(count as usize);
        for point in 0..count {
            points.push(self.point(seed, point, &grid, paired, &recipe, &fields.anchor)?);
        }
        Ok(Spec { seed, sets_per_point, grid, recipe, points, ..spec })
    }

    /// A point, with the recipe under each combination of paired values.
    fn point(
        &self,
        seed: u64,
        point: u64,
        grid: &[Axis],
        paired: &[Axis],
        recipe: &[Axis],
        whole: &Range<usize>,
    ) -> Found<Point> {
        let of_keys = values(grid, point).into_iter().chain(values(recipe, 0));
        let keys = grid.iter().chain(recipe).map(|axis| axis.key.as_str());
        let given: Vec<(&str, &str)> = keys.zip(of_keys).collect();
        let place = |key: &str, pair: u64| {
            let of_axes = |axes: &[Axis], combination: u64| {
                let mut values = axes.iter().zip(positions(axes, combination));
                values.find(|(axis, _)| axis.key == key).map(|(axis, at)| axis.places[at].clone())
            };
            let of_point = of_axes(grid, point).or_else(|| of_axes(paired, pair));
            of_point.or_else(|| of_axes(recipe, 0)).unwrap_or_else(|| whole.clone())
        };
        let refused = |KeyProblem { key, message }: KeyProblem, pair: u64| {
            let at = if combinations(grid) > 1 { format!(" at point {point}") } else { String::new() };
            self.error(place(&key, pair), format!("`{key}`{at}: {message}"))
        };
        let base = recipe_of(&given).map_err(|problem| refused(problem, 0))?;
        let one = "a sweep asks about one area and one mode";
        if !base.resources.is_empty() {
            let message = format!("{one}: its sets cannot cost several resources");
            return Err(self
                .error(place("resources", 0), message)
                .help("give `area` and `area_unit` instead"));
        }
        if base.modes > 1 {
            return Err(self.error(place("modes", 0), format!("{one}: its sets cannot have several modes")));
        }
        let flags = TaskSetRecipe { seed, ..base }.to_string();
        let with = |pair: u64| {
            let paired = paired.iter().map(|axis| axis.key.as_str()).zip(values(paired, pair));
            let given: Vec<(&str, &str)> = given.iter().copied().chain(paired).collect();
            recipe_of(&given).map_err(|problem| refused(problem, pair))
        };
        let checked = |recipe: TaskSetRecipe| {
            Checked::new(recipe).map_err(|error| self.error(whole.clone(), error.to_string()))
        };
        let recipes = (0..combinations(paired)).map(|pair| checked(with(pair)?)).collect::<Found<_>>()?;
        let seeds = Sha256::new_with_prefix(format!("{SCHEMA_NAME}\n{flags}\npoint {point}\n"));
        Ok(Point { flags, seeds, recipes })
    }

    /// Refuses a key that is given in two of grid, paired and recipe.
    fn refuse_twice(&self, all: &[&Axis]) -> Found<()> {
        for (at, Axis { key, places, .. }) in all.iter().enumerate() {
            if let Some(first) = all[..at].iter().find(|other| other.key == *key) {
                return Err(self
                    .error(places[0].clone(), format!("`{key}` is given twice"))
                    .label("given again here")
                    .also(first.places[0].clone(), "first given here")
                    .help("a key stands in one of `grid`, `paired` and `recipe`"));
            }
        }
        Ok(())
    }

    /// Refuses priorities under some paired schedulers alone, where what is drawn after them would differ.
    fn refuse_after_priorities(&self, paired: &[Axis], keys: &[&str]) -> Found<()> {
        let fixed = Scheduler::FixedPriority.name();
        let Some(axis) = paired.iter().find(|axis| axis.key == "scheduler") else { return Ok(()) };
        let at = axis.values.iter().position(|value| value == fixed);
        let after = AFTER_PRIORITIES.into_iter().find(|key| keys.contains(key));
        let (Some(at), Some(after)) = (at.filter(|_| axis.values.len() > 1), after) else {
            return Ok(());
        };
        let message =
            format!("with `{fixed}` the sets would differ in `{after}`, which is drawn after priorities");
        Err(self
            .error(axis.places[at].clone(), message)
            .help("pair the other schedulers, and make a sweep of its own for this one"))
    }

    /// The files of a sweep over files.
    fn of_files(&self, spec: Spec, fields: &Fields<'_>, field: Field<'_>) -> Found<Spec> {
        for key in ["seed", "sets_per_point", "grid", "recipe"] {
            if let Some(drawn) = fields.get(key) {
                return Err(drawn
                    .error("cannot be combined with `files`")
                    .label("this is about sets that are drawn")
                    .also(field.place(), "these sets are read")
                    .help("leave one of the two out"));
            }
        }
        let named = |key: &&str| spec.paired.iter().find(|axis| axis.key == *key);
        for axis in ["switch", "scheduler"].iter().filter_map(named) {
            for (value, place) in axis.values.iter().zip(&axis.places) {
                let problem = match axis.key.as_str() {
                    "scheduler" if Scheduler::named(value).is_none() => {
                        format!("{}: write edf, rm, dm or fixed", shortened(value))
                    }
                    "switch" => match parse_decimal(value) {
                        Err(problem) => problem.to_string(),
                        Ok(_) => continue,
                    },
                    _ => continue,
                };
                return Err(self.error(place.clone(), format!("`{}`: {problem}", axis.key)));
            }
        }
        let mut files = Vec::new();
        for node in field.list()? {
            if let Value::Map(_) = &node.value {
                let own = Fields::new(self.source, node, "the file".to_owned(), FILE_KEYS)?;
                let path = own.required("path")?.label()?;
                files.push(SetFile { path, sha256: own.required("sha256")?.label()? });
                continue;
            }
            let pattern = self.value(node)?;
            let named = files_in(self.folder, &pattern);
            let refused = |problem: String| self.error(node.bytes.clone(), problem);
            if named.is_empty() {
                return Err(refused(format!("no file is named `{}`", shortened(&pattern))).help(
                    "files are named from the folder of the specification; `*` stands for any characters",
                ));
            }
            for path in named {
                let bytes = std::fs::read(self.folder.join(&path));
                let bytes = bytes.map_err(|problem| refused(format!("`{}`: {problem}", shortened(&path))))?;
                files.push(SetFile { path, sha256: sha256(&bytes) });
            }
        }
        if files.is_empty() {
            return Err(field.error("is empty").label("expected names of files"));
        }
        let (sets_per_point, folder) = (files.len() as u64, self.folder.to_owned());
        Ok(Spec { sets_per_point, files, folder, points: vec![Point::default()], ..spec })
    }
}

/// Keys whose values are numbers, so that a range with a step is one of values.
const NUMBERS: [&str; 7] =
    ["tasks", "utilization", "max_task_utilization", "clock_mhz", "blocks", "core_area", "switch"];

/// The most values of a key.
const MOST_VALUES: usize = 10_000;

/// Reads a specification.
struct Reader<'s> {
    /// Its text.
    source: &'s Arc<Source>,
    /// Where its files are named from.
    folder: &'s Path,
}

impl Reader<'_> {
    fn error(&self, bytes: Range<usize>, message: String) -> Box<Diagnostic> {
        Diagnostic::error(self.source, bytes, message)
    }

    fn whole(&self, field: Field<'_>, least: u64, most: u64) -> Found<u64> {
        let number = field.text("a whole number")?.parse::<u64>().ok();
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let due = format!("expected a whole number from {least} to {most}");
            field.error("is not such a number").label(due)
        })
    }

    fn axes(&self, fields: &Fields<'_>, key: &str, keys: &Keys) -> Found<Vec<Axis>> {
        let Some(field) = fields.get_filled(key) else { return Ok(Vec::new()) };
        let axes = Fields::new(self.source, field.node, format!("`{key}`"), keys)?;
        let axis = |field: Field<'_>| {
            let (values, places) = self.values(field, NUMBERS.contains(&field.key))?;
            Ok(Axis { key: field.key.to_owned(), values, places })
        };
        axes.all().map(axis).collect()
    }

    /// The values of a key with their places: a list, or of numbers a range with a step.
    fn values(&self, field: Field<'_>, of_numbers: bool) -> Found<(Vec<String>, Vec<Range<usize>>)> {
        let example = if of_numbers { "`[1, 2, 4]` or `0.8..2.4/0.1`" } else { "`[a, b]`" };
        let Value::List(nodes) = &field.node.value else {
            let text = field.filled_text("a list of values")?;
            if !of_numbers || !text.contains("..") {
                return Err(field
                    .error("is not a list")
                    .label(format!("expected a list of values, such as {example}"))
                    .help("a key with one value stands in `recipe`"));
            }
            let texts = self.range(field, text)?;
            let places = vec![field.place(); texts.len()];
            return Ok((texts, places));
        };
        if nodes.is_empty() {
            return Err(field.error("is empty").label(format!("expected values, such as {example}")));
        }
        if nodes.len() > MOST_VALUES {
            return Err(field.error(format!("has {} values", nodes.len())).label("up to 10000 are measured"));
        }
        let (mut texts, mut places): (Vec<String>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for node in nodes {
            let mut text = self.value(node)?;
            if of_numbers && let Ok(number) = parse_decimal(&text) {
                text = format_decimal(&number);
            }
            if let Some(first) = texts.iter().position(|other| *other == text) {
                return Err(self
                    .error(node.bytes.clone(), format!("{field} has `{}` twice", shortened(&text)))
                    .label("given again here")
                    .also(places[first].clone(), "first given here"));
            }
            texts.push(text);
            places.push(node.bytes.clone());
        }
        Ok((texts, places))
    }

    /// The numbers of `LOW..HIGH/STEP`.
    fn range(&self, field: Field<'_>, text: &str) -> Found<Vec<String>> {
        let due =
            || field.error("is not a range of numbers").label("write LOW..HIGH/STEP, such as 0.8..2.4/0.1");
        let (low, rest) = text.split_once("..").ok_or_else(due)?;
        let (high, step) = rest.split_once('/').ok_or_else(due)?;
        let number = |text: &str| parse_decimal(text).map_err(|_| due());
        let (low, high, step) = (number(low)?, number(high)?, number(step)?);
        if step.is_zero() || low > high {
            return Err(due());
        }
        let steps: Rational = (&high - &low) / &step;
        if !steps.is_integer() {
            let message = format!("ends between two steps of {}", format_decimal(&step));
            let last = &low + steps.floor() * &step;
            let label = format!("the last step below is {}", format_decimal(&last));
            return Err(field.error(message).label(label));
        }
        let steps = steps.to_integer().to_usize().filter(|&steps| steps < MOST_VALUES);
        let steps =
            steps.ok_or_else(|| field.error("has more than 10000 values").label("take a larger step"))?;
        let value = |at: usize| format_decimal(&(&low + &step * Rational::from_integer(at.into())));
        Ok((0..=steps).map(value).collect())
    }

    /// A value: a scalar, or a list of them, as a flag has it with commas.
    fn value(&self, node: &Node<'_>) -> Found<String> {
        let items = match &node.value {
            Value::List(items) => items.iter().map(Node::text).collect::<Option<Vec<_>>>(),
            _ => node.text().map(|text| vec![text]),
        };
        let text = items.map(|items| items.join(",")).filter(|text| !text.trim().is_empty());
        let due = || {
            self.error(node.bytes.clone(), "a value is missing".to_owned())
                .label("expected a number or a word")
        };
        text.map(|text| text.trim().to_owned()).ok_or_else(due)
    }
}
