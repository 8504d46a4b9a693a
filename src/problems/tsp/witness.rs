//! Recomputes a claim from its tour, with the problem's own distances and without any engine.

use super::{Claim, Tsp};
use crate::mismatch::Mismatch;

/// Checks that the tour begins with the first city, visits each city once, and has the claimed length. Fails with the
/// first [`Mismatch`].
///
/// ```
/// use isx_problems::tsp::{Claim, Tsp, witness};
/// let problem = Tsp::new(vec![1, 2, 3], vec![0, 1, 9, 9, 0, 2, 3, 9, 0]).unwrap();
/// let claim = |length| Claim { length, tour: vec![0, 1, 2] };
/// assert!(witness(&problem, &claim(6)).is_ok());
/// assert_eq!(witness(&problem, &claim(5)).unwrap_err().what, "length");
/// ```
pub fn witness(problem: &Tsp, claim: &Claim) -> Result<(), Mismatch> {
    let wrong = |what, summed: String, claimed: String| Err(Mismatch { point: 0, what, summed, claimed });
    let cities = problem.cities();
    if claim.tour.len() != cities {
        return wrong("cities", cities.to_string(), claim.tour.len().to_string());
    }
    let mut visited = vec![false; cities];
    for (at, &city) in claim.tour.iter().enumerate() {
        if city >= cities || (at == 0 && city != 0) || std::mem::replace(&mut visited[city], true) {
            return wrong(
                "a tour",
                "with each city once, the first one first".into(),
                format!("city {city} at {at}"),
            );
        }
    }
    let next = claim.tour.iter().cycle().skip(1);
    let length: i128 =
        claim.tour.iter().zip(next).map(|(&from, &to)| i128::from(problem.distance(from, to))).sum();
    if length != i128::from(claim.length) {
        return wrong("length", length.to_string(), claim.length.to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        let far = 1 << 59;
        let problem = Tsp::new(vec![7, 8, 9], vec![0, far, 1, 1, 0, far, far, 1, 0]).unwrap();
        let what = |length: i64, tour: &[usize]| {
            witness(&problem, &Claim { length, tour: tour.to_vec() }).map_err(|mismatch| mismatch.what)
        };
        assert_eq!(what(3 * far, &[0, 1, 2]), Ok(()));
        assert_eq!(what(3, &[0, 2, 1]), Ok(()));
        assert_eq!(what(4, &[0, 2, 1]), Err("length"));
        assert_eq!(what(3, &[2, 1, 0]), Err("a tour"));
        assert_eq!(what(2, &[0, 2, 2]), Err("a tour"));
        assert_eq!(what(2, &[0, 2, 3]), Err("a tour"));
        assert_eq!(what(2, &[0, 2]), Err("cities"));
        assert_eq!(what(3, &[0, 2, 1, 0]), Err("cities"));
        let alone = Tsp::new(vec![1], vec![5]).unwrap();
        assert_eq!(witness(&alone, &Claim { length: 0, tour: vec![0] }), Ok(()));
    }
}
