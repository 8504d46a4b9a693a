//! Resources by name in what-if changes: amounts as texts, and prices that make one area of them.

use super::error::{WhatIfError, unknown};
use crate::diagnostics::shortened;
use crate::model::{Resources, TaskSet, resource_name_problem};
use isx_exact::quantity::{Rational, format_decimal, parse_decimal};
use num_traits::{One, Signed};

/// The device that the limits of a set come from, in words if the file gives it no name; `None` if it has no limits.
pub fn own_device(set: &TaskSet) -> Option<String> {
    let resources = &set.resources;
    let unnamed = resources.limits.iter().any(Option::is_some).then(|| "the file's device".to_owned());
    resources.device.clone().or(unnamed)
}

/// `41 LUT, 4 DSP`.
pub(super) fn in_words(amounts: &[(usize, Rational)], resources: &Resources, between: &str) -> String {
    let one =
        |(at, amount): &(usize, Rational)| format!("{} {}", format_decimal(amount), resources.names[*at]);
    amounts.iter().map(one).collect::<Vec<_>>().join(between)
}

/// The resources of a set that go by name: also those of one with an area whose unit names a resource.
pub(super) fn counted(set: &TaskSet) -> Result<&Resources, WhatIfError> {
    let area = match set.area_unit() {
        unit if !set.is_one_area() || names_a_resource(unit) => return Ok(&set.resources),
        "" => "one area without a unit".to_owned(),
        unit => format!("one area in {}", shortened(unit)),
    };
    Err(WhatIfError(format!("the task set counts {area} and no resources by name")))
}

pub(super) fn names_a_resource(unit: &str) -> bool {
    !unit.is_empty() && resource_name_problem(unit).is_none()
}

/// Makes one area of all resources, and keeps their limits if asked to.
pub(super) fn price(set: &mut TaskSet, prices: &[(usize, Rational)], keeps: bool) -> Result<(), WhatIfError> {
    let area = |cost: &[Rational]| -> Rational { prices.iter().map(|(at, price)| &cost[*at] * price).sum() };
    let before = set.clone();
    let Resources { names, base, limits, device, .. } = &before.resources;
    let core = before.core_cost();
    let blocks =
        before.blocks.iter().map(|block| (format!("block `{}`", shortened(&block.name)), &block.cost));
    let choices = before.tasks.iter().flat_map(|task| task.choices.iter().map(move |choice| (task, choice)));
    let choices = choices.map(|(task, choice)| {
        let what = format!("choice `{}` of task `{}`", shortened(&choice.name), shortened(&task.name));
        (what, &choice.cost)
    });
    let variants = before.variants.iter();
    let variants = variants.map(|variant| (format!("variant `{}`", shortened(&variant.name)), &variant.cost));
    let processor = [("the processor".to_owned(), &core), ("the base".to_owned(), base)];
    let wrong =
        blocks.chain(choices).chain(variants).chain(processor).find(|(_, cost)| area(cost).is_negative());
    if let Some((what, cost)) = wrong {
        let taken = names.iter().zip(cost).filter(|(_, cost)| cost.is_positive());
        let taken: Vec<&str> = taken.map(|(name, _)| name.as_str()).collect();
        let help = match taken.as_slice() {
            [] => String::new(),
            taken => format!(": give {} a higher price", taken.join(" or ")),
        };
        return Err(WhatIfError(format!(
            "at these prices {what} has an area of {}, which is below 0{help}",
            format_decimal(&area(cost))
        )));
    }
    let unit = match prices {
        [(at, price)] if keeps && price.is_one() => &*names[*at],
        _ => {
            set.what_if.push(format!("the area is {}", in_words(prices, &before.resources, " + ")));
            ""
        }
    };
    set.resources = Resources { base: vec![area(base)], ..Resources::area(unit) };
    let blocks = set.blocks.iter_mut().map(|block| &mut block.cost);
    let choices = set.tasks.iter_mut().flat_map(|task| &mut task.choices).map(|choice| &mut choice.cost);
    let variants = set.variants.iter_mut().map(|variant| &mut variant.cost);
    let chips = set.cores.iter_mut().map(|cores| &mut cores.chip_cost).filter(|chip| !chip.is_empty());
    for cost in blocks.chain(choices).chain(variants).chain(chips) {
        *cost = vec![area(cost)];
    }
    if keeps {
        set.priced = Some(Box::new(before));
    } else if limits.iter().any(Option::is_some) {
        let device = device.as_ref().map_or_else(|| "the device".to_owned(), |name| shortened(name));
        set.what_if.push(format!("the limits of {device} do not apply"));
    }
    Ok(())
}

/// Reads `LUT=5000,DSP=8`.
pub(super) fn amounts(text: &str, resources: &Resources) -> Result<Vec<(usize, Rational)>, WhatIfError> {
    let mut amounts: Vec<(usize, Rational)> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let Some((name, amount)) = part.split_once('=') else {
            return Err(WhatIfError(format!(
                "`{}` does not say how much of which resource: write RESOURCE=AMOUNT, for example LUT=5000,DSP=8",
                shortened(part)
            )));
        };
        let at = resource(resources, name.trim())?;
        if amounts.iter().any(|(other, _)| *other == at) {
            return Err(twice(name.trim()));
        }
        let amount = parse_decimal(amount)
            .map_err(|error| WhatIfError(format!("the amount of {}: {error}", shortened(name.trim()))))?;
        amounts.push((at, amount));
    }
    Ok(amounts)
}

pub(super) fn resource(resources: &Resources, name: &str) -> Result<usize, WhatIfError> {
    resources.position(name).ok_or_else(|| {
        let message = format!("there is no resource `{}`", shortened(name));
        unknown(message, name, resources.names.iter())
    })
}

pub(super) fn twice(name: &str) -> WhatIfError {
    WhatIfError(format!("resource `{}` is named twice", shortened(name)))
}

#[cfg(test)]
mod tests {
    use super::super::WhatIf;
    use super::*;
    use crate::formulate::formulate;
    use crate::{Block, Task};

    fn set() -> TaskSet {
        let resources = Resources::new(["LUT", "DSP", "BRAM"]).with_base([1000, 0, 2]);
        let fir = Task::new("fir", 5, 10).with_choice_costing("mul", [-30, 4, 0], [], 3).with_choice_costing(
            "mac",
            [41, 0, 1],
            [0],
            2,
        );
        TaskSet::with_resources("set", resources, [Block::costing("sbox", [300, 0, 0])], [fir]).unwrap()
    }

    fn changed(
        make: impl Fn(&mut WhatIf, &TaskSet) -> Result<(), WhatIfError>,
    ) -> Result<TaskSet, WhatIfError> {
        let (mut what_if, set) = (WhatIf::default(), set());
        make(&mut what_if, &set)?;
        let changed = what_if.apply(&set)?;
        assert_eq!(changed.validate(), Ok(()));
        Ok(changed)
    }

    fn whole(number: i64) -> Rational {
        Rational::from(num_bigint::BigInt::from(number))
    }

    #[test]
    fn objectives_limits_and_devices_replace_or_narrow_those_of_the_set() {
        let objectives = changed(|what_if, set| what_if.objectives("DSP, LUT", set)).unwrap();
        assert_eq!(objectives.resources.objectives, [1, 0]);
        assert_eq!(objectives.what_if, ["the objectives are DSP, LUT"]);
        let one = changed(|what_if, set| what_if.objectives("LUT", set)).unwrap();
        assert_eq!(one.what_if, ["the objective is LUT"]);

        let within = |what_if: &mut WhatIf, set: &TaskSet| what_if.within("LUT=5000, BRAM=2.5", set);
        let limits = changed(within).unwrap();
        let half = Rational::new(5.into(), 2.into());
        assert_eq!(limits.resources.limits, [Some(whole(5000)), None, Some(half.clone())]);
        assert_eq!(limits.what_if, ["at most 5000 LUT, 2.5 BRAM"]);

        let both = changed(|what_if, set| {
            within(what_if, set)?;
            what_if.device("ice40hx4k", set)
        });
        let both = both.unwrap();
        let resources = &both.resources;
        assert_eq!(resources.limits, [Some(whole(3520)), Some(whole(0)), Some(half)], "the lesser of both");
        assert_eq!(resources.device.as_deref(), Some("iCE40HX4K"));
        assert_eq!(both.what_if, ["the device is iCE40HX4K", "at most 5000 LUT, 2.5 BRAM"]);
    }

    #[test]
    fn a_price_makes_one_area_without_limits() {
        let mut limited = set();
        limited.resources.limits[1] = Some(whole(3));
        limited.resources.device = Some("small".to_owned());
        let mut what_if = WhatIf::default();
        what_if.price("DSP=80", &limited).unwrap();
        let changes = what_if.apply(&limited).unwrap().what_if;
        assert_eq!(changes, ["the area is 80 DSP", "the limits of small do not apply"]);
    }

    #[test]
    fn an_area_in_a_unit_counts_as_a_resource_of_that_name() {
        let fir = Task::new("fir", 5, 10).with_choice_using("mac", [0], 41, 3);
        let set = TaskSet::with_blocks("set", [Block::new("sbox", 300)], [fir]).unwrap();
        let mut what_if = WhatIf::default();
        assert_eq!(
            what_if.within("LUT=9", &set).unwrap_err().to_string(),
            "the task set counts one area without a unit and no resources by name"
        );
        let gates = set.clone().with_area_unit("kilo gates").unwrap();
        assert_eq!(
            what_if.device("UP5K", &gates).unwrap_err().to_string(),
            "the task set counts one area in kilo gates and no resources by name"
        );
        let set = set.with_area_unit("LUT").unwrap();
        what_if.device("UP5K", &set).unwrap();
        let changed = what_if.apply(&set).unwrap();
        assert_eq!(changed.validate(), Ok(()));
        assert_eq!((changed.is_one_area(), changed.resources.names[0].as_str()), (false, "LUT"));
        assert_eq!(formulate(&changed, None).unwrap().cost(&[Some(0)]), Some(vec![whole(341)]));
        assert_eq!(WhatIf::default().apply(&set).unwrap(), set, "unchanged without a change");
    }

    #[test]
    fn mistakes_say_what_to_write() {
        let refused = |make: &dyn Fn(&mut WhatIf, &TaskSet) -> Result<(), WhatIfError>| {
            changed(make).unwrap_err().to_string()
        };
        let within = |text: &str| refused(&|what_if, set| what_if.within(text, set));
        assert_eq!(within("LUT=5,LUT=6"), "resource `LUT` is named twice");
        assert_eq!(within("LUT=-5"), "the amount of LUT: `-5` is negative");
        let price = refused(&|what_if, set| what_if.price("LUT=1,DSP=7", set));
        assert_eq!(
            price,
            "at these prices choice `mul` of task `fir` has an area of -2, which is below 0: give DSP a higher price"
        );
        let mut set = set();
        set.resources.names[2] = "URAM".to_owned();
        assert_eq!(
            WhatIf::default().device("GW1N-1", &set).unwrap_err().to_string(),
            "GW1N-1 has no resource `URAM`: it has 1152 LUT (or LUT4, LC), 864 FF (or DFF), 4 BSRAM (or BRAM, RAM), 0 \
             MULT18 (or DSP)"
        );
    }
}
