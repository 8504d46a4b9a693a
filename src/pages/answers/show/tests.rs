#![cfg(feature = "parquet")]

use super::{Pick, Shown, find, from_front, near, write_json};
use crate::testing::all_fronts;
use isx_design::exploration::Exploration;
use isx_exact::quantity::Rational;
use isx_machine::cpu::Workers;
use isx_report::front::{Front, Told};
use isx_report::origin::Origin;
use isx_report::{json, parquet};
use isx_taskset::Resources;

fn in_parquet(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    parquet::write(&Front::of(explored), &Origin::default(), &Workers::new(2), &mut bytes).unwrap();
    bytes
}

fn in_json(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(&Front::of(explored), &Workers::new(2), &mut bytes).unwrap();
    bytes
}

#[test]
fn a_shown_design_is_the_same_from_both_formats() {
    let mut shown = 0;
    for explored in all_fronts() {
        let read = |bytes: Vec<u8>| Front::read(bytes.as_slice(), &Told::First(usize::MAX)).unwrap();
        let (json, parquet) = (read(in_json(&explored)), in_parquet(&explored));
        let count = explored.front.len();
        let mut picks = vec![Pick::Smallest, Pick::Point(count), Pick::MaxUtilization(Rational::default())];
        for index in [0, 1, count / 2, count.saturating_sub(2), count - 1] {
            let Some(point) = explored.front.get(index) else { continue };
            let half = Rational::new(1.into(), 2.into());
            picks.push(Pick::Point(index));
            picks.extend([point.area(), point.area() + &half].map(Pick::Area));
            if let Some(resources) = explored.task_set().named_resources() {
                let limits = point.cost().into_iter().enumerate();
                let limits = limits.map(|(at, cost)| (at != index % 3).then(|| cost + &half)).collect();
                picks.push(Pick::Within(Resources { limits, ..resources.clone() }));
                let none = vec![Some(-Rational::from_integer(100.into())); resources.names.len()];
                picks.push(Pick::Within(Resources { limits: none, ..resources.clone() }));
            }
            picks.extend([point.utilization(), point.utilization() * &half].map(Pick::MaxUtilization));
        }
        for pick in picks {
            let written = |shown: &Shown| {
                let mut bytes = Vec::new();
                write_json(shown, &mut bytes).unwrap();
                String::from_utf8(bytes).unwrap()
            };
            let wanted = from_front(&json, &pick);
            if let (Pick::Within(_), Ok(shown)) = (&pick, &wanted) {
                let point = find(&Front::of(&explored), &pick).unwrap();
                assert_eq!((shown.index, shown.cost()), (point.index, point.design.exact_cost()));
            }
            let near = |front: &Front| near(front, &pick);
            let parquet = Front::read(parquet.as_slice(), &Told::Of(&near)).unwrap();
            let found = from_front(&parquet, &pick);
            assert_eq!(found.as_ref().map(written), wanted.as_ref().map(written), "{pick:?}");
            shown += usize::from(wanted.is_ok());
        }
    }
    assert!(shown > 100, "{shown}");
}
