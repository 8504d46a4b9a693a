//! The smallest schedulable areas with a margin, as documents say them:
//! `{"margin": "0.1", "min_schedulable_area": "1157", "min_schedulable_unknown": null}`.

use isx_design::schedulability::{AtMargin, Smallest, SmallestWithin};
use isx_exact::quantity::{Rational, format_decimal};
use serde::{Deserialize, Serialize};

/// The smallest schedulable area with a margin; numbers are exact decimals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarginWords {
    /// 0.1 for 10 %.
    pub margin: String,
    /// Null if no design suffices, or if that is not known.
    pub min_schedulable_area: Option<String>,
    /// Why it is not known.
    #[serde(default)]
    pub min_schedulable_unknown: Option<String>,
}

/// A smallest area as a decimal, and why it is not known.
pub fn area_in_words(smallest: &SmallestWithin) -> (Option<String>, Option<String>) {
    match smallest {
        Smallest::At(area) => (Some(format_decimal(area)), None),
        Smallest::None => (None, None),
        Smallest::Unknown(why) => (None, Some(why.clone())),
    }
}

impl From<&AtMargin> for MarginWords {
    fn from(AtMargin { margin, smallest }: &AtMargin) -> Self {
        let (area, unknown) = area_in_words(smallest);
        let margin = format_decimal(margin);
        Self { margin, min_schedulable_area: area, min_schedulable_unknown: unknown }
    }
}

impl MarginWords {
    /// The figures, read by `number`; `None` if one is no number.
    pub fn read(self, number: impl Fn(&str) -> Option<Rational>) -> Option<AtMargin> {
        let smallest = match (self.min_schedulable_area, self.min_schedulable_unknown) {
            (Some(area), _) => Smallest::At(number(&area)?),
            (None, Some(why)) => Smallest::Unknown(why),
            (None, None) => Smallest::None,
        };
        Some(AtMargin { margin: number(&self.margin)?, smallest })
    }
}
