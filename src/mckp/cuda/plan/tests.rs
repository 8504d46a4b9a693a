//! Tests of the table layout on the multiprocessors: every cell is covered once, within the device's limits.

use super::super::cell::Cell;
use super::super::shape::tests::h200;
use super::*;
use isx_problems::mckp::Item;
use isx_problems::reduce::mckp::{Class, Reduced, WayBack};
use num_bigint::BigInt;

const PLENTY: u64 = 100 << 30;

fn problem<V: Cell>(capacity: u64, classes: &[Vec<(V, u64)>]) -> Reduced<V> {
    let class = |items: &Vec<(V, u64)>| Class {
        items: items.iter().map(|&(value, weight)| Item { value, weight }).collect(),
        zero: 0,
        origin: vec![None; items.len()],
    };
    let back = WayBack {
        class_origin: (0..classes.len()).collect(),
        fixed: vec![None; classes.len()],
        weight_offset: 0,
        weight_unit: 1,
        value_offset: BigInt::ZERO,
        value_unit: 1.into(),
        complete: false,
    };
    Reduced { classes: classes.iter().map(class).collect(), capacity, back }
}

/// Classes with the zero item and `items` others, rising in weight and value.
fn rising(classes: usize, items: u64, step: u64) -> Vec<Vec<(i32, u64)>> {
    let class = |class: usize| {
        (0..=items).map(|at| (at as i32 * (7 + class as i32 % 3), at * step + at % 2)).collect()
    };
    (0..classes).map(class).collect()
}

fn planned<V: Cell>(problem: &Reduced<V>, indexed: bool, options: &Options) -> Plan {
    Plan::new(Layers::new(problem), &h200(), PLENTY, indexed, options).unwrap()
}

#[test]
fn every_class_is_in_one_launch() {
    for classes in [1, 2, 3, 40] {
        for (most_rows, most_records) in [(None, None), (Some(2), None), (Some(4), Some(7)), (None, Some(1))]
        {
            let problem = problem(5000, &rising(classes, 5, 40));
            let plan = planned(&problem, true, &Options { most_rows, most_records, ..Options::default() });
            let launched = plan.runs.iter().flat_map(|run| run.launches.iter().cloned().flatten());
            assert_eq!(launched.collect::<Vec<_>>(), (0..classes).collect::<Vec<_>>());
            let of_runs = plan.runs.iter().flat_map(|run| run.layers.clone());
            assert_eq!(of_runs.collect::<Vec<_>>(), (0..classes).collect::<Vec<_>>());
            assert!(most_rows.is_none_or(|rows| plan.runs.iter().all(|run| run.layers.len() < rows)));
        }
    }
}

#[test]
fn a_launch_finds_its_items_in_the_constant_bank() {
    let problem = problem(400_000, &rising(60, 700, 14));
    let plan = planned(&problem, false, &Options { filling: Filling::Full, ..Options::default() });
    let launches: Vec<&Range<usize>> = plan.runs.iter().flat_map(|run| &run.launches).collect();
    assert_eq!(launches.len(), (60 * 351usize).div_ceil(4096).max(60usize.div_ceil(4096 / 351)));
    for launch in launches {
        let mut at = 0;
        for layer in launch.clone() {
            assert_eq!(plan.layout.classes[layer].first_record, at);
            at += plan.layout.classes[layer].records;
        }
        assert!(at <= 4096, "{at} records");
    }
}

#[test]
fn indices_have_places_that_do_not_overlap() {
    let mut classes = rising(9, 5, 40);
    classes.insert(3, (0..300).map(|at| (at, at as u64 * 3)).collect());
    let problem = problem(5000, &classes);
    for most_rows in [None, Some(3)] {
        let plan = planned(&problem, true, &Options { most_rows, ..Options::default() });
        let bytes = plan.pick_bytes.unwrap();
        for run in &plan.runs {
            let place = |class: usize| {
                let width = ItemIndices::width(problem.classes[class].items.len());
                (plan.layout.classes[class].pick_offset as usize, width * plan.stride)
            };
            let places: Vec<(usize, usize)> = run.layers.clone().map(place).collect();
            assert!(places.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0), "{places:?}");
            let (last, length) = places[places.len() - 1];
            assert!(last + length <= bytes);
        }
    }
}

#[test]
fn rows_that_do_not_fit_are_cut_into_runs_until_two_do_not_fit() {
    let needs = |row| Needs { fixed: 10 + row, layers: vec![row; 5] };
    assert_eq!(runs(&needs(100), 610, usize::MAX).unwrap(), vec![0..5]);
    assert_eq!(runs(&needs(100), 609, usize::MAX).unwrap(), [0..4, 4..5]);
    assert_eq!(runs(&needs(100), 210, usize::MAX).unwrap(), [0..1, 1..2, 2..3, 3..4, 4..5]);
    assert_eq!(runs(&needs(100), 9999, 2).unwrap(), [0..2, 2..4, 4..5]);
    let error = runs(&needs(100), 209, usize::MAX).unwrap_err();
    assert!(matches!(error, DeviceError::Memory { needed: 210, free: 209 }), "{error}");
    assert!(runs(&needs(u64::MAX / 2), u64::MAX - 1, usize::MAX).is_err(), "sums of bytes do not wrap");
}

#[test]
fn launches_hold_at_most_the_records_asked_for_or_one_layer() {
    let at = [0, 5, 9, 30, 31, 32];
    assert_eq!(launches(&at, 0..5, 9), [0..2, 2..3, 3..5]);
    assert_eq!(launches(&at, 0..5, 1000), vec![0..5]);
    assert_eq!(launches(&at, 1..4, 1), [1..2, 2..3, 3..4]);
    assert_eq!(launches(&[0, 3], 0..1, 1), vec![0..1]);
}

#[test]
fn tables_at_the_ends_of_every_range_are_planned_or_refused_for_memory() {
    let one_item = vec![vec![(0i64, 0u64)]];
    let heavy = vec![vec![(0, 0), (1, 1), (i64::MAX / 4, 1 << 62), (5, u64::MAX)]; 3];
    for classes in [one_item, heavy] {
        for indexed in [false, true] {
            for capacity in [0, 1, 1 << 31, 1 << 62, u64::MAX - 1] {
                let problem = problem(capacity, &classes);
                let plan = Plan::new(Layers::new(&problem), &h200(), PLENTY, indexed, &Options::default());
                match plan {
                    Ok(plan) => {
                        assert!(capacity <= 1 << 31, "{capacity}");
                        assert!(plan.stride as u64 > capacity);
                    }
                    Err(error) => {
                        assert!(capacity > 1 << 31, "{capacity}: {error}");
                        assert!(matches!(error, DeviceError::Memory { free: PLENTY, .. }), "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn only_narrow_cells_on_a_gpu_that_is_fast_at_it_are_packed() {
    let packed = Options { filling: Filling::Packed, ..Options::default() };
    let narrow = problem(5000, &rising(4, 50, 40));
    assert!(planned(&narrow, false, &packed).packed);
    assert!(!planned(&narrow, true, &packed).packed, "indices need full cells");
    let before_hopper = DeviceInfo { compute_capability: (8, 9), ..h200() };
    assert!(!Plan::new(Layers::new(&narrow), &before_hopper, PLENTY, false, &packed).unwrap().packed);
    let wide = problem(5000, &[vec![(0i64, 0), (5, 3)]]);
    assert!(!planned(&wide, false, &packed).packed);
}

#[test]
fn what_no_kernel_has_is_refused_in_the_name_of_the_kernel_that_was_asked_for() {
    let problem = problem(5000, &rising(4, 50, 40));
    let refused = |filling| {
        let shape = Some(Shape { cells: 5, tile_warps: 1, groups: 1 });
        let options = Options { filling, shape, ..Options::default() };
        Plan::new(Layers::new(&problem), &h200(), PLENTY, false, &options).unwrap_err().to_string()
    };
    assert!(refused(Filling::Packed).starts_with("kernel mckp_packed: there is no variant"));
    assert!(refused(Filling::Full).starts_with("kernel mckp_tiled: there is no variant"));
}
