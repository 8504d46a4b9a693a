//! Flags that change a task set to answer what-if questions.

use crate::failure::Failure;
use clap::Args;
use isx_exact::quantity::{Rational, format_decimal, parse_fraction};
use isx_report::visible;
use isx_taskset::{InvalidTaskSet, Resources, Task, TaskSet, WhatIf, WhatIfError, in_percent, parse_margin};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// What to try out, apart from resources.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What if")]
pub struct TaskChanges {
    /// Fix the choice of a task in every design, or keep it in software; may be repeated
    #[arg(long, value_name = "TASK=CHOICE|software")]
    force: Vec<String>,

    /// Exclude a choice, or all choices that use a block; may be repeated
    #[arg(long, value_name = "TASK=CHOICE|BLOCK")]
    forbid: Vec<String>,

    /// Build this variant of the processor, the only one in every design
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    variant: Option<String>,

    /// Multiply every WCET, in software and with choices, by a decimal or a fraction such as 10/9
    #[arg(long, hide_short_help = true, value_name = "F", value_parser = parse_factor, allow_negative_numbers = true)]
    scale_wcet: Option<Rational>,

    /// Make every WCET longer by this margin: 20% or 0.2
    #[arg(long, value_name = "M", value_parser = parse_margin, allow_negative_numbers = true)]
    margin: Option<Rational>,

    /// At most this many tasks exceed their WCET at a time, up to the `wcet_high` that the file gives
    #[arg(long, hide_short_help = true, value_name = "G")]
    overruns: Option<u32>,
}

/// What to try out.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What if")]
pub struct Changes {
    #[command(flatten)]
    tasks: TaskChanges,

    /// Limit what designs cost, the base included: LUT=5000,DSP=8; the lesser of this and of a device counts
    #[arg(long, value_name = "RESOURCE=AMOUNT,..")]
    within: Option<String>,

    /// Take the limits of this FPGA, such as iCE40UP5K, in place of those of the file's device
    #[arg(long, value_name = "NAME")]
    device: Option<String>,

    /// The resources that span the front, the others having limits only: LUT,DSP [default: those of the file, or all]
    #[arg(long, hide_short_help = true, value_name = "RESOURCE,..")]
    objectives: Option<String>,

    /// Make one area of several resources, a price for each: LUT=1,DSP=80
    #[arg(long, hide_short_help = true, value_name = "RESOURCE=PRICE,..", conflicts_with = "objectives")]
    price: Option<String>,
}

impl TaskChanges {
    fn are_any(&self) -> bool {
        let Self { force, forbid, variant, scale_wcet, margin, overruns } = self;
        let is_any = !force.is_empty() || !forbid.is_empty() || variant.is_some();
        is_any || scale_wcet.is_some() || margin.is_some() || overruns.is_some()
    }

    /// These changes of a task set beside others.
    pub fn of(&self, set: &TaskSet, mut what_if: WhatIf) -> Result<WhatIf, Failure> {
        let refused =
            |flag: &'static str| move |error: WhatIfError| Failure::Usage(format!("{flag}: {error}"));
        self.force.iter().try_for_each(|text| what_if.force(text, set)).map_err(refused("--force"))?;
        self.forbid.iter().try_for_each(|text| what_if.forbid(text, set)).map_err(refused("--forbid"))?;
        if let Some(name) = &self.variant {
            what_if.variant(name, set).map_err(refused("--variant"))?;
        }
        if let Some(factor) = &self.scale_wcet {
            what_if.scale_wcets(factor.clone()).map_err(refused("--scale-wcet"))?;
        }
        if let Some(margin) = &self.margin {
            what_if.add_margin(margin.clone()).map_err(refused("--margin"))?;
        }
        if let Some(most) = self.overruns {
            what_if.overruns(most);
        }
        Ok(what_if)
    }
}

impl Changes {
    /// Whether any change was requested.
    pub fn are_any(&self) -> bool {
        self.tasks.are_any() || self.of_resources().next().is_some()
    }

    /// Whether a price makes one area of several resources.
    pub fn has_price(&self) -> bool {
        self.price.is_some()
    }

    /// Whether limits were given for what designs cost.
    pub fn are_limits(&self) -> bool {
        self.within.is_some() || self.device.is_some()
    }

    /// Whether nothing but limits was requested, which a front can answer too.
    pub fn are_only_limits(&self) -> bool {
        !self.tasks.are_any() && self.objectives.is_none() && self.price.is_none()
    }

    /// These resources of a front with the limits requested, and the limits in words.
    pub fn limit(&self, front: Resources) -> Result<(Resources, Vec<String>), Failure> {
        let unlimited = Resources { limits: vec![None; front.names.len()], ..front.clone() };
        let wrong = |error: InvalidTaskSet| Failure::Usage(error.to_string());
        let set =
            TaskSet::with_resources("front", unlimited, [], [Task::new("software", 1, 1)]).map_err(wrong)?;
        let set = self.apply(set)?;
        if set.is_one_area() {
            return Ok((front, Vec::new()));
        }
        let mut resources = set.resources;
        for (at, own) in front.limits.into_iter().enumerate() {
            let limit = &mut resources.limits[at];
            if !resources.objectives.contains(&at)
                && limit.is_some()
                && own.as_ref().is_none_or(|own| *limit < Some(own.clone()))
            {
                let name = visible(&resources.names[at]);
                bail!(
                    "{name} is no objective of this front, so a design within the limit may be missing; show it from the task set"
                );
            }
            *limit = own.into_iter().chain(limit.take()).min();
        }
        Ok((resources, set.what_if))
    }

    /// What was asked of resources, as the user gave it.
    fn of_resources(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let Self { within, device, objectives, price, .. } = self;
        let all = [("within", within), ("device", device), ("objectives", objectives), ("price", price)];
        all.into_iter().filter_map(|(flag, text)| Some((flag, text.as_ref()?)))
    }

    /// The changes as the user gave them: the flag and its value.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        let TaskChanges { force, forbid, variant, scale_wcet, margin, overruns } = &self.tasks;
        let forced = force.iter().map(|text| ("force", text.clone()));
        let forbidden = forbid.iter().map(|text| ("forbid", text.clone()));
        let variant = variant.iter().map(|name| ("variant", name.clone()));
        let scaled = scale_wcet.iter().map(|factor| ("scale_wcet", factor.to_string()));
        let longer = margin.iter().map(|margin| ("margin", margin.to_string()));
        let overruns = overruns.iter().map(|most| ("overruns", most.to_string()));
        let of_resources = self.of_resources().map(|(flag, text)| (flag, text.clone()));
        let longer = longer.chain(overruns);
        forced.chain(forbidden).chain(variant).chain(scaled).chain(longer).chain(of_resources).collect()
    }

    /// The task set with these changes.
    pub fn apply(&self, set: TaskSet) -> Result<TaskSet, Failure> {
        if self.are_any() { self.changed(&set, WhatIf::default()) } else { Ok(set) }
    }

    /// The task set with these changes, in which limits hold beside a price.
    pub fn apply_with_limits(&self, set: &TaskSet) -> Result<TaskSet, Failure> {
        let mut what_if = WhatIf::default();
        what_if.keep_limits();
        self.changed(set, what_if)
    }

    fn changed(&self, set: &TaskSet, what_if: WhatIf) -> Result<TaskSet, Failure> {
        let mut what_if = self.tasks.of(set, what_if)?;
        for (flag, text) in self.of_resources() {
            let asked = match flag {
                "within" => what_if.within(text, set),
                "device" => what_if.device(text, set),
                "objectives" => what_if.objectives(text, set),
                _ => what_if.price(text, set),
            };
            let is_number = flag == "device" && text.bytes().all(|byte| byte.is_ascii_digit());
            let gpu = if is_number { " (a GPU is chosen with --gpu)" } else { "" };
            asked.map_err(|error| Failure::Usage(format!("--{flag}{gpu}: {error}")))?;
        }
        what_if.apply(set).map_err(|error| Failure::Usage(error.to_string()))
    }
}

fn parse_factor(text: &str) -> Result<Rational, String> {
    let number = |text: &str| parse_fraction(text).map_err(|error| error.to_string());
    if let Some(percent) = text.trim_end().strip_suffix('%') {
        // `10%` may mean 10 % more or 10 % of it: only the user knows.
        let part = number(percent.trim_end())? / Rational::from(BigInt::from(100));
        return Err(format!(
            "a factor has no percent sign: --margin {}% or --scale-wcet {} makes every WCET {} longer, --scale-wcet {} \
             sets it to {}",
            format_decimal(&(&part * Rational::from(BigInt::from(100)))),
            format_decimal(&(Rational::one() + &part)),
            in_percent(&part),
            format_decimal(&part),
            in_percent(&part),
        ));
    }
    let factor = number(text)?;
    if factor.is_positive() { Ok(factor) } else { Err("a factor must be greater than 0".into()) }
}
