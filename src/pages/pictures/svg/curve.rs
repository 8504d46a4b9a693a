//! The steps of a front in pixels, reduced to those that are visible.
//!
//! The utilization within a budget is constant from one point's area to the next one's. Of the points in one column
//! of half a pixel only the first and the last are drawn: since utilization only falls, these are also the highest
//! and the lowest, so the column's ink is unchanged.

/// Width of a column, in pixels: one column of a display with two device pixels per pixel.
const COLUMN: f64 = 0.5;

/// Points in pixels, joined by lines.
type Path = Vec<(f64, f64)>;

/// Of points in pixels, x never falling, those that can be distinguished: at most two per column.
pub(super) fn thin(points: &mut dyn Iterator<Item = (f64, f64)>) -> Path {
    let column = |point: &(f64, f64)| (point.0 / COLUMN).floor();
    let mut kept: Path = Vec::new();
    for point in points {
        if let [.., first, last] = &kept[..]
            && [first, last].iter().all(|other| column(other) == column(&point))
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// The steps through the points: along each one's height to the next one's x, then down to it; the last height
/// continues to `end`.
pub(super) fn steps(points: &[(f64, f64)], end: f64) -> Path {
    let mut path: Path = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        path.extend([(pair[1].0, pair[0].1), pair[1]]);
    }
    path.extend(points.last().filter(|last| end > last.0).map(|last| (end, last.1)));
    path
}

/// The height of the steps through the points at `x`, which continue until `end`.
pub(super) fn height(points: &[(f64, f64)], end: f64, x: f64) -> Option<f64> {
    let before = points.partition_point(|point| point.0 <= x);
    if x > end { None } else { Some(points.get(before.checked_sub(1)?)?.1) }
}

/// Splits the steps at `x` into the part before it, including the drop at `x`, and the part after it; both contain
/// the point at `x`.
pub(super) fn cut_at(path: &[(f64, f64)], x: f64) -> (Path, Path) {
    let first = path.partition_point(|point| point.0 <= x);
    let (before, after) = path.split_at(first);
    let (mut before, mut after) = (before.to_vec(), after.to_vec());
    if let Some(&(last, height)) = before.last() {
        // The steps continue at the height of the last point before x.
        if last < x && !after.is_empty() {
            before.push((x, height));
        }
        after.insert(0, (if after.is_empty() { last } else { x }, height));
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_their_corners() {
        assert_eq!(steps(&[(0.0, 1.0), (3.0, 4.0)], 9.0), [(0.0, 1.0), (3.0, 1.0), (3.0, 4.0), (9.0, 4.0)]);
        assert_eq!(steps(&[(2.0, 1.0)], 2.0), [(2.0, 1.0)]);
        assert_eq!(steps(&[], 2.0), []);
    }

    #[test]
    fn a_cut_divides_the_run_it_meets() {
        let path = steps(&[(0.0, 1.0), (4.0, 4.0)], 9.0);
        let (before, after) = cut_at(&path, 2.0);
        assert_eq!(before, [(0.0, 1.0), (2.0, 1.0)]);
        assert_eq!(after, [(2.0, 1.0), (4.0, 1.0), (4.0, 4.0), (9.0, 4.0)]);
        let (before, after) = cut_at(&path, 4.0);
        assert_eq!(before, [(0.0, 1.0), (4.0, 1.0), (4.0, 4.0)]);
        assert_eq!(after, [(4.0, 4.0), (9.0, 4.0)]);
        assert_eq!(cut_at(&path, 0.0), (vec![(0.0, 1.0)], path.clone()));
        assert_eq!(cut_at(&path, -1.0), (vec![], path.clone()));
        assert_eq!(cut_at(&path, 9.5), (path.clone(), vec![(9.0, 4.0)]));
    }

    /// The highest and lowest y that the steps ink in each column.
    fn ink(path: &[(f64, f64)]) -> std::collections::BTreeMap<i64, (f64, f64)> {
        let mut columns = std::collections::BTreeMap::new();
        for pair in path.windows(2) {
            let column = |x: f64| (x / COLUMN).floor() as i64;
            for at in column(pair[0].0)..=column(pair[1].0) {
                let extent = columns.entry(at).or_insert((f64::INFINITY, f64::NEG_INFINITY));
                extent.0 = extent.0.min(pair[0].1.min(pair[1].1));
                extent.1 = extent.1.max(pair[0].1.max(pair[1].1));
            }
        }
        columns
    }

    #[test]
    fn thinning_inks_the_same_pixels() {
        let mut sampler = isx_exact::sampling::Sampler::new(5);
        for len in [1, 2, 10, 1000, 50_000] {
            let (mut x, mut y) = (0.0, 0.0);
            let step = 600.0 / f64::from(len);
            let mut point = |_| {
                x += step * sampler.uniform(0, 1999) as f64 / 1000.0;
                y += step * sampler.uniform(0, 1999) as f64 / 1000.0;
                (x, y)
            };
            let points: Vec<(f64, f64)> = (0..len).map(&mut point).collect();
            let thinned = thin(&mut points.iter().copied());
            assert!(thinned.len() <= 2 * 1300, "{}", thinned.len());
            assert_eq!(ink(&steps(&points, x + 5.0)), ink(&steps(&thinned, x + 5.0)), "{len}");
        }
    }
}
