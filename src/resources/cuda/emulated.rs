//! The kernels' arithmetic on the CPU, over the same program, frames, entries and places, against the reference engine.

use super::entry::{DIMENSIONS, Entry};
use super::places::Places;
use super::program::{Asked, Program};
use crate::tests::{For, Point, cases, points, random};
use isx_engine::EngineError;
use isx_exact::sampling::Sampler;
use isx_machine::Machine;
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

/// A coordinate of every resource.
type Vector = [i64; DIMENSIONS];

/// The nodes of a point, what is left of its value, its items so far.
type Walker = (Vec<(usize, Vector)>, i64, Vec<u32>);

struct Emulated<'a> {
    program: &'a Program,
    places: &'a Places,
    cells: Vec<i64>,
}

impl Emulated<'_> {
    fn place(&self, boundary: usize, state: usize) -> usize {
        let cells = self.program.frames[boundary].words()[2 * DIMENSIONS] as usize;
        self.places.starts[boundary] as usize + state * cells
    }

    /// The cell of a table, as the kernels compute it from the frame's words.
    fn cell(&self, boundary: usize, state: usize, x: Vector) -> usize {
        let words = self.program.frames[boundary].words();
        let at: i64 = x.iter().zip(&words[DIMENSIONS..2 * DIMENSIONS]).map(|(x, stride)| x * stride).sum();
        self.place(boundary, state) + usize::try_from(at).unwrap()
    }

    /// Every vector of a frame, in lexicographic order.
    fn vectors(&self, boundary: usize) -> Vec<Vector> {
        let mut vectors = vec![[0; DIMENSIONS]];
        for (at, last) in self.program.frames[boundary].last.iter().enumerate() {
            let with = |vector: &Vector| {
                let vector = *vector;
                (0..=*last as i64).map(move |x| {
                    let mut vector = vector;
                    vector[at] = x;
                    vector
                })
            };
            vectors = vectors.iter().flat_map(with).collect();
        }
        vectors
    }

    /// `resources_table`.
    fn fill(&mut self, segment: usize) {
        for step in self.places.segments[segment].clone() {
            let entries = self.program.steps[step].by_row();
            for state in 0..self.program.states(step + 1) {
                let range = self.program.steps[step].range(state);
                for x in self.vectors(step + 1) {
                    let best =
                        entries[range.clone()].iter().filter_map(|entry| self.source(step, entry, x)).max();
                    let cell = self.cell(step + 1, state, x);
                    self.cells[cell] = best.unwrap_or(-(1 << 62));
                }
            }
        }
    }

    fn source(&self, step: usize, entry: &Entry, mut x: Vector) -> Option<i64> {
        for (at, x) in x.iter_mut().enumerate() {
            let last = self.program.frames[step].last[at] as i64;
            *x = Some(*x - i64::from(entry.cost[at])).filter(|x| *x >= 0)?.min(last);
        }
        Some(self.cells[self.cell(step, entry.state as usize, x)] + entry.value)
    }

    /// `resources_front`.
    fn points(&self) -> Vec<(Vector, i64)> {
        let Program { objectives, resources, asked: Asked { least, most }, .. } = *self.program;
        let boundary = self.program.steps.len();
        let last = self.program.frames[boundary].last;
        let at = |x: Vector| self.cells[self.cell(boundary, 0, x)];
        let mut points = Vec::new();
        for mut x in self.vectors(boundary) {
            if (objectives..DIMENSIONS).any(|other| x[other] != last[other] as i64) {
                continue;
            }
            let value = at(x);
            let lower = |objective: &usize| {
                let mut x = x;
                x[*objective] -= 1;
                x[*objective] >= 0 && at(x) >= value.min(most)
            };
            if value < least || (0..objectives).any(|objective| lower(&objective)) {
                continue;
            }
            for other in objectives..resources {
                let mut y = x;
                x[other] = (0..=last[other] as i64)
                    .find(|&amount| {
                        y[other] = amount;
                        at(y) == value
                    })
                    .unwrap();
            }
            points.push((x, value));
        }
        points
    }

    /// `resources_walk` through a segment: the nodes and what is left of the value.
    fn walk(&self, segment: usize, nodes: &mut Vec<(usize, Vector)>, left: &mut i64, items: &mut [u32]) {
        for step in self.places.segments[segment].clone().rev() {
            let entries =
                |state: usize| &self.program.steps[step].entries[self.program.steps[step].range(state)];
            let explains = |entry: &Entry, x: &Vector| {
                let fits = (0..DIMENSIONS).all(|at| {
                    (0..=self.program.frames[step].last[at] as i64)
                        .contains(&(x[at] - i64::from(entry.cost[at])))
                });
                fits && self.source(step, entry, *x) == Some(*left)
            };
            let those = || {
                let of = |(state, x): &(usize, Vector)| {
                    let x = *x;
                    entries(*state)
                        .iter()
                        .filter(move |entry| explains(entry, &x))
                        .map(move |entry| (*entry, x))
                };
                nodes.iter().flat_map(of).collect::<Vec<_>>()
            };
            let found = those();
            let item = found.iter().map(|(entry, _)| entry.item).min().expect("some item explains the value");
            let mut before: Vec<(usize, Vector)> = Vec::new();
            let mut value = 0;
            for (entry, x) in found.iter().filter(|(entry, _)| entry.item == item) {
                value = entry.value;
                let from = std::array::from_fn(|at| x[at] - i64::from(entry.cost[at]));
                let node = (entry.state as usize, from);
                // The kernel has room for one node per state.
                match before.iter().find(|(state, _)| *state == node.0) {
                    Some(same) => assert_eq!(*same, node, "one node per state"),
                    None => before.push(node),
                }
            }
            *left -= value;
            items[step] = self.program.numbers[step][item as usize];
            *nodes = before;
        }
    }
}

/// All points by the kernels' arithmetic, with memory for a share of the tables.
fn emulated(problem: &Problem, share: u64) -> Result<(Vec<Point>, usize), EngineError> {
    let Some(program) = Program::new(problem)? else { return Ok((Vec::new(), 1)) };
    let cells: Vec<u64> = (0..program.frames.len()).map(|at| program.cells(at).unwrap()).collect();
    let total: u64 = cells.iter().sum();
    if total > 300_000 {
        return Err(EngineError::TooLarge(String::new()));
    }
    let places = Places::kept(&cells, total * share / 100);
    let places = places.or_else(|fewest| Places::kept(&cells, fewest)).unwrap();
    let mut tables =
        Emulated { program: &program, places: &places, cells: vec![1 << 50; places.cells as usize] };
    let begin = places.starts[0] as usize;
    tables.cells[begin] = 0;
    (0..places.segments.len()).for_each(|segment| tables.fill(segment));
    let found = tables.points();
    let mut walkers: Vec<_> =
        found.iter().map(|&(x, value)| (vec![(0, x)], value, vec![0; program.steps.len()])).collect();
    for segment in (0..places.segments.len()).rev() {
        if segment + 1 < places.segments.len() {
            tables.fill(segment);
        }
        walkers.iter_mut().for_each(|(nodes, left, items)| tables.walk(segment, nodes, left, items));
    }
    let point = |((x, value), (nodes, left, items)): (&(Vector, i64), Walker)| {
        assert_eq!((nodes, left), (vec![(0, [0; DIMENSIONS])], 0));
        let costs = x.iter().zip(&program.units).map(|(&x, [unit, base])| x as u64 * unit + base);
        (costs.collect(), (&program.offset + value).to_string(), items)
    };
    Ok((found.iter().zip(walkers).map(point).collect(), places.segments.len()))
}

#[test]
fn every_point_and_its_items_are_those_of_the_reference() {
    let (cases, machine) = (cases(3_000), Machine::default());
    let mut sampler = Sampler::new(41);
    let (mut found, mut divided, mut compared) = (0, 0, 0);
    for case in 0..cases {
        let problem = random(&mut sampler, For::Tables);
        let (found_here, segments) = match emulated(&problem, sampler.uniform(30, 100)) {
            Err(EngineError::TooLarge(_)) => continue,
            other => other.unwrap(),
        };
        assert_eq!(found_here, points("reference", &problem, &machine), "case {case}: {problem:?}");
        found += found_here.len() as u64;
        compared += 1;
        divided += u64::from(segments > 1);
    }
    assert!(2 * found > cases && compared > cases / 2, "{found} points in {compared} of {cases}");
    assert!(divided > cases / 20, "{divided} divided");
}

#[test]
fn the_worked_instance_has_the_documented_entries() {
    let item = |value: i64, cost: u64, uses: &[u32]| Item {
        value: value.into(),
        cost: vec![cost],
        loads: vec![],
        uses: uses.to_vec(),
        number: 0,
    };
    let problem = Problem {
        classes: vec![vec![item(0, 0, &[]), item(3, 1, &[0])], vec![item(0, 0, &[]), item(4, 2, &[0])]],
        elements: vec![Element { built: vec![5], unbuilt: vec![0], group: None }],
        limits: vec![8],
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    };
    let program = Program::new(&problem).unwrap().unwrap();
    let entries = |step: usize, state: usize| {
        let step = &program.steps[step];
        step.entries[step.range(state)]
            .iter()
            .map(|entry| (entry.state, entry.value, entry.cost[0]))
            .collect::<Vec<_>>()
    };
    assert_eq!((entries(0, 0), entries(0, 1)), (vec![(0, 0, 0)], vec![(0, 3, 6)]));
    assert_eq!(entries(1, 0), [(0, 0, 0), (1, 0, 0), (0, 4, 7), (1, 4, 2)]);
    assert_eq!(program.frames.iter().map(|frame| frame.last[0]).collect::<Vec<_>>(), [0, 6, 8]);
}

#[test]
fn what_the_tables_cannot_hold_is_refused() {
    let item = |cost: Vec<u64>, value: BigInt| Item { value, cost, loads: vec![], uses: vec![], number: 0 };
    let problem = |costs: [Vec<u64>; 2], value: BigInt| {
        let [a, b] = costs;
        let limits = vec![u64::MAX; a.len()];
        let classes = vec![vec![item(a, 0.into()), item(b, value)]];
        Problem { classes, elements: vec![], limits, objectives: 1, modes: 0, goal: Goal::Front }
    };
    let refused = |problem: &Problem| Program::new(problem).unwrap_err().to_string();
    let seven = problem([vec![0; 7], vec![1; 7]], 1.into());
    assert_eq!(refused(&seven), "is not available: its tables have up to 6 resources, and the problem has 7");
    let mut long = problem([vec![0], vec![1 << 31]], 1.into());
    long.classes.push(vec![item(vec![0], 0.into()), item(vec![1], 0.into())]);
    assert_eq!(refused(&long), "a table would have 2147483649 cells along resource 1");
    let mut open = problem([vec![0], vec![1]], 1.into());
    open.elements = vec![Element { built: vec![1], unbuilt: vec![0], group: None }; 16];
    open.classes[0][1].uses = (0..16).collect();
    let why = "is not available: keeps a table for every set of open elements, and 16 are open at once";
    assert_eq!(refused(&open), why);
    let wide = problem([vec![0], vec![1]], BigInt::from(1) << 70);
    assert_eq!(refused(&wide), "has no i128 arithmetic");
}
