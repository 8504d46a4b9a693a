//! What the table says of several resources: the limits with what the front leaves of them, and the minimal
//! schedulable costs.

use super::Table;
use crate::answers::words::utilization;
use isx_design::schedulability::Smallest;
use isx_report::front::costs;
use isx_report::text::{counted, visible};
use isx_taskset::Resources;
use std::io::{self, Write};

/// The most minimal costs that are listed.
const MOST_LISTED: usize = 12;

impl Table<'_> {
    /// The limits, with the device that they come from.
    pub(super) fn write_limits(&self, resources: &Resources, out: &mut dyn Write) -> io::Result<()> {
        let limits = costs::limits_in_words(resources);
        if limits.is_empty() {
            return Ok(());
        }
        let label = resources
            .device
            .as_ref()
            .map_or_else(|| "Limits: ".to_owned(), |device| format!("{}: ", visible(device)));
        self.write_wrapped(&label, &limits, out)
    }

    /// The minimal schedulable costs, each with its utilization and what it leaves of the limits.
    pub(super) fn write_minimal(&self, out: &mut dyn Write) -> io::Result<()> {
        let (set, verdicts) = (self.explored.task_set(), &self.explored.verdicts);
        let none = match &verdicts.smallest {
            Smallest::Unknown(why) => format!("not all known: {}", visible(why)),
            Smallest::None if self.explored.front.is_complete() => {
                "none, no design is schedulable".to_owned()
            }
            Smallest::None => "none within the limits".to_owned(),
            Smallest::At(_) => String::new(),
        };
        let label =
            if none.is_empty() { "Minimal schedulable costs:" } else { "Minimal schedulable costs: " };
        self.write_wrapped(label, &none, out)?;
        for chosen in verdicts.minimal.iter().take(MOST_LISTED) {
            let design = &chosen.design;
            let left = set.named_resources().map(|resources| costs::left(resources, &design.cost));
            let left = left.filter(|left| !left.is_empty());
            let left = left.map_or_else(String::new, |left| format!("; left: {left}"));
            let words = format!(
                "{}, utilization {}{left}",
                costs::in_words(&design.cost, set),
                utilization(&design.utilization)
            );
            self.write_wrapped("  ", &words, out)?;
        }
        match verdicts.minimal.len().saturating_sub(MOST_LISTED) {
            0 => Ok(()),
            more => self.write_wrapped("  ", &format!("and {}", counted(more, "other")), out),
        }
    }

    /// The minimal schedulable costs on one line: `LUT 120, DSP 4 or LUT 300, DSP 0`.
    pub(super) fn minimal_in_a_line(&self) -> String {
        let (set, verdicts) = (self.explored.task_set(), &self.explored.verdicts);
        match &verdicts.smallest {
            Smallest::Unknown(why) => format!("not all known: {}", visible(why)),
            Smallest::None => "none".to_owned(),
            Smallest::At(_) => costs::minimal_in_words(&verdicts.minimal, set),
        }
    }
}
