//! The lists of a proof: for each class the entries that the classes so far can reach and none of them covers. This is the
//! simplest dynamic program, written for certificates and independent of the engines. See [`isx_checker`].

use super::asked::Asked;
use super::covers;
use super::error::CertifyError;
use super::numbers::Numbers;
use super::price::price;
use super::stairs;
use isx_checker::shared::bound::Bound;
use isx_checker::shared::cost::Width;
use num_bigint::BigUint;

impl Asked<'_> {
    /// Writes the proof; returns whether it shows that there is no such design.
    pub fn write(&self, numbers: &mut Numbers) -> Result<bool, CertifyError> {
        let scenario = self.scenario;
        if !scenario.is_stairs() {
            return match Width::of_lists(scenario, None) {
                Width::Bits64 => covers::write::<u64>(self, numbers),
                Width::Bits128 => covers::write::<u128>(self, numbers),
                Width::Any => covers::write::<BigUint>(self, numbers),
            };
        }
        let mut bound = None;
        if let Some(most) = self.most {
            let (numerator, denominator) = price(scenario);
            numbers.big(&numerator)?;
            numbers.big(&denominator)?;
            let found = Bound::new(scenario, most, numerator, denominator);
            if found.room.is_none() {
                return Ok(true);
            }
            bound = Some(found);
        }
        match Width::of_lists(scenario, bound.as_ref()) {
            Width::Bits64 => stairs::write::<u64>(self, bound, numbers),
            Width::Bits128 => stairs::write::<u128>(self, bound, numbers),
            Width::Any => stairs::write::<BigUint>(self, bound, numbers),
        }
    }
}
