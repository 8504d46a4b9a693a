//! What the table shows, and that it fits.

use super::*;
use crate::testing::{
    demo, demo_tasks, front_of, front_within, random, shared, sharing_fronts, unlike_fronts,
};
use isx_design::exploration::Exploration;
use isx_design::schedulability::{Smallest, SmallestSchedulable};
use isx_exact::quantity::Rational;
use isx_exact::quantity::format_decimal;

fn print(front: &Exploration, options: &Options) -> String {
    let mut bytes = Vec::new();
    write(&Front::of(front), options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn blocks_are_cut_where_there_is_little_room() {
    let text = print(&shared(), &Options { width: 40, ..Options::default() });
    let wanted = "\
shared
Exact Pareto front of 6 designs, checked

 area/NAND2  utilization  EDF
      changes from the row above
          0     1.510000   no
      all in software
        120     1.310000   no
      fir=small; +mul16
        305     1.070000   no
      fir=large; +mul32 -mul16
        486     0.750000  yes
      aes=saes32, sm4=ssm4 … 3 more
        606     0.550000  yes
      fir=small; +mul16
        791     0.310000  yes
      fir=large; +mul32 -mul16

Software only: utilization 1.510000, not
               schedulable
Smallest schedulable area: 486 NAND2,
  utilization 0.750000
  with aes=saes32, sm4=ssm4
  blocks sbox
Smallest area with 10, 20, 30 % margin:
  486, 486, 486 NAND2
";
    assert_eq!(text, wanted);
}

#[test]
fn long_fronts_are_cut_and_show_the_smallest_schedulable_point() {
    let front = front_of(&random(14, 6, 3));
    assert!(front.front.len() > 100, "{}", front.front.len());
    let SmallestSchedulable::At(smallest) = &front.verdicts.smallest else {
        panic!("meant to be schedulable")
    };
    for max_rows in [3, 4, 10, 20] {
        let options = Options { max_rows, rest: Some("see front.csv"), ..Options::default() };
        let text = print(&front, &options);
        let rows: Vec<&str> =
            text.lines().filter(|line| line.contains("  yes  ") || line.contains("   no  ")).collect();
        // At most three gaps can be too small to be worth a line.
        assert!((max_rows..=max_rows + 9).contains(&rows.len()), "{text}");
        let area = format!(" {} ", format_decimal(smallest.design.area()));
        assert!(rows.iter().any(|row| row.contains(&area) && row.contains("yes")), "{text}");
        assert!(text.contains("points not shown; see front.csv"), "{text}");
        let hidden: Vec<usize> = text
            .lines()
            .filter_map(|line| line.split_once('…')?.1.split_once(" point"))
            .map(|(count, _)| count.trim().replace(',', "").parse().unwrap())
            .collect();
        assert!(hidden.iter().all(|&points| points > 3), "{text}");
        // Points after the last shown row are hidden too, and reported at the end.
        assert_eq!(hidden.iter().sum::<usize>() + rows.len(), front.front.len(), "{text}");
    }
    let all = print(&front, &Options { max_rows: usize::MAX, ..Options::default() });
    assert_eq!(
        all.lines().filter(|line| line.contains("  yes  ") || line.contains("   no  ")).count(),
        front.front.len()
    );
    assert!(!all.contains("not shown"));
}

#[test]
fn areas_with_a_margin_are_given_or_why_not() {
    let mut front = demo();
    let line = |front: &Exploration| {
        let text = print(front, &Options { width: 100, ..Options::default() });
        let line = text.lines().find(|line| line.starts_with("Smallest area with "));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(line(&front), "Smallest area with 10, 20, 30 % margin: 640, 640, 640 NAND2");
    front.margins[2].smallest = Smallest::None;
    assert_eq!(line(&front), "Smallest area with 10, 20, 30 % margin: 640, 640 NAND2, none");
    front.margins[1].smallest = Smallest::Unknown("too long".into());
    assert_eq!(line(&front), "Smallest area with 10, 20, 30 % margin: 640 NAND2, not known, none");
    front.margins.clear();
    assert_eq!(line(&front), "");
    let cut = front_within(&demo_tasks(), 400);
    assert_eq!(
        line(&cut),
        "Smallest area with 10, 20, 30 % margin: none, none, none (within the area budget)"
    );
}

#[test]
fn lines_keep_to_the_width() {
    let mut lines = 0;
    for front in unlike_fronts().into_iter().chain(sharing_fronts()) {
        for width in [40, 50, 80, 132] {
            let text = print(&front, &Options { width, max_rows: 8, ..Options::default() });
            for line in text.lines() {
                assert!(columns(line) <= width, "{width}: {line}");
                lines += 1;
            }
        }
    }
    assert!(lines > 200);
}

#[test]
fn what_does_not_fit_is_counted() {
    let items = ["fir=mac", "aes=v3", "log=fast"].map(str::to_owned);
    let listed = |room| some_of(&items, room);
    assert_eq!(listed(25), "fir=mac, aes=v3, log=fast");
    assert_eq!(listed(24), "fir=mac, aes=v3 … 1 more");
    assert_eq!(listed(23), "fir=mac … 2 more");
    assert_eq!(listed(15), "fir=m… … 2 more");
    for room in 12..40 {
        assert!(columns(&listed(room)) <= room, "{room}");
    }
}

#[test]
fn a_utilization_just_off_one_is_not_printed_as_one() {
    let near = |numerator: i64| utilization(&Rational::new(numerator.into(), 1_000_000_000.into()));
    assert_eq!(near(1_000_000_000), "1.000000");
    assert_eq!(near(1_000_000_001), ">1.000000");
    assert_eq!(near(999_999_999), "<1.000000");
    assert_eq!(near(999_000_000), "0.999000");
}
