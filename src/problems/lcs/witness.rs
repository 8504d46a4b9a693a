//! Checks a claim against the sequences, without any engine.

use super::{Claim, Lcs};
use crate::mismatch::Mismatch;

/// Checks that the positions exist, increase in both sequences, hold equal letters, and match the length in number.
/// It cannot show that the length is the maximum. Of a length without positions it only checks that it does not exceed
/// that of either sequence.
///
/// ```
/// use isx_problems::lcs::{Claim, Lcs, witness};
/// let problem = Lcs { a: b"abc".to_vec(), b: b"xbac".to_vec() };
/// let claim = |pairs: &[_]| Claim { length: 2, pairs: Some(pairs.to_vec()) };
/// assert!(witness(&problem, &claim(&[(0, 2), (2, 3)])).is_ok());
/// assert_eq!(witness(&problem, &claim(&[(0, 2), (2, 1)])).unwrap_err().what, "positions");
/// ```
pub fn witness(problem: &Lcs, claim: &Claim) -> Result<(), Mismatch> {
    let wrong = |point, what, summed: String, claimed: String| Err(Mismatch { point, what, summed, claimed });
    let Some(pairs) = &claim.pairs else {
        let most = problem.a.len().min(problem.b.len()) as u64;
        return match claim.length <= most {
            true => Ok(()),
            false => wrong(0, "length", format!("at most {most}"), claim.length.to_string()),
        };
    };
    let mut before: Option<(usize, usize)> = None;
    for (at, &(a, b)) in pairs.iter().enumerate() {
        if before.is_some_and(|(a_before, b_before)| a <= a_before || b <= b_before) {
            return wrong(at, "positions", format!("({a}, {b}), no later in both"), "rising ones".into());
        }
        match (problem.a.get(a), problem.b.get(b)) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => {
                return wrong(at, "letters", format!("{one} and {other}"), "equal ones".into());
            }
            _ => {
                let ends = format!("ends at {} and {}", problem.a.len(), problem.b.len());
                return wrong(at, "positions", ends, format!("({a}, {b})"));
            }
        }
        before = Some((a, b));
    }
    if pairs.len() as u64 != claim.length {
        return wrong(0, "length", pairs.len().to_string(), claim.length.to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        let problem = Lcs { a: b"abcab".to_vec(), b: b"acb\xff".to_vec() };
        let what = |length, pairs: Option<&[(usize, usize)]>| {
            let claim = Claim { length, pairs: pairs.map(<[_]>::to_vec) };
            witness(&problem, &claim).map_err(|mismatch| mismatch.what)
        };
        assert_eq!(what(3, Some(&[(0, 0), (2, 1), (4, 2)])), Ok(()));
        assert_eq!(what(0, Some(&[])), Ok(()));
        assert_eq!(what(2, Some(&[(0, 0), (2, 1), (4, 2)])), Err("length"));
        assert_eq!(what(4, Some(&[(0, 0), (2, 1), (4, 2)])), Err("length"));
        assert_eq!(what(2, Some(&[(0, 0), (2, 2)])), Err("letters"));
        assert_eq!(what(2, Some(&[(0, 0), (0, 1)])), Err("positions"));
        assert_eq!(what(2, Some(&[(0, 0), (3, 0)])), Err("positions"));
        assert_eq!(what(2, Some(&[(2, 1), (1, 2)])), Err("positions"));
        assert_eq!(what(1, Some(&[(5, 0)])), Err("positions"));
        assert_eq!(what(1, Some(&[(0, 4)])), Err("positions"));
        assert_eq!((what(4, None), what(5, None)), (Ok(()), Err("length")));
    }
}
