//! Properties of a problem that engines check before they accept it.

use isx_engine::EngineError;
use isx_problems::resources::{Item, Problem};
use isx_problems::value::Tier;
use num_bigint::{BigInt, BigUint};

/// The sum over classes of the largest absolute value, or of the largest load.
pub fn most_value(problem: &Problem) -> BigInt {
    let largest = |items: &Vec<Item>| {
        let numbers = items.iter().flat_map(|item| std::iter::once(&item.value).chain(&item.loads));
        numbers.map(BigInt::magnitude).max().cloned().unwrap_or_default()
    };
    problem.classes.iter().map(largest).sum::<BigUint>().into()
}

/// The least value of a class, and how much more its greatest is; that of an empty class is 0.
pub(crate) fn spread(items: &[Item]) -> (BigInt, BigInt) {
    let values = || items.iter().map(|item| &item.value);
    let least = values().min().cloned().unwrap_or_default();
    let more = values().max().map_or(BigInt::ZERO, |most| most - &least);
    (least, more)
}

/// The narrowest tier that holds every sum of values.
pub(crate) fn tier(problem: &Problem) -> Tier {
    Tier::narrowest(&most_value(problem)).max(Tier::I64)
}

/// Refuses shared elements.
pub(crate) fn no_elements(problem: &Problem) -> Result<(), EngineError> {
    if !problem.elements.is_empty() {
        let why = "it cannot share hardware between classes; list and reference can";
        return Err(EngineError::Unavailable(why.into()));
    }
    Ok(())
}

/// Refuses several modes.
pub(crate) fn one_mode(problem: &Problem) -> Result<(), EngineError> {
    if problem.modes > 0 {
        return Err(EngineError::Unavailable("it takes one mode; list takes several".into()));
    }
    Ok(())
}
