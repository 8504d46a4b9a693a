//! A run of the engine: what all its layers share.

use super::slack::Slack;
use super::sums::{Setting, Stream};

use crate::number::Number;
use isx_engine::Patience;
use isx_problems::resources::Problem;
use isx_set_union::Fields;
use isx_set_union::order::Schedule;

/// A run of the engine.
pub(super) struct Run<'a> {
    pub problem: &'a Problem,
    pub schedule: &'a Schedule,
    pub fields: Fields,
    pub setting: Setting<'a>,
    /// Where sums are equal after every step.
    pub slack: Vec<Option<Slack>>,
    pub patience: Patience<'a>,
}

impl Run<'_> {
    /// A list with an item added; `None` if it exceeds a limit. Item 0 stands for none.
    pub fn stream<V: Number>(
        &self,
        class: usize,
        source: usize,
        costs: &[u64],
        value: V,
        number: usize,
    ) -> Option<Stream<V>> {
        let shape = self.setting.shape;
        if !shape.fits(costs) {
            return None;
        }
        let (word, bits) = match number {
            0 => (0, 0),
            number => self.fields.place(class, number, self.fields.words),
        };
        Some(Stream { source, first: costs[shape.first], key: shape.key(costs), value, word, bits })
    }
}
