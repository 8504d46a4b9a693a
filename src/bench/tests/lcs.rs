//! Common subsequences by anti-diagonals, compared with the judge.

#[path = "../../../tests/common/random.rs"]
mod random;

use isx_bench::lcs::ENGINES as COMPARED;
use isx_classics::lcs::{ENGINES, Wanted};
use isx_engine::Choice;
use isx_machine::{Cancel, Machine};
use isx_problems::lcs::Lcs;
use isx_solve::lcs::{Options, solve};
use random::Random;

#[test]
fn anti_diagonals_find_the_judges_letters_with_choices_made_twice_too() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut random = Random(61);
    let [waves, judge] = [COMPARED.named("wave"), ENGINES.judge()].map(|entry| Choice::Named(entry.unwrap()));
    let (mut twice, mut refused) = (0, 0);
    for case in 0..cases {
        let letters = random.pick(&[1u64, 2, 4, 256]);
        let mut text =
            |most: u64| (0..random.within(0, most)).map(|_| random.within(0, letters - 1) as u8).collect();
        let problem = Lcs { a: text(60), b: text(200) };
        let wanted = random.pick(&[Wanted::Length, Wanted::Subsequence]);
        let roomy = Machine::default().with_threads(random.within(1usize, 2));
        let answer = |engine, machine: &Machine| {
            solve(&problem, &Options { engine, wanted, machine: machine.clone(), ..Options::default() })
        };
        let expected = answer(judge, &roomy).unwrap().claim;
        for machine in [roomy.clone(), roomy.with_max_memory(random.within(4000, 30_000))] {
            let Ok(solution) = answer(waves, &machine) else {
                refused += 1;
                continue;
            };
            assert_eq!(solution.claim, expected, "case {case}: {problem:?} {wanted:?}");
            twice += usize::from(solution.account.how.contains("twice"));
        }
    }
    assert!(twice > 0 && refused < cases / 2, "{twice} tables were made twice, {refused} refused");
    let cancel = Cancel::default();
    cancel.cancel();
    let problem = Lcs { a: [0, 1].repeat(500), b: [1, 1, 0].repeat(300) };
    let machine = Machine::default().with_cancel(cancel);
    assert!(solve(&problem, &Options { engine: waves, machine, ..Options::default() }).is_err());
}
