use super::{guard::Guard, screen};
use crate::shape::{Axis, Shape};

fn shape(limits: &[u64], tabled: bool) -> Shape {
    let mut axes: Vec<Axis> = (1..)
        .zip(limits)
        .map(|(resource, &limit)| Axis { resource, limit, stride: 0, span: limit + 4 })
        .collect();
    let mut cells: u64 = axes.iter().map(|axis| axis.span).product();
    let count = cells as usize;
    for axis in axes.iter_mut().filter(|_| tabled) {
        cells /= axis.span;
        axis.stride = cells;
    }
    let resources = limits.len() + 1;
    Shape { first: 0, limit: 9, axes, cells: tabled.then_some(count), ties: vec![], resources }
}

#[test]
fn every_kind_of_guard_says_the_same() {
    // A generator of a full period is random enough here.
    let mut state = 1u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % (most + 1)
    };
    let kinds: [(&[u64], u64); 6] = [
        (&[6], 600),
        (&[5, 7], 600),
        (&[3, 4, 5], 600),
        (&[40], 600),
        (&[30, 50], 600),
        (&[9, 30, 50], 12_000),
    ];
    for (limits, count) in kinds {
        let shapes = [shape(limits, true), shape(limits, false)];
        let mut guards = shapes.each_ref().map(Guard::<i64>::new);
        let mut told = Vec::new();
        let mut beaten = 0;
        for _ in 0..count {
            let costs: Vec<u64> =
                std::iter::once(0).chain(limits.iter().map(|&limit| below(limit + 3))).collect();
            let value = below(costs.iter().sum::<u64>() + 3) as i64 - 2;
            let beyond = costs[1..].iter().zip(limits).any(|(cost, limit)| cost > limit);
            let expected = beyond
                || told.iter().any(|(other, best): &(Vec<u64>, i64)| {
                    *best >= value && other.iter().zip(&costs).all(|(a, b)| a <= b)
                });
            for (guard, shape) in guards.iter_mut().zip(&shapes) {
                assert_eq!(guard.is_beaten(&shape.key(&costs), value), expected, "{limits:?} {costs:?}");
                if !expected {
                    guard.add(&shape.key(&costs), value);
                }
            }
            beaten += u64::from(expected);
            if !expected {
                told.push((costs, value));
            }
        }
        assert!((10..count - 10).contains(&beaten), "{beaten}");
    }
}

#[test]
fn what_is_beaten_among_all_vectors_is_what_some_vector_beats() {
    let mut state = 5u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % (most + 1)
    };
    for (width, most, count) in [(1, 900, 40), (2, 300, 700), (3, 9, 1500), (5, 40, 9000), (18, 2, 800)] {
        let vectors: Vec<u64> = (0..count * width).map(|_| below(most)).collect();
        let of = |at: usize| &vectors[at * width..][..width];
        // Of equal vectors the last wins.
        let wins = |a: usize, b: usize| a > b;
        let beats = |a: usize, b: usize| {
            of(a).iter().zip(of(b)).all(|(a, b)| a <= b) && (of(a) != of(b) || wins(a, b))
        };
        let expected: Vec<bool> = (0..count).map(|b| (0..count).any(|a| beats(a, b))).collect();
        for threads in [1, 3] {
            let workers = isx_machine::cpu::Workers::new(threads);
            assert_eq!(screen::beaten(&vectors, width, &wins, &workers, true), expected, "{width} {most}");
        }
        let beaten = expected.iter().filter(|beaten| **beaten).count();
        assert!((5..count).contains(&beaten), "{beaten} of {count}");
    }
}
