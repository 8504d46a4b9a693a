use super::*;
use crate::deviation::{deviations_at_one, set_at_one};
use crate::study_front::StudyFront;
use isx_machine::Machine;
use isx_mckp::ENGINES;
use isx_papers::thesis::float_front::FloatVariant;
use std::time::Duration;

fn settings() -> Settings<'static> {
    Settings { repeat: 2, patience: Duration::from_secs(5), machine: Machine::default(), tell: &|_| {} }
}

#[test]
fn every_small_set_has_a_design_at_one() {
    for seed in 0..200 {
        let formulation = formulate(&set_at_one(seed).unwrap(), None).unwrap();
        let planted = vec![Some(0); formulation.tasks.len()];
        assert_eq!(formulation.utilization(&planted).to_string(), "1", "seed {seed}");
    }
}

#[test]
fn floats_go_astray_and_exact_tables_do_not() {
    let deviations = deviations_at_one(300, &settings()).unwrap();
    for (variant, deviation) in &deviations {
        assert!(deviation.points > 1000, "{variant:?} {deviation:?}");
        assert!(deviation.spurious + deviation.wrong_verdicts > 0, "{variant:?} {deviation:?}");
    }
    let [double, single] = [0, 1].map(|at: usize| deviations[at].1);
    assert!(single.points >= double.points || single.missing >= double.missing);
}

#[test]
fn a_wrong_table_is_not_timed() {
    let study = Study::new(&set_at_one(7).unwrap(), None).unwrap();
    let contestant = |spoil: fn(&mut StudyFront), exact: bool| {
        let right = if exact {
            let list = ENGINES.named("list").unwrap();
            StudyContestant::engine("spoilt", (list.name, list.engine), false, 1)
        } else {
            StudyContestant::floats("spoilt", FloatVariant::DivF64)
        };
        let run = move |formulation: &Formulation, settings: &Settings| {
            let mut run = (right.run)(formulation, settings)?;
            spoil(&mut run.front);
            Ok(run)
        };
        StudyContestant { name: "spoilt", run: Box::new(run) }
    };
    let spoil = |front: &mut StudyFront| match front {
        StudyFront::Floats { utilizations, .. } => utilizations[1] += 1e-9,
        StudyFront::Exact { demands, .. } => demands[1] += 1,
    };
    for exact in [false, true] {
        assert!(study.measure(&contestant(|_| {}, exact), &settings()).unwrap().timed().is_some());
        let error = study.measure(&contestant(spoil, exact), &settings()).unwrap_err();
        assert!(matches!(error, BenchError::Wrong { .. }), "{error}");
    }
}
