//! Problems in TSPLIB format (G. Reinelt, "TSPLIB - a traveling salesman problem library", ORSA Journal on Computing
//! 3(4), 1991, and its documentation of 1995).
//!
//! ```text
//! NAME: four               text
//! TYPE: TSP                TSP or ATSP, the second with ways that need not be as long as the way back
//! DIMENSION: 4             number of cities
//! EDGE_WEIGHT_TYPE: EUC_2D EUC_2D, CEIL_2D, ATT, GEO, or EXPLICIT with an EDGE_WEIGHT_FORMAT
//! NODE_COORD_SECTION       a line `number x y` a city
//! 1 0 0
//! 2 3 4
//! 3 0 9.5
//! 4 7 1
//! EOF                      may be left out
//! ```
//!
//! Matrices (`EDGE_WEIGHT_SECTION`) contain whole numbers, of any sign, in FULL_MATRIX, UPPER_ROW, LOWER_ROW,
//! UPPER_DIAG_ROW, LOWER_DIAG_ROW or the same by columns; line breaks within them are ignored. Display data are read
//! and ignored; other sections and keywords are rejected, since they may change the optimal tour.
//!
//! # Rounding
//!
//! Distances are whole numbers, rounded as the documentation specifies, with `nint(x)` = x + 0.5 truncated to an
//! integer:
//!
//! | type | distance |
//! |---|---|
//! | EUC_2D | nint of the Euclidean distance |
//! | CEIL_2D | the Euclidean distance, rounded up |
//! | ATT | sqrt((dx^2 + dy^2) / 10), rounded up |
//! | GEO | coordinates as DDD.MM, degrees cut to an integer; PI = 3.141592, radius 6378.388; cut(RRR acos(..) + 1.0) |
//!
//! If both cities' coordinates are whole numbers, EUC_2D, CEIL_2D and ATT are computed exactly in integers of any
//! size. Decimal coordinates, and all of GEO, are read and computed as 64-bit floats, since the documentation defines
//! them so; only the resulting integer is used afterwards.

mod error;
mod header;
mod metric;
mod sections;
mod words;

pub use error::TsplibError;
pub use metric::{Coordinate, Metric};

use super::Tsp;
use error::{Place, refuse};
use header::{Header, Once};
use sections::{Cities, Matrix};
use words::Words;

/// A problem as read: name, numbers, and the source of its distances.
#[derive(Clone, Debug)]
pub struct Tsplib<'a> {
    name: String,
    cities: usize,
    symmetric: bool,
    weights: Weights<'a>,
}

#[derive(Clone, Debug)]
enum Weights<'a> {
    Between(Metric, Cities),
    Given(Matrix<'a>),
}

/// Reads a problem. Fails with a [`TsplibError`] that has line and column.
///
/// ```
/// use isx_problems::tsp::tsplib::parse;
/// let text = "NAME: two\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\nEOF\n";
/// let problem = parse(text).unwrap().problem().unwrap();
/// assert_eq!(problem.distance(0, 1), 5);
/// ```
pub fn parse(text: &str) -> Result<Tsplib<'_>, TsplibError> {
    let mut words = Words::new(text);
    let mut header = Header::default();
    let mut cities: Once<Cities> = None;
    let mut matrix: Once<Matrix<'_>> = None;
    while let Some(line) = words.line() {
        let entry = header::entry(&line)?;
        if entry.keyword == "EOF" {
            entry.no_value()?;
            words.end("EOF")?;
            break;
        }
        match entry.keyword {
            "NODE_COORD_SECTION" => {
                entry.no_value()?;
                header::once(&cities, &entry)?;
                let read = sections::cities(&mut words, header.dimension(&entry)?, "coordinate")?;
                cities = Some((read, entry.place));
            }
            "DISPLAY_DATA_SECTION" => {
                entry.no_value()?;
                sections::cities(&mut words, header.dimension(&entry)?, "display coordinate")?;
            }
            "EDGE_WEIGHT_SECTION" => {
                entry.no_value()?;
                header::once(&matrix, &entry)?;
                let (dimension, form) = (header.dimension(&entry)?, header.form(&entry)?);
                matrix = Some((sections::matrix(&mut words, dimension, form)?, entry.place));
            }
            _ => header.take(&entry)?,
        }
    }
    finish(header, cities, matrix, words.place())
}

fn finish<'a>(
    header: Header,
    cities: Once<Cities>,
    matrix: Once<Matrix<'a>>,
    end: Place,
) -> Result<Tsplib<'a>, TsplibError> {
    let missing = |what: &str, help: &str| refuse(end, format!("the file ends without {what}"), help);
    let symmetric = header.symmetric().ok_or_else(|| missing("TYPE", "say `TYPE: TSP` or `TYPE: ATSP`"))?;
    let dimension = header.cities().ok_or_else(|| missing("DIMENSION", "say how many cities there are"))?;
    let metric = header.metric().ok_or_else(|| missing("EDGE_WEIGHT_TYPE", header::TYPES_HELP))?;
    let weights = match (metric, cities, matrix) {
        (Some(metric), Some((cities, _)), None) => Weights::Between(metric, cities),
        (Some(_), None, None) => {
            return Err(missing("NODE_COORD_SECTION", "give the coordinates of every city"));
        }
        (Some(_), _, Some((_, place))) => {
            return Err(refuse(
                place,
                "a matrix beside a type of distance that is computed from coordinates",
                "say `EDGE_WEIGHT_TYPE: EXPLICIT`, or leave the matrix out",
            ));
        }
        (None, _, Some((matrix, _))) => {
            if symmetric {
                matrix.check_symmetric()?;
            }
            Weights::Given(matrix)
        }
        (None, _, None) => {
            return Err(missing("EDGE_WEIGHT_SECTION", "give the distances, or another EDGE_WEIGHT_TYPE"));
        }
    };
    Ok(Tsplib { name: header.name(), cities: dimension, symmetric, weights })
}

impl Tsplib<'_> {
    /// The name; empty if there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of cities.
    pub fn cities(&self) -> usize {
        self.cities
    }

    /// Whether the file declares the distances symmetric.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The problem, with a distance for every pair of cities: 8 n^2 bytes. Fails if a tour may exceed 2^62.
    pub fn problem(&self) -> Result<Tsp, TsplibError> {
        let (numbers, distances) = match &self.weights {
            Weights::Between(metric, cities) => (cities.numbers.clone(), cities.distances(*metric)),
            Weights::Given(matrix) => ((1..=self.cities as u64).collect(), matrix.distances()),
        };
        let far = |distances: &[i64]| {
            let longest = (0..distances.len()).max_by_key(|&at| distances[at].unsigned_abs()).unwrap_or(0);
            match &self.weights {
                Weights::Between(_, cities) => cities.places[longest / self.cities],
                Weights::Given(matrix) => matrix.place_of_longest(),
            }
        };
        Tsp::new(numbers, distances.clone()).map_err(|error| {
            refuse(
                far(&distances),
                error.to_string(),
                "use a coarser unit; this is where the longest distance comes from",
            )
        })
    }
}
