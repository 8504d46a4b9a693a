//! Curves of small sweeps, and of records made by hand.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::chunk::{Memory, record};
use crate::record::Record;
use crate::stored::Writer;
use isx_exact::quantity::Rational;
use isx_machine::Machine;
use isx_pages::svg::lines::draw_lines;
use num_traits::One;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::Path;

fn spec(text: &str) -> Spec {
    Spec::read("sweep.yaml", text.as_bytes(), Path::new("")).unwrap()
}

/// The curves of these records, written to a file and read again.
fn curves(spec: &Spec, records: Vec<Record>) -> Curves {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged.parquet");
    let mut file = File::create(&path).unwrap();
    let mut writer = Writer::new(spec, &mut file).unwrap();
    writer.add(records).unwrap();
    writer.finish().unwrap();
    let (read, curves) = Curves::read(&path).unwrap();
    assert_eq!(read.sha256(), spec.sha256());
    curves
}

/// All sets, measured.
fn measured(spec: &Spec) -> Vec<Record> {
    let machine = Machine::default().with_threads(1);
    let sets = (0..spec.points()).flat_map(|point| (0..spec.sets_per_point).map(move |index| (point, index)));
    let all = sets.flat_map(|(point, index)| (0..spec.pairs()).map(move |pair| (point, index, pair)));
    all.map(|(point, index, pair)| {
        record(spec, point, index, pair, &machine, &mut Memory::default()).unwrap()
    })
    .collect()
}

/// Four sets of utilization 1/2 and four of 3/2, judged under two schedulers: under the second one is left undecided.
fn by_hand() -> (Spec, Vec<Record>) {
    let spec = spec(
        "{schema: isx.sweep/1, seed: 1, sets_per_point: 4, grid: {utilization: [\"0.5\", \"1.5\"]},\n\
         paired: {scheduler: [edf, rm]}, recipe: {tasks: 4}, measure: [min_area, breakdown], budgets: [0, 100]}",
    );
    let mut records = Vec::new();
    for (point, utilization) in [(0, (1, 2)), (1, (3, 2))] {
        for index in 0..4 {
            for pair in 0..2 {
                let passes = point == 0 && !(pair == 1 && index == 3);
                let open = point == 1 && pair == 1 && index == 0;
                let area = Rational::from_integer((10 * (index + 1)).into());
                let any = passes || index < 2;
                let min_area = any.then_some(area).filter(|_| !open);
                let low = if open { Some(Rational::default()) } else { min_area.clone() };
                let breakdown = (index > 0).then(|| Rational::new((index + 1).into(), 4.into()));
                let ends = breakdown
                    .clone()
                    .map_or([0, 1].map(|end| Some(Rational::from_integer(end.into()))), |known| {
                        [Some(known.clone()), Some(known)]
                    });
                records.push(Record {
                    point,
                    index,
                    pair,
                    utilization: Rational::new(utilization.0.into(), utilization.1.into()),
                    least_utilization: None,
                    area_bounds: [low, min_area.clone()],
                    min_area,
                    accepted_any: (!open).then_some(any),
                    accepted: vec![Some(passes), (!open).then_some(any)],
                    breakdown,
                    breakdown_bounds: ends,
                    points: None,
                    unknown: open,
                });
            }
        }
    }
    (spec, records)
}

#[test]
fn curves_count_every_verdict_once() {
    let (spec, records) = by_hand();
    let curves = curves(&spec, records);
    assert_eq!(curves.tests, ["area 0", "area 100", "any area"]);
    let counts: Vec<Vec<(u64, u64)>> = curves
        .cells
        .iter()
        .map(|cell| cell.shares.iter().map(|share| (share.accepted, share.unknown)).collect())
        .collect();
    assert_eq!(
        counts,
        [
            vec![(4, 0), (4, 0), (4, 0)],
            vec![(3, 0), (3, 0), (3, 0)],
            vec![(0, 0), (2, 0), (2, 0)],
            vec![(0, 0), (1, 1), (1, 1)],
        ]
    );
    let ends = |ends: [[Option<i64>; 2]; 3]| {
        ends.map(|ends| ends.map(|end| end.map(|end| Rational::from_integer(end.into()))))
    };
    let both = |numbers: [Option<i64>; 3]| ends(numbers.map(|number| [number, number]));
    assert_eq!(curves.cells[0].areas, both([Some(10), Some(20), Some(40)]));
    assert_eq!(curves.cells[2].areas, both([Some(10), Some(20), None]));
    // Of the set that was not decided, any area may be the least, and none may be enough.
    assert_eq!(curves.cells[3].areas, ends([[Some(0), Some(20)], [Some(20), None], [None, None]]));
    let sixteenths = [9, 13].map(|part| Some(Rational::new(part.into(), 16.into())));
    assert_eq!(mean_breakdown(&curves.cells[0]), sixteenths, "of 2/4, 3/4, 1, and one from 0 to 1");
    // Of eight sets each, the first scheduler alone accepts one; one more is open under the second.
    let pairs: Vec<_> = curves.pairs.iter().map(|pair| (pair.pairs, pair.only, pair.unknown)).collect();
    assert_eq!(pairs, [((0, 1), (1, 0), 0), ((0, 1), (1, 0), 1), ((0, 1), (1, 0), 1)]);
    // Of a sum of 8, sets of 4 * 1/2 pass without area, and with the larger budget two of 3/2 more.
    let sums = weighted(&spec, &curves);
    let ends = |sum: usize, test: usize| {
        weighted_ends(&sums[sum], &sums[sum].shares[test]).map(|end| end.unwrap().to_string())
    };
    assert_eq!(
        (ends(0, 0), ends(0, 1)),
        (["1/4", "1/4"].map(str::to_owned), ["5/8", "5/8"].map(str::to_owned))
    );
    assert_eq!(ends(1, 1), ["3/8", "9/16"].map(str::to_owned));
}

#[test]
fn the_table_and_the_document_say_the_same() {
    let (spec, records) = by_hand();
    let curves = curves(&spec, records);
    let mut csv = Vec::new();
    let table = table(&spec, &curves);
    table.write_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "utilization,scheduler,sets,mean_utilization,accepted_area_0,unknown_area_0,ratio_area_0,low_area_0,high_area_0,\
         accepted_area_100,unknown_area_100,ratio_area_100,low_area_100,high_area_100,accepted_any_area,unknown_any_area,\
         ratio_any_area,low_any_area,high_any_area,mean_breakdown_low,mean_breakdown_high,unknown_breakdown,min_area_10_low,\
         min_area_10,min_area_50_low,min_area_50,min_area_90_low,min_area_90"
    );
    assert_eq!(
        lines[4],
        "1.5,rm,4,1.500000000,0,0,0.000000000,0.000000000,0.602364636,1,1,0.250000000,0.006309463,0.932414014,1,1,\
         0.250000000,0.006309463,0.932414014,0.562500000,0.812500000,1,0,20,20,,,"
    );
    let mut parquet = Vec::new();
    table.write_parquet(&mut parquet).unwrap();
    let file = SerializedFileReader::new(bytes::Bytes::from(parquet)).unwrap();
    let rows: Vec<String> = file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(
        rows[3],
        "{utilization: 1.5, scheduler: \"rm\", sets: 4, mean_utilization: 1.5, accepted_area_0: 0, unknown_area_0: 0, \
         ratio_area_0: 0E0, low_area_0: 0E0, high_area_0: 0.602364636, accepted_area_100: 1, unknown_area_100: 1, \
         ratio_area_100: 0.25, low_area_100: 0.006309463, high_area_100: 0.932414014, accepted_any_area: 1, \
         unknown_any_area: 1, ratio_any_area: 0.25, low_any_area: 0.006309463, high_any_area: 0.932414014, \
         mean_breakdown_low: 0.5625, mean_breakdown_high: 0.8125, unknown_breakdown: 1, min_area_10_low: 0.0, \
         min_area_10: 20.0, min_area_50_low: 20.0, min_area_50: null, min_area_90_low: null, min_area_90: null}"
    );
    let keys = file.metadata().file_metadata().key_value_metadata().unwrap();
    let keys: Vec<_> = keys.iter().map(|key| (key.key.as_str(), key.value.as_deref())).collect();
    assert!(keys.contains(&("isx.sweep", Some(spec.canonical()))), "{keys:?}");
    let document = document(&spec, &curves);
    assert_eq!((&document["sets"], &document["points"]), (&json!(8), &json!(2)));
    assert_eq!(
        document["cells"][3]["tests"][1],
        json!({"test": "area 100", "accepted": 1, "unknown": 1, "ratio": "0.250000000", "low": "0.006309463", "high": "0.932414014"})
    );
    assert_eq!(
        document["pairs"][0],
        json!({
            "test": "area 0", "first": "scheduler=edf", "second": "scheduler=rm", "only_first": 1, "only_second": 0,
            "unknown": 0, "p": "1.000000000000",
        })
    );
    assert_eq!(
        document["weighted"][1],
        json!({"values": {"scheduler": "rm"}, "tests": [
            {"test": "area 0", "least": "0.187500000", "most": "0.187500000"},
            {"test": "area 100", "least": "0.375000000", "most": "0.562500000"},
            {"test": "any area", "least": "0.375000000", "most": "0.562500000"},
        ]})
    );
}

#[test]
fn pictures_have_a_line_per_combination_and_a_band_around_it() {
    let (spec, records) = by_hand();
    let charts = charts(&spec, &curves(&spec, records));
    let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Acceptance ratio, area 0",
            "Acceptance ratio, area 100",
            "Acceptance ratio, any area",
            "Least area, median",
            "Breakdown utilization, mean"
        ]
    );
    let lines = &charts[1].panels[0].lines;
    assert_eq!(charts[1].names(), ["scheduler=edf", "scheduler=rm"]);
    assert_eq!(lines[1].points, [(0.5, 0.75), (1.5, 0.25)]);
    assert!(
        lines[1].band.iter().zip(&lines[1].points).all(|(band, point)| band.0 < point.1 && point.1 < band.1)
    );
    for chart in &charts {
        let svg = draw_lines(chart);
        assert!(svg.contains("scheduler=rm") && !svg.contains("NaN"), "{svg}");
        assert_eq!(
            svg.matches("fill-opacity").count(),
            chart.panels[0].lines.iter().filter(|line| !line.band.is_empty()).count()
        );
    }
}

/// Without choices EDF accepts what does not pass utilization 1, and so does rate-monotonic scheduling where every period
/// divides the longer ones.
#[test]
fn acceptance_is_a_step_where_utilization_decides() {
    for (scheduler, periods) in [("edf", "1ms..1s/10us"), ("rm", "harmonic:1ms..64ms")] {
        let spec = spec(&format!(
            "{{schema: isx.sweep/1, seed: 3, sets_per_point: 25, grid: {{utilization: [\"0.7\", \"0.999\", \"1\", \"1.001\"]}},\n\
             recipe: {{tasks: 6, utilizations: fixed-sum, choices: 0, scheduler: {scheduler}, periods: \"{periods}\"}}, budgets: [0]}}"
        ));
        let records = measured(&spec);
        for record in &records {
            assert_eq!(record.accepted, [Some(record.utilization <= Rational::one())], "{record:?}");
        }
        let curves = curves(&spec, records);
        let accepted: Vec<u64> = curves.cells.iter().map(|cell| cell.shares[0].accepted).collect();
        assert_eq!((accepted[0], accepted[1], accepted[3]), (25, 25, 0));
        // At 1 the rounding of WCETs to cycles decides.
        assert!((1..25).contains(&accepted[2]), "{accepted:?}");
    }
}

#[test]
fn a_page_holds_pictures_figures_and_the_specification() {
    let (spec, records) = by_hand();
    let curves = curves(&spec, records);
    let mut page = Vec::new();
    write_page("a sweep <1>", &spec, &curves, &Origin::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<title>a sweep &lt;1&gt; – isx report</title>") && !page.contains("{{"));
    assert_eq!(
        (page.matches("<svg ").count(), page.matches("<style>").count()),
        (charts(&spec, &curves).len(), 1)
    );
    // The pictures follow the colors of the page.
    assert!(page.contains(
        ":root[data-theme=\"dark\"]:not([data-paper]) .isx-front [fill=\"#ffffff\"]{fill:#15191e}"
    ));
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["sweep"], document(&spec, &curves));
}

#[test]
fn a_page_says_how_many_pictures_it_leaves_out() {
    let values: Vec<String> = (1..=200).map(|tasks| tasks.to_string()).collect();
    let spec = spec(&format!(
        "{{schema: isx.sweep/1, seed: 1, sets_per_point: 1, grid: {{utilization: [\"0.5\", \"0.6\"], tasks: [{}]}},\n\
         recipe: {{max_task_utilization: 1}}, budgets: [0]}}",
        values.join(", ")
    ));
    let record = |point| Record {
        point,
        index: 0,
        pair: 0,
        utilization: Rational::one(),
        accepted: vec![Some(true)],
        ..Record::default()
    };
    let curves = curves(&spec, (0..400).map(record).collect());
    let mut page = Vec::new();
    write_page("many", &spec, &curves, &Origin::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    // 200 lines in pictures of six, and one of weighted schedulability.
    assert_eq!(page.matches("<svg ").count(), 30);
    assert!(page.contains("5 more pictures are left out; the table has all figures."));
}

/// With periods of many kinds a utilization has hundreds of digits.
#[test]
fn long_fractions_are_read_as_they_were_written() {
    let spec = spec("{schema: isx.sweep/1, seed: 1, sets_per_point: 1, measure: [breakdown]}");
    let long = || num_bigint::BigInt::from(7).pow(900);
    let utilization = Rational::new(long(), long() * 2 - 1);
    let breakdown = Some(Rational::new(long() + 1, long()));
    let record = Record {
        point: 0,
        index: 0,
        pair: 0,
        utilization: utilization.clone(),
        breakdown: breakdown.clone(),
        breakdown_bounds: [breakdown.clone(), breakdown],
        ..Record::default()
    };
    let curves = curves(&spec, vec![record]);
    assert_eq!(curves.cells[0].utilization, crate::statistics::on_grid(&utilization));
    assert_eq!(curves.cells[0].breakdown, (0, [u128::from(crate::statistics::GRID); 2]));
}
