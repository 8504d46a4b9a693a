//! The price of area that leaves the least room: that of the last step of the linear relaxation, in which options may
//! be mixed. See [`isx_checker::shared::bound`]; any price is correct, but a good one leaves few pairs to list.

use isx_checker::shared::bound::needed;
use isx_checker::shared::scenario::{Opt, Scenario};
use isx_exact::order;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// A step along the lower hull of a class: more area for less cost.
struct Step {
    /// Cost saved per unit of area.
    slope: f64,
    area: u64,
    saved: BigUint,
}

/// The price as a fraction p/q: 0 if everything fits.
pub(super) fn price(scenario: &Scenario) -> (BigUint, BigUint) {
    let mut left = u128::from(scenario.limits[0]);
    let mut steps = Vec::new();
    for class in &scenario.classes {
        let hull = hull(&needed(class));
        left = left.saturating_sub(hull.first().map_or(0, |first| first.amounts[0].into()));
        steps.extend(hull.windows(2).map(|pair| step(pair[0], pair[1])));
    }
    order::sort_by(&mut steps, |a, b| b.slope.total_cmp(&a.slope));
    for step in steps {
        match left.checked_sub(step.area.into()) {
            Some(rest) => left = rest,
            None => {
                let area = BigUint::from(step.area);
                let divisor = area.gcd(&step.saved);
                return (step.saved / &divisor, area / divisor);
            }
        }
    }
    (BigUint::zero(), BigUint::one())
}

fn step(from: &Opt, to: &Opt) -> Step {
    let (area, saved) = (to.amounts[0] - from.amounts[0], &from.cost - &to.cost);
    let slope = saved.to_f64().unwrap_or(f64::MAX) / area as f64;
    Step { slope, area, saved }
}

/// The options on the lower convex hull, among those with increasing area and decreasing cost.
fn hull<'a>(options: &[&'a Opt]) -> Vec<&'a Opt> {
    let mut hull: Vec<&Opt> = Vec::new();
    for &option in options {
        while let [.., before, last] = &hull[..] {
            let (run, rise) = (last.amounts[0] - before.amounts[0], &before.cost - &last.cost);
            let (next_run, next_rise) = (option.amounts[0] - last.amounts[0], &last.cost - &option.cost);
            if next_rise * run < rise * next_run {
                break;
            }
            hull.pop();
        }
        hull.push(option);
    }
    hull
}
