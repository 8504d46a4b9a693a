//! Pictures of unlike fronts: well-formed, small, and no label on another.

use super::super::testing::{Dice, front_of, nasty, random, unlike_fronts};
use super::words::{figure, short_area};
use super::*;

/// A front that falls from `high` to `low` over areas up to `reach`.
fn falling(len: usize, (high, low): (f64, f64), reach: f64, seed: u64) -> PlotData {
    let mut dice = Dice(seed);
    let mut gaps = || (0..len).map(|at| if at == 0 { 0 } else { 1 + dice.roll(100) }).collect::<Vec<u64>>();
    let (widths, drops) = (gaps(), gaps());
    let total = |gaps: &[u64]| gaps.iter().sum::<u64>().max(1) as f64;
    let (width, drop) = (total(&widths), total(&drops));
    let (mut area, mut fallen) = (0, 0);
    let mut points = Vec::new();
    for (step, down) in widths.iter().zip(&drops) {
        (area, fallen) = (area + step, fallen + down);
        let utilization = high - (high - low) * fallen as f64 / drop;
        points.push(PlotPoint {
            area: area as f64 / width * reach,
            utilization,
            schedulable: Some(utilization <= 1.0),
        });
    }
    let smallest = points.iter().find(|point| point.schedulable == Some(true));
    let min_schedulable = smallest.map_or(PlotSmallest::Nowhere, |point| PlotSmallest::At {
        area_text: format!("{}", point.area),
        area: point.area,
        utilization: Some(point.utilization),
    });
    PlotData {
        title: format!("{len} points"),
        area_unit: "NAND2".into(),
        base: points[0],
        points,
        min_schedulable,
        complete: true,
        exact: true,
    }
}

/// Fronts of every size, place and scale that matters, and how to draw them.
fn gallery() -> Vec<(String, PlotData, Options)> {
    let mut gallery = Vec::new();
    let ranges =
        [(1.4, 0.6), (3.0, 1.2), (0.8, 0.3), (1.000_001, 0.999_989), (0.12, 0.11), (9.0, 8.9), (1.0, 0.5)];
    for (seed, len) in [1, 2, 3, 12, 300, 50_000].into_iter().enumerate() {
        for range in ranges {
            for reach in [1e-3, 5280.0, 1e15] {
                for log_area in [false, true] {
                    let data = falling(len, range, reach, seed as u64);
                    let name = format!("{len} points, U {range:?}, area {reach}, log {log_area}");
                    gallery.push((name, data, Options { log_area, ..Options::default() }));
                }
            }
        }
    }
    for front in unlike_fronts() {
        let data = PlotData::from_front(&front).unwrap();
        gallery.push((data.title.clone(), data, Options::default()));
    }
    let mut aside = falling(40, (1.3, 0.7), 4000.0, 9);
    aside.min_schedulable =
        PlotSmallest::At { area_text: "3000.5".into(), area: 3000.5, utilization: Some(0.98) };
    aside.complete = false;
    gallery.push(("off the front".into(), aside.clone(), Options::default()));
    aside.min_schedulable = PlotSmallest::At { area_text: "3000.5".into(), area: 3000.5, utilization: None };
    gallery.push(("utilization not known".into(), aside.clone(), Options::default()));
    aside.min_schedulable = PlotSmallest::Unknown;
    aside.base.utilization = 1.5;
    gallery.push((
        "undecided".into(),
        aside.clone(),
        Options { max_area: Some(777.0), ..Options::default() },
    ));
    gallery
}

struct Text {
    text: String,
    rect: Rect,
}

/// The boxes of the picture's texts, in pixels.
fn texts(svg: &str) -> Vec<Text> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap() / 100.0;
            let (x, y, size) = (number("x"), number("y"), number("font-size"));
            let text = node.text().unwrap().trim().to_owned();
            // DejaVu Sans, the widest common face, has digits of 0.636 em and lower-case letters of 0.59 em on average.
            let bold = if node.attribute("font-weight") == Some("bold") { 1.1 } else { 1.0 };
            let narrow = text.chars().filter(|c| "iljftr.,:;'()I -".contains(*c)).count() as f64;
            let width = (crate::report::text::columns(&text) as f64 - 0.5 * narrow) * size * 0.63 * bold;
            let left = match node.attribute("text-anchor").unwrap() {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            let rect = Rect { left, top: y - size * 0.5, right: left + width, bottom: y + size * 0.5 };
            Text { text, rect }
        })
        .collect()
}

#[test]
fn no_text_touches_another_or_leaves_the_picture() {
    let mut pairs = 0;
    for (name, data, options) in gallery() {
        let texts = texts(&draw(&data, &options).unwrap());
        assert!(texts.len() >= 8, "{name}");
        let page = Rect { left: 0.0, top: 0.0, right: WIDTH, bottom: HEIGHT };
        for (at, text) in texts.iter().enumerate() {
            let Text { text: words, rect } = text;
            let inside = rect.left >= page.left && rect.right <= page.right && rect.bottom <= page.bottom;
            assert!(inside && rect.top >= 0.0, "{name}: `{words}` at {rect:?}");
            for other in &texts[..at] {
                assert!(!rect.overlaps(&other.rect), "{name}: `{words}` and `{}`", other.text);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 10_000, "{pairs}");
}

#[test]
fn every_picture_says_what_matters() {
    let mut placed = 0;
    for (name, data, options) in gallery() {
        let svg = draw(&data, &options).unwrap();
        let words: Vec<String> = texts(&svg).into_iter().map(|text| text.text).collect();
        let has = |part: &str| words.iter().any(|text| text.contains(part));
        assert!(has("U = 1"), "{name}");
        assert!(has("software only"), "{name}: {words:?}");
        assert!(has("Utilization") && has("Area"), "{name}");
        match &data.min_schedulable {
            PlotSmallest::At { .. } => {
                assert!(has("smallest schedulable area") || has("schedulable, U = "), "{name}: {words:?}");
            }
            PlotSmallest::Nowhere => assert!(has("no design is schedulable"), "{name}: {words:?}"),
            PlotSmallest::Unknown => assert!(has("not decided"), "{name}: {words:?}"),
        }
        placed += usize::from(words.iter().any(|text| text == "software only"));
        if options.log_area && data.points.len() > 1 {
            assert!(has("logarithmic"), "{name}");
        }
    }
    // A label in the subtitle is the exception.
    assert!(placed * 10 > gallery().len() * 9, "{placed} of {}", gallery().len());
}

#[test]
fn large_fronts_stay_small_pictures() {
    for (name, data, options) in gallery() {
        let size = draw(&data, &options).unwrap().len();
        assert!(size < 100_000, "{name}: {size} bytes");
    }
    let size = draw(&falling(100_000, (1.4, 0.4), 4e5, 3), &Options::default()).unwrap().len();
    assert!(size < 100_000, "{size} bytes");
}

#[test]
fn few_points_are_each_marked() {
    let discs = |len: usize| {
        let svg = draw(&falling(len, (0.9, 0.3), 100.0, 1), &Options::default()).unwrap();
        svg.matches("<circle").count()
    };
    // The smallest schedulable point has a disc and a ring.
    assert_eq!(discs(12), 12 + 2);
    assert_eq!(discs(300), 2);
}

#[test]
fn nasty_names_are_text() {
    let mut data = PlotData::from_front(&front_of(&nasty())).unwrap();
    data.area_unit = "</desc><script>&]]>\u{202e}".into();
    for title in [None, Some("<script>alert(1)</script> ]]> & \u{0}\u{1b}\u{202e}\u{ffff}".to_owned())] {
        let svg = draw(&data, &Options { title: title.clone(), ..Options::default() }).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(!document.descendants().any(|node| node.has_tag_name("script")));
        assert!(!svg.contains('\u{202e}') && !svg.contains('\u{1b}'));
        let shown = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(shown.text().unwrap(), visible(title.as_ref().unwrap_or(&data.title)));
    }
}

#[test]
fn the_picture_speaks_to_screen_readers_and_to_dark_pages() {
    let svg = draw(&falling(3, (1.2, 0.8), 50.0, 1), &Options::default()).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(document.root_element().attribute("role"), Some("img"));
    let child = |name: &str| document.root_element().children().find(|node| node.has_tag_name(name)).unwrap();
    assert_eq!(child("title").text(), Some("3 points"));
    assert!(child("desc").text().unwrap().contains("Smallest schedulable area"));
    let style = child("style").text().unwrap();
    assert!(style.contains("prefers-color-scheme:dark"));
    // Every color in the picture has a dark counterpart.
    for node in document.descendants() {
        for color in ["fill", "stroke"].iter().filter_map(|name| node.attribute(*name)) {
            assert!(color == "none" || style.contains(&format!("=\"{color}\"]")), "{color}");
        }
    }
}

#[test]
fn a_largest_area_cuts_the_front() {
    let data = falling(300, (1.4, 0.6), 1000.0, 2);
    let options = |max_area| Options { max_area: Some(max_area), ..Options::default() };
    let svg = draw(&data, &options(200.0)).unwrap();
    assert!(svg.contains("of them shown"), "{svg}");
    assert!(svg.contains("schedulable only at areas beyond"));
    assert!(matches!(draw(&data, &options(0.0)), Err(DrawError::MaxArea(_))));
    assert!(matches!(draw(&data, &options(f64::NAN)), Err(DrawError::MaxArea(_))));
    let mut late = data.clone();
    late.points.remove(0);
    let first = late.points[0].area;
    assert!(matches!(draw(&late, &options(first / 2.0)), Err(DrawError::Empty { .. })));
}

#[test]
fn figures_just_off_one_do_not_read_one() {
    assert_eq!(figure(1.0), "1");
    assert_eq!(figure(0.999_999_95), "0.9999999");
    assert_eq!(figure(1.000_000_2), "1.0000002");
    assert_eq!(figure(1.25), "1.25");
    assert_eq!(figure(0.0), "0");
    assert_eq!(figure(1e15), "1.0000e15");
    assert_eq!(short_area("1234567"), "1,234,567");
    assert_eq!(short_area("1234.5"), "1234.5");
    assert_eq!(short_area("1234567890123456789012"), "≈ 1.234568e21");
}

/// Writes the gallery's pictures for somebody to look at: `ISX_PICTURES=DIR cargo test pictures -- --ignored`.
#[test]
#[ignore = "writes pictures to look at"]
fn pictures() {
    let directory = std::path::PathBuf::from(std::env::var_os("ISX_PICTURES").unwrap());
    let mut all = gallery();
    let front = front_of(&random(14, 6, 3));
    let long = Options { title: Some("A task set with a very long name, ".repeat(6)), ..Options::default() };
    all.push(("long name".into(), PlotData::from_front(&front).unwrap(), long));
    for (at, (name, data, options)) in all.iter().enumerate() {
        let mut data = data.clone();
        data.title.clone_from(name);
        std::fs::write(directory.join(format!("{at:03}.svg")), draw(&data, options).unwrap()).unwrap();
    }
}
