//! The fields of a front's document while it is read, every figure exact, and the head that is made from them.

use super::agree::Seen;
use super::fields::{Amount, InOrder, Ratio};
use super::head::SCHEMA;
use super::margins::{EngineWords, MarginWords, ModeAreaWords};
use super::number::parse;
use super::unreadable::PlotError;
use super::{Head, NamedTask, Number, Point};
use crate::text::cut;
use isx_design::schedulability::AtMargin;
use isx_taskset::{Resources, Scheduler};
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess};
use serde::{Deserialize, de};
use serde_json::Value;
use std::collections::HashMap;

/// A task, or a part of one: its name, and that of the part.
pub type RowName = (String, Option<String>);

/// Every task and part with the choice it takes, null for software; a task with parts takes none, and they follow it.
#[derive(Clone, Debug, Default)]
pub struct Choices(Vec<(RowName, Option<String>)>);

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut rows = Vec::new();
        let name = |of: &str, choice: Value| match choice {
            Value::Null => Ok(None),
            Value::String(name) => Ok(Some(name)),
            _ => Err(D::Error::custom(format!("the choice of `{}` is neither a name nor null", cut(of, 60)))),
        };
        for (task, choice) in InOrder::<Value>::deserialize(deserializer)?.0 {
            let parts = match choice {
                Value::Object(parts) if !parts.is_empty() => parts,
                choice => {
                    let choice = name(&task, choice)?;
                    rows.push(((task, None), choice));
                    continue;
                }
            };
            rows.push(((task.clone(), None), None));
            for (part, choice) in parts {
                let full = format!("{task}/{part}");
                let choice = name(&full, choice)?;
                rows.push(((full, Some(part)), choice));
            }
        }
        Ok(Self(rows))
    }
}

/// A point of a document; `C` are its choices, or what skips them.
#[derive(Clone, Debug, Deserialize)]
pub struct PointText<C> {
    cost: InOrder<Amount>,
    #[serde(default)]
    area: Option<Amount>,
    utilization: Ratio,
    #[serde(default)]
    margin: Option<Ratio>,
    #[serde(deserialize_with = "Option::deserialize")]
    schedulable: Option<bool>,
    #[serde(default)]
    schedulable_within: Option<bool>,
    choices: C,
    #[serde(default)]
    blocks: Option<Vec<String>>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    clock_hz: Option<String>,
    #[serde(default)]
    mode_utilization: InOrder<Ratio>,
}

/// A point with its choices.
pub type WholePoint = PointText<Choices>;

impl From<IgnoredAny> for Choices {
    fn from(_: IgnoredAny) -> Self {
        Self::default()
    }
}

/// Names and their indices, in order of appearance.
#[derive(Default)]
pub struct Names {
    order: Vec<String>,
    known: HashMap<String, u32>,
    last: u32,
}

impl Names {
    /// The index of a name.
    pub fn number(&mut self, name: &str) -> u32 {
        // Neighbors on a front are similar.
        if self.order.get(self.last as usize).is_some_and(|last| last == name) {
            return self.last;
        }
        self.last = match self.known.get(name) {
            Some(&at) => at,
            None => {
                let at = self.order.len() as u32;
                self.order.push(name.to_owned());
                self.known.insert(name.to_owned(), at);
                at
            }
        };
        self.last
    }
}

/// The names that the points of a document refer to.
#[derive(Default)]
pub struct Naming {
    pub resources: Vec<String>,
    pub tasks: Vec<(RowName, Names)>,
    pub has_blocks: bool,
    pub blocks: Names,
    pub variants: Names,
    pub modes: Vec<String>,
    pub clocks: Names,
}

impl Naming {
    /// The point with indices in place of its names, of which it has none if its choices were skipped.
    pub fn point<C: Into<Choices>>(&mut self, text: PointText<C>) -> Result<Point, String> {
        let amounts = text.cost.0.into_iter().map(|(name, Amount(amount))| (name, amount));
        let cost = in_order(amounts.collect(), &self.resources).ok_or_else(|| {
            let names: Vec<String> = self.resources.iter().map(|name| cut(name, 40)).collect();
            format!("`cost` must name each of {} once", names.join(", "))
        })?;
        if text.area.is_some_and(|Amount(area)| cost.first() != Some(&area)) {
            return Err("`area` is not the `cost`".into());
        }
        let modes = text.mode_utilization.0.into_iter().map(|(name, Ratio(utilization))| (name, utilization));
        let modes: Vec<(String, Number)> = modes.collect();
        if !modes.is_empty() && !modes.iter().map(|(name, _)| name).eq(&self.modes) {
            return Err("`mode_utilization` does not name each of `modes` once, in their order".into());
        }
        let mut point = Point {
            cost,
            utilization: text.utilization.0,
            margin: text.margin.map(|Ratio(margin)| margin),
            modes: modes.into_iter().map(|(_, utilization)| utilization).collect(),
            schedulable: text.schedulable,
            schedulable_within: text.schedulable_within,
            choices: self.choices(text.choices.into().0)?,
            ..Point::default()
        };
        if !point.choices.is_empty() {
            point.variant = text.variant.map(|name| self.variants.number(&name));
            point.clock = text.clock_hz.map(|hertz| self.clocks.number(&hertz));
            self.has_blocks |= text.blocks.is_some();
            let blocks = text.blocks.unwrap_or_default();
            point.blocks = blocks.iter().map(|name| self.blocks.number(name)).collect();
        }
        match point.critical_mode() {
            Some(critical) if point.modes[critical] != point.utilization => {
                Err("`utilization` is not the largest of `mode_utilization`".into())
            }
            _ => Ok(point),
        }
    }

    fn choices(&mut self, taken: Vec<(RowName, Option<String>)>) -> Result<Vec<Option<u32>>, String> {
        if taken.is_empty() {
            return Ok(Vec::new());
        }
        if self.tasks.is_empty() {
            self.tasks = taken.iter().map(|(task, _)| (task.clone(), Names::default())).collect();
        }
        if taken.len() != self.tasks.len() {
            return Err(format!("`choices` has {} tasks, not {}", taken.len(), self.tasks.len()));
        }
        let number =
            |((task, choice), (name, choices)): ((RowName, Option<String>), &mut (RowName, Names))| {
                if task != *name {
                    let (task, name) = (cut(&task.0, 60), cut(&name.0, 60));
                    return Err(format!("`choices` has a task `{task}` in the place of `{name}`"));
                }
                Ok(choice.map(|choice| choices.number(&choice)))
            };
        taken.into_iter().zip(&mut self.tasks).map(number).collect()
    }
}

/// The values in the order of these names, each of which is there once.
fn in_order<T>(mut values: Vec<(String, T)>, names: &[String]) -> Option<Vec<T>> {
    if !values.iter().map(|(name, _)| name).eq(names) {
        values.sort_by_key(|(name, _)| names.iter().position(|other| other == name));
    }
    let is_whole = values.iter().map(|(name, _)| name).eq(names);
    is_whole.then(|| values.into_iter().map(|(_, value)| value).collect())
}

/// Reads a field once. JSON permits duplicate names in an object, but of two lists of points neither is the front.
pub fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    if field.is_some() {
        return Err(twice(name));
    }
    *field = Some(map.next_value()?);
    Ok(())
}

pub fn twice<E: de::Error>(name: &str) -> E {
    E::custom(format!("the field `{name}` appears twice"))
}

/// Fields of a document, each read once.
macro_rules! fields {
    ($($name:ident: $type:ty,)*) => {
        /// What has been read of a document besides its points. An inner option is null.
        #[derive(Default)]
        pub struct Fields {
            $(pub $name: Option<$type>,)*
        }

        impl Fields {
            /// Reads the field of this name; one that is not of a front is passed over.
            pub fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
                match name {
                    $(stringify!($name) => once(&mut self.$name, name, map),)*
                    _ => map.next_value::<IgnoredAny>().map(drop),
                }
            }
        }
    };
}

fields! {
    schema: String,
    taskset: String,
    area_unit: String,
    resources: Vec<String>,
    objectives: Vec<String>,
    device: String,
    limits: InOrder<Amount>,
    modes: Vec<String>,
    scheduler: String,
    ties: bool,
    front: String,
    clock_hz: String,
    engine: EngineWords,
    what_if: Vec<String>,
    overruns: u32,
    base: WholePoint,
    min_schedulable_area: Option<Amount>,
    min_schedulable: Vec<InOrder<Amount>>,
    min_schedulable_designs: Vec<WholePoint>,
    min_schedulable_unknown: Option<String>,
    margins: Vec<MarginWords>,
    mode_areas: Vec<ModeAreaWords>,
    larger_margins_unknown: String,
    status: String,
    complete: bool,
}

impl Fields {
    /// The names and objectives to which points refer; their fields must precede the points.
    pub fn expect_points(&self) -> Result<(Naming, Seen), String> {
        let before = |name| format!("the field `{name}` must stand before the points");
        let resources = self.resources.as_ref().ok_or_else(|| before("resources"))?;
        let objectives = self.objectives.as_ref().ok_or_else(|| before("objectives"))?;
        let position = |name: &String| resources.iter().position(|other| other == name);
        let at: Option<Vec<usize>> = objectives.iter().map(position).collect();
        let unique = |names: &[String]| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        let Some(at) = at.filter(|at| !at.is_empty() && unique(resources) && unique(objectives)) else {
            return Err("`objectives` must be some of `resources`, each once".into());
        };
        let by_margin = match self.front.as_deref() {
            None => false,
            Some("margin") => true,
            Some(_) => return Err("`front` is not margin".into()),
        };
        let modes = self.modes.clone().unwrap_or_default();
        let naming = Naming { resources: resources.clone(), modes, ..Naming::default() };
        Ok((naming, Seen::new(by_margin, self.area_unit.is_some(), at)))
    }

    /// A head that has what decides which columns a table of the points has; `base` shows which names points refer to.
    #[cfg(feature = "parquet")]
    pub fn shape(&self, naming: &Naming, by_margin: bool) -> Head {
        let has = |is_there: fn(&WholePoint) -> bool| self.base.as_ref().is_some_and(is_there);
        let names = |are_there: bool| vec![String::new(); usize::from(are_there)];
        let task = |((name, part), _): &(RowName, Names)| {
            let (name, part) = (name.clone(), part.clone());
            NamedTask { name, part, choices: Vec::new() }
        };
        let resources = Resources::new(naming.resources.iter());
        Head {
            resources: Resources { area_unit: self.area_unit.clone(), ..resources },
            by_margin,
            tasks: naming.tasks.iter().map(task).collect(),
            has_blocks: has(|base| base.blocks.is_some()),
            variants: names(has(|base| base.variant.is_some())),
            modes: naming.modes.clone(),
            clocks: names(has(|base| base.clock_hz.is_some())),
            ..Head::default()
        }
    }

    /// The head of the front without the names of tasks and so on, after all of its points were seen.
    pub fn finish(self, naming: &mut Naming, seen: &Seen) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        let wrong = |why: &str| PlotError::Field(why.into());
        let in_place = |name: &'static str| move |why: String| PlotError::Field(format!("`{name}`: {why}"));
        self.schema.ok_or(missing("schema"))?;
        let taskset = self.taskset.ok_or(missing("taskset"))?;
        let complete = self.complete.ok_or(missing("complete"))?;
        let base = naming.point(self.base.ok_or(missing("base"))?).map_err(in_place("base"))?;
        if seen.count == 0 && self.limits.is_none() {
            return Err(PlotError::NotAFront { index: 0, why: "there is no point" });
        }
        if base.is_impossible() {
            return Err(wrong("`base` is marked schedulable, and its utilization is above 1"));
        }
        let costs = self.min_schedulable.ok_or(missing("min_schedulable"))?;
        let designs = self.min_schedulable_designs.ok_or(missing("min_schedulable_designs"))?;
        let designs = designs.into_iter().map(|design| naming.point(design));
        let minimal: Vec<Point> =
            designs.collect::<Result<_, _>>().map_err(in_place("min_schedulable_designs"))?;
        let amounts = |cost: InOrder<Amount>| {
            let amounts = cost.0.into_iter().map(|(name, Amount(amount))| (name, amount));
            in_order(amounts.collect(), &naming.resources)
        };
        let costs: Vec<Option<Vec<Number>>> = costs.into_iter().map(amounts).collect();
        if !minimal.iter().map(|design| Some(&design.cost)).eq(costs.iter().map(Option::as_ref)) {
            return Err(wrong("`min_schedulable` has other costs than `min_schedulable_designs`"));
        }
        if minimal.iter().any(|design| design.schedulable != Some(true) || design.is_impossible()) {
            return Err(wrong("`min_schedulable_designs` has a design that is not schedulable"));
        }
        let area = minimal.first().map(|design| &design.cost[0]);
        let stated =
            self.min_schedulable_area.as_ref().map(|stated| stated.as_ref().map(|Amount(area)| area));
        if let Some(stated) = stated.filter(|stated| *stated != area) {
            let [stated, area] = [stated, area].map(|area| area.map_or("null".to_owned(), Number::decimal));
            return Err(PlotError::Field(format!(
                "`min_schedulable_area` is {stated}, and the area of `min_schedulable_designs` {area}"
            )));
        }
        let minimal_unknown = self.min_schedulable_unknown.flatten();
        seen.agree_with(minimal.first(), minimal_unknown.is_some())?;
        let mode_areas = self.mode_areas.unwrap_or_default();
        if !mode_areas.iter().all(|of_modes| of_modes.is_of(&naming.modes)) {
            return Err(wrong("`mode_areas` has another mode, or something other than decimals"));
        }
        let margins = self.margins.unwrap_or_default().into_iter().map(MarginWords::read);
        let margins = margins.collect::<Option<Vec<AtMargin>>>();
        let clock = self.clock_hz.map(|text| parse(&text).ok_or(wrong("`clock_hz` is no number of hertz")));
        let scheduler = self
            .scheduler
            .map(|name| Scheduler::named(&name).ok_or(wrong("`scheduler` is none of edf, rm, dm and fixed")));
        let mut resources = Resources {
            area_unit: self.area_unit,
            objectives: seen.objectives.clone(),
            device: self.device,
            ..Resources::new(naming.resources.iter()).with_base(base.exact_cost())
        };
        for (name, Amount(limit)) in self.limits.unwrap_or_default().0 {
            let Some(at) = resources.position(&name) else {
                return Err(wrong("`limits` names something that is no resource"));
            };
            resources.limits[at] = Some(limit.exact());
        }
        Ok(Head {
            taskset,
            resources,
            scheduler: scheduler.transpose()?.unwrap_or_default(),
            ties: self.ties.unwrap_or_default(),
            by_margin: seen.by_margin,
            clock: clock.transpose()?.map(|clock| clock.exact()),
            engine: self.engine,
            what_if: self.what_if.unwrap_or_default(),
            overruns: self.overruns,
            base,
            minimal,
            minimal_unknown,
            margins: margins.ok_or(wrong("`margins` has something other than decimals"))?,
            mode_areas,
            larger_margins_unknown: self.larger_margins_unknown,
            status: self.status,
            complete,
            ..Head::default()
        })
    }

    /// Whether the schema is that of a front, once it is read.
    pub fn check_schema(&self) -> Result<(), PlotError> {
        match self.schema.as_deref() {
            None | Some(SCHEMA) => Ok(()),
            Some(found) => Err(PlotError::Schema { found: cut(found, 60) }),
        }
    }
}

impl Head {
    /// The same with the names that its points refer to.
    pub(super) fn named(self, naming: Naming) -> Self {
        let task =
            |((name, part), choices): (RowName, Names)| NamedTask { name, part, choices: choices.order };
        Self {
            tasks: naming.tasks.into_iter().map(task).collect(),
            has_blocks: naming.has_blocks,
            blocks: naming.blocks.order,
            variants: naming.variants.order,
            modes: naming.modes,
            clocks: naming.clocks.order,
            ..self
        }
    }
}
