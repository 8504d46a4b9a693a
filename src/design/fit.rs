//! How a task set fits devices: verdicts within the limits of each, and what binds.

use crate::front::Design;
use crate::schedulability::BudgetVerdict;
use isx_exact::quantity::format_decimal;
use isx_taskset::{Device, Resources, TaskSet, TimeBase, not_carried_over};

/// How a task set fits a device.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The set with the limits of the device, which [`Resources::device`] names.
    pub task_set: TaskSet,
    /// The verdict; `None` if no design is within the limits.
    pub verdict: Option<BudgetVerdict>,
    /// The resources, as indices, of which more alone would give less utilization. If no design is within the limits, those of
    /// which there is too little for any design, or if there are none, of which more alone would allow one.
    pub binding: Vec<usize>,
}

/// How a task set fits several devices.
#[derive(Clone, Debug)]
pub struct Fits {
    /// One per device.
    pub rows: Vec<Fit>,
    /// The set without limits, and its minimal schedulable costs.
    pub unlimited: BudgetVerdict,
    /// The device that the figures of the set are of, if it has one.
    pub own: Option<String>,
}

impl Fit {
    /// The resources, with the limits of the device.
    fn resources(&self) -> &Resources {
        &self.task_set.resources
    }

    /// The name of the device.
    pub fn device(&self) -> &str {
        self.resources().device.as_deref().unwrap_or_default()
    }

    /// Whether some design is schedulable within the device; `None` if that is not known.
    pub fn schedulable(&self) -> Option<bool> {
        self.verdict.as_ref().map_or(Some(false), |verdict| verdict.verdict.is_schedulable())
    }

    /// Its family, if it is known.
    pub fn family(&self) -> Option<&'static str> {
        Device::named(self.device()).map(Device::family)
    }

    /// The variant of the processor of a design, if there are several.
    pub fn variant(&self, design: &Design) -> Option<&str> {
        Some(self.task_set.variants.get(design.variant)?.name.as_str())
    }

    /// Why no design is within the limits; `None` if one is.
    pub fn reason(&self) -> Option<String> {
        if self.verdict.is_some() {
            return None;
        }
        let resources = self.resources();
        let is_beyond =
            |&at: &usize| resources.limits[at].as_ref().is_some_and(|limit| resources.base[at] > *limit);
        let what =
            if self.binding.iter().all(is_beyond) { "the base does not fit" } else { "no design fits" };
        let binding = self.binding_names().join(", ");
        Some(if binding.is_empty() { what.to_owned() } else { format!("{what}: {binding}") })
    }

    /// The names of the resources that bind.
    pub fn binding_names(&self) -> Vec<&str> {
        let names = &self.resources().names;
        self.binding.iter().filter_map(|&at| Some(names.get(at)?.as_str())).collect()
    }

    /// What the design of least utilization uses of each resource, and how much there is: `2098/3520`.
    pub fn used(&self) -> Vec<String> {
        let resources = self.resources();
        let cost = self.verdict.as_ref().map(|verdict| &verdict.least.design.cost);
        let used = |at: usize| {
            let used = cost.and_then(|cost| cost.get(at)).map_or_else(|| "-".to_owned(), format_decimal);
            let limit = resources.limits.get(at).and_then(Option::as_ref);
            limit.map_or_else(|| used.clone(), |limit| format!("{used}/{}", format_decimal(limit)))
        };
        (0..resources.names.len()).map(used).collect()
    }
}

impl Fits {
    /// The smallest schedulable device: of those that are schedulable, the one with the least of the first resource;
    /// of equal ones, of the next, and so on. Devices to which the figures do not carry over are only among them if they do
    /// to none.
    pub fn smallest(&self) -> Option<&Fit> {
        let is_sure = |row: &Fit| self.warning(row).is_none();
        let any = self.rows.iter().any(is_sure);
        let limits = |row: &&Fit| row.resources().limits.clone();
        let rows = self.rows.iter().filter(|row| row.schedulable() == Some(true));
        rows.filter(|row| !any || is_sure(row)).min_by_key(limits)
    }

    /// A device in words, with its family if the figures do not carry over to it.
    pub fn named(&self, row: &Fit) -> String {
        match row.family().filter(|_| self.warning(row).is_some()) {
            Some(family) => format!("{} ({family})", row.device()),
            None => row.device().to_owned(),
        }
    }

    /// What of the set's figures does not carry over to the device of a row.
    pub fn warning(&self, row: &Fit) -> Option<String> {
        let (set, names) = (&row.task_set, &row.resources().names);
        let has_clock = matches!(set.time_base, TimeBase::Cycles { .. });
        let Some(own) = &self.own else {
            let differ =
                |other: &Fit| not_carried_over(row.device(), other.device(), names, has_clock).is_some();
            let clocks = if has_clock { " and clocks" } else { "" };
            return self.rows.iter().any(differ).then(|| {
                format!(
                    "the set names no device, and what counts as {}{clocks} differs between families: name the device that its \
                     figures are of, for example `device: {}`",
                    names.join(", "),
                    self.rows[0].device()
                )
            });
        };
        not_carried_over(own, row.device(), names, has_clock)
    }

    /// One warning about all rows to which the figures do not carry over.
    pub fn warnings(&self) -> Option<String> {
        let mut rows = self.rows.iter().filter_map(|row| Some((row, self.warning(row)?)));
        let (first, warning) = rows.next()?;
        let mut others: Vec<&str> = rows.map(|(row, _)| row.family().unwrap_or(row.device())).collect();
        others.dedup();
        others.retain(|family| first.family() != Some(family));
        let others = if self.own.is_none() { String::new() } else { others.join(", ") };
        Some(match others.as_str() {
            "" => warning,
            others => format!("{warning}; nor to {others}, as the `warnings` of --json say"),
        })
    }
}
