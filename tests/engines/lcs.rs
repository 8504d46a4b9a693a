//! The engines for longest common subsequences: compared with brute force, with the textbook table and with each
//! other, in length, letters and positions.

use crate::common::Random;
use isx::engine::lcs::bitparallel::BitParallel;
use isx::engine::lcs::{Answer, ENGINES, Lcs as Family, Wanted};
use isx::engine::{Choice, Context, Engine, EngineError, Hardware, Refusal, Request};
use isx::machine::cpu::lanes::Isa;
use isx::machine::{Cancel, Machine};
use isx::problem::lcs::{Lcs, witness};
use isx::reduce::lcs::{Reduced, WayBack, reduce};
use isx::solve::SolveError;
use isx::solve::lcs::{Options, solve};

/// The length by the definition, with memoized results.
fn by_definition(a: &[u8], b: &[u8], known: &mut [Option<u64>]) -> u64 {
    let (Some((last_a, rest_a)), Some((last_b, rest_b))) = (a.split_last(), b.split_last()) else { return 0 };
    let at = a.len() * 64 + b.len();
    if let Some(length) = known[at] {
        return length;
    }
    let length = if last_a == last_b {
        1 + by_definition(rest_a, rest_b, known)
    } else {
        by_definition(rest_a, b, known).max(by_definition(a, rest_b, known))
    };
    known[at] = Some(length);
    length
}

/// A sequence over an alphabet of this size, whose letters may be any bytes.
fn sequence(random: &mut Random, most: u64, letters: u64) -> Vec<u8> {
    let length = random.within(0, most);
    let spread = if letters == 256 { 1 } else { 83 };
    (0..length).map(|_| (random.within(0, letters - 1) * spread) as u8).collect()
}

/// A copy of the sequence with some letters changed, dropped and inserted.
fn relative(random: &mut Random, of: &[u8], letters: u64) -> Vec<u8> {
    let mut relative = Vec::new();
    for &letter in of {
        match random.within(0, 9) {
            0 => {}
            1 => relative.extend([letter, (random.within(0, letters - 1)) as u8]),
            2 => relative.push((random.within(0, letters - 1)) as u8),
            _ => relative.push(letter),
        }
    }
    relative
}

/// The pair as engines get it, but with common ends kept.
fn whole(a: Vec<u8>, b: Vec<u8>) -> Reduced {
    let back = WayBack::default();
    Reduced { rows: a, columns: b, letters: 256, back }
}

fn answer(
    engine: &dyn Engine<Family>,
    problem: &Reduced,
    wanted: Wanted,
    machine: &Machine,
) -> Result<Answer, EngineError> {
    let context = Context::new(machine);
    engine.plan(Request { problem, wanted, context: &context })?.run()
}

/// The judge's answer.
fn judged(problem: &Reduced) -> Answer {
    let judge = ENGINES.judge().unwrap().engine;
    answer(judge, problem, Wanted::Subsequence, &Machine::default().with_threads(1)).unwrap()
}

/// Every CPU engine, and the bit-parallel one with every instruction set.
fn engines() -> Vec<(String, Box<dyn Engine<Family>>)> {
    struct Of(&'static dyn Engine<Family>);
    impl Engine<Family> for Of {
        fn plan<'a>(
            &'a self,
            request: Request<'a, Family>,
        ) -> Result<isx::engine::Plan<'a, Family>, EngineError> {
            self.0.plan(request)
        }
    }
    let mut engines: Vec<(String, Box<dyn Engine<Family>>)> = Vec::new();
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu && !entry.judge) {
        engines.push((entry.name.into(), Box::new(Of(entry.engine))));
    }
    for isa in Isa::available() {
        engines.push((isa.name().into(), Box::new(BitParallel::on(isa))));
    }
    engines
}

#[test]
fn every_engine_gives_the_length_of_the_definition_and_the_letters_of_the_judge() {
    let cases: u64 = std::env::var("ISX_CASES").map_or(4000, |cases| cases.parse().unwrap());
    let machine = Machine::default().with_threads(1);
    let random = &mut Random(61);
    let engines = engines();
    let (mut compared, mut ties) = (0, 0);
    for case in 0..cases {
        let letters = [1, 2, 4, 256][case as usize % 4];
        let most = [3, 12, 40][case as usize % 3];
        let a = sequence(random, most, letters);
        let b =
            if random.one_in(3) { relative(random, &a, letters) } else { sequence(random, most, letters) };
        let length = by_definition(&a, &b[..b.len().min(60)], &mut vec![None; 64 * 64]);
        let b = b[..b.len().min(60)].to_vec();
        let expected = judged(&whole(a.clone(), b.clone()));
        assert_eq!(expected.length, length, "{a:?} {b:?}");
        // The same letters also occur elsewhere.
        let turned = judged(&whole(b.clone(), a.clone())).pairs.unwrap();
        let turned: Vec<_> = turned.into_iter().map(|(b, a)| (a, b)).collect();
        ties += u64::from(Some(turned) != expected.pairs);
        for (name, engine) in &engines {
            let problem = whole(a.clone(), b.clone());
            let found = answer(&**engine, &problem, Wanted::Subsequence, &machine).unwrap();
            assert_eq!((found.length, &found.pairs), (length, &expected.pairs), "{name}: {a:?} {b:?}");
            let found = answer(&**engine, &problem, Wanted::Length, &machine).unwrap();
            assert_eq!((found.length, found.pairs), (length, None), "{name}: {a:?} {b:?}");
            compared += 1;
        }
        let problem = Lcs { a, b };
        let solution = solve(&problem, &Options { machine: machine.clone(), ..Options::default() }).unwrap();
        assert_eq!(solution.claim.length, length, "{problem:?}");
        witness(&problem, &solution.claim).unwrap();
    }
    assert!(compared >= 2 * cases && ties * 20 > cases, "{compared} answers, {ties} ties over {cases} cases");
}

#[test]
fn what_is_reduced_has_the_judges_length_and_the_same_letters_from_every_engine() {
    let random = &mut Random(62);
    let mut smaller = 0;
    for case in 0..300 {
        let letters = [2, 4, 30][case % 3];
        let a = sequence(random, 60, letters);
        let b = relative(random, &a, letters);
        let problem = Lcs { a: a.clone(), b: b.clone() };
        let expected = judged(&whole(a, b)).length;
        let reduced = reduce(&problem);
        smaller += u64::from(reduced.cells() < (problem.a.len() * problem.b.len()) as u64);
        let mut claims = Vec::new();
        for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
            let options = Options { engine: Choice::Named(entry), ..Options::default() };
            claims.push(solve(&problem, &options).unwrap().claim);
        }
        assert!(claims.iter().all(|claim| claim.length == expected && *claim == claims[0]), "{problem:?}");
    }
    assert!(smaller > 200, "{smaller}");
}

#[test]
fn text_in_utf8_is_compared_byte_by_byte() {
    // ä is c3 a4, ö is c3 b6: their first bytes are equal.
    let problem = Lcs { a: "xä".into(), b: "öy".into() };
    let claim = solve(&problem, &Options::default()).unwrap().claim;
    assert_eq!((claim.length, claim.pairs), (1, Some(vec![(1, 0)])));
    let problem = Lcs { a: "日本語テキスト".into(), b: "日本のテスト".into() };
    let claim = solve(&problem, &Options::default()).unwrap().claim;
    assert!(claim.length >= 15, "five letters of three bytes: {claim:?}");
}

#[test]
fn lengths_about_the_borders_of_words_strips_and_tiles_are_right() {
    let random = &mut Random(63);
    let mut compared = 0;
    let borders = [1, 2, 63, 64, 65, 1023, 1024, 1025, 2047, 2049];
    let engines = engines();
    for case in 0..24 {
        let (rows, columns) = (random.pick(&borders), random.pick(&borders));
        let letters = [1u64, 2, 4, 256][case % 4];
        let mut text =
            |length: usize| -> Vec<u8> { (0..length).map(|_| random.within(0, letters - 1) as u8).collect() };
        let problem = whole(text(rows), text(columns));
        let expected = judged(&problem);
        for (name, engine) in &engines {
            for threads in [1, 3] {
                let machine = Machine::default().with_threads(threads);
                let found = answer(&**engine, &problem, Wanted::Subsequence, &machine).unwrap();
                assert_eq!(
                    (found.length, &found.pairs),
                    (expected.length, &expected.pairs),
                    "{name}, {threads} threads: {rows} x {columns} of {letters}"
                );
                let found = answer(&**engine, &problem, Wanted::Length, &machine).unwrap();
                assert_eq!(found.length, expected.length, "{name}: {rows} x {columns} of {letters}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 96);
}

#[test]
fn neither_threads_nor_memory_change_the_letters() {
    let random = &mut Random(64);
    let a: Vec<u8> = (0..9000).map(|_| random.within(0, 3)).collect();
    let b = relative(random, &a, 4);
    let problem = Lcs { a, b };
    let solved = |threads, memory| {
        let machine = Machine::default().with_threads(threads).with_max_memory(memory);
        solve(&problem, &Options { machine, ..Options::default() }).map(|solution| solution.claim)
    };
    let expected = solved(1, 1 << 30).unwrap();
    witness(&problem, &expected).unwrap();
    let mut refused = 0;
    for threads in [1, 2, 3, 8] {
        for memory in [1 << 30, 700_000, 640_000, 580_000, 500_000, 1000] {
            match solved(threads, memory) {
                Ok(claim) => assert_eq!(claim, expected, "{threads} threads, {memory} bytes"),
                Err(SolveError::Engine(Refusal { cause, .. })) => {
                    let over = cause.over_memory().unwrap();
                    assert!(over.needed > memory && over.allowed == memory);
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!((4..16).contains(&refused), "{refused}");
}

#[test]
fn a_computation_that_was_called_off_gives_no_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let problem = whole(vec![1; 3000], [1, 2].repeat(1500));
    for threads in [1, 2] {
        let machine = Machine::default().with_threads(threads).with_cancel(cancel.clone());
        for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
            let stopped = answer(entry.engine, &problem, Wanted::Subsequence, &machine);
            assert_eq!(stopped.unwrap_err(), EngineError::Cancelled, "{entry:?}");
        }
    }
}
