//! How many points a front is expected to have.

/// Points that a front is expected to have: `share` times the square of the logarithm of the number of selections of one
/// item per class, of which there are `sizes`, and no more than selections and `cells`.
///
/// Of N vectors with independent random figures in three dimensions, (ln N)^2 / 2 are expected to be undominated (J.
/// Bentley, H. Kung, M. Schkolnick and C. Thompson, "On the average number of maxima in a set of vectors", Journal of the
/// ACM 25(4), 1978). Sums of the figures of classes have more: about (ln N)^2 in random problems with two resources.
pub fn expected_points(sizes: impl Iterator<Item = usize>, share: f64, cells: f64) -> f64 {
    let logarithm: f64 = sizes.map(|size| (size.max(1) as f64).ln()).sum();
    (share * logarithm * logarithm).min(logarithm.exp()).min(cells).max(1.0)
}
