//! The resources of a task set: one area, or several with names (LUT, DSP, BRAM), with what is built in any case and what
//! there is.

use isx_exact::quantity::{Rational, ToRational, format_decimal};
use num_bigint::BigInt;
use num_traits::One;

/// The name of an area without a unit.
const AREA: &str = "area";

/// The maximum number of resources of a task set.
pub const MAX_RESOURCES: usize = 16;

/// The resources of a task set. One that counts a single area has one, named by its unit.
///
/// Every list except `objectives` has one entry per resource, in the order of `names`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Names, unique; `area` for an area without a unit.
    pub names: Vec<String>,
    /// The unit of the area as printed, for example `NAND2`, and empty if it has none; `None` if the resources have names,
    /// so that each is limited and counted by its name.
    pub area_unit: Option<String>,
    /// The resources that the front is computed for, as indices into `names`, in the order the points are sorted by; the
    /// others only have limits.
    pub objectives: Vec<usize>,
    /// What every design on one core costs: the processor itself, with what is built once for a chip of several cores.
    pub base: Vec<Rational>,
    /// The greatest cost of a design, already multiplied by `fill`; `None` if there is no limit.
    pub limits: Vec<Option<Rational>>,
    /// The device that the limits come from; `None` if it has no name.
    pub device: Option<String>,
    /// The part of a device that a design may use, above 0 and at most 1.
    pub fill: Vec<Rational>,
}

impl Default for Resources {
    /// One area without a unit.
    fn default() -> Self {
        Self::area("")
    }
}

impl Resources {
    /// Resources of these names: all are objectives, the base costs nothing, and there is no limit.
    ///
    /// ```
    /// use isx_taskset::Resources;
    ///
    /// let resources = Resources::new(["LUT", "DSP"]).with_base([1614, 0]);
    /// assert_eq!((resources.position("DSP"), resources.objectives), (Some(1), vec![0, 1]));
    /// ```
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let count = names.len();
        Self {
            names,
            area_unit: None,
            objectives: (0..count).collect(),
            base: vec![Rational::default(); count],
            limits: vec![None; count],
            device: None,
            fill: vec![Rational::one(); count],
        }
    }

    /// One area in this unit, which may be empty: the base costs nothing, and there is no limit.
    ///
    /// ```
    /// use isx_taskset::Resources;
    ///
    /// assert_eq!((Resources::area("NAND2").names, Resources::area("").names), (vec!["NAND2".into()], vec!["area".into()]));
    /// ```
    pub fn area(unit: impl Into<String>) -> Self {
        let unit = unit.into();
        let name = if unit.is_empty() { AREA } else { &unit };
        Self { area_unit: Some(unit.clone()), ..Self::new([name]) }
    }

    /// A cost of nothing.
    pub fn nothing(&self) -> Vec<Rational> {
        vec![Rational::default(); self.names.len()]
    }

    /// The same resources with the cost of what every design builds.
    #[must_use]
    pub fn with_base<R: ToRational>(mut self, base: impl IntoIterator<Item = R>) -> Self {
        self.base = base.into_iter().map(ToRational::to_rational).collect();
        self
    }

    /// The index of the resource of this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// Takes the limits of a device that has these amounts, times `fill`.
    pub(crate) fn limit_to(&mut self, device: Option<String>, amounts: Vec<Rational>) {
        self.device = device;
        self.limits = amounts.into_iter().zip(&self.fill).map(|(amount, fill)| Some(amount * fill)).collect();
    }

    /// The limits: `LUT 4224 (80 % of 5280), DSP 8`; `None` if nothing is limited.
    ///
    /// ```
    /// use isx_taskset::Resources;
    ///
    /// let mut resources = Resources::new(["LUT", "DSP"]);
    /// assert_eq!(resources.limits_in_words(), None);
    /// resources.limits[1] = Some(isx_exact::quantity::Rational::from_integer(8.into()));
    /// assert_eq!(resources.limits_in_words().as_deref(), Some("DSP 8"));
    /// ```
    pub fn limits_in_words(&self) -> Option<String> {
        let limits = self.names.iter().zip(&self.limits);
        let limits = limits.enumerate().filter_map(|(at, (name, limit))| {
            let fill = self.fill_in_words(at).map_or_else(String::new, |fill| format!(" ({fill})"));
            Some(format!("{name} {}{fill}", format_decimal(limit.as_ref()?)))
        });
        let limits: Vec<String> = limits.collect();
        (!limits.is_empty()).then(|| limits.join(", "))
    }

    /// The part of a resource of the device that is its limit: `80 % of 24288`; `None` if it is all of it.
    pub fn fill_in_words(&self, at: usize) -> Option<String> {
        let fill = self.fill.get(at).filter(|fill| !fill.is_one())?;
        let limit = self.limits.get(at)?.as_ref()?;
        Some(format!("{} of {}", in_percent(fill), format_decimal(&(limit / fill))))
    }

    /// Whether it is no more than the name of one area: a single resource, of which nothing is limited.
    pub(crate) fn is_one_unlimited(&self) -> bool {
        self.names.len() == 1 && self.limits.iter().all(Option::is_none)
    }
}

/// A fraction in percent, exactly: `12.5 %`.
pub fn in_percent(fraction: &Rational) -> String {
    format!("{} %", format_decimal(&(fraction * Rational::from(BigInt::from(100)))))
}

/// Why a text cannot name a resource: names are written as `LUT=5000,DSP=8` too, and beside `name` in a device.
pub fn resource_name_problem(text: &str) -> Option<&'static str> {
    if text == "name" {
        return Some("is the key under which a device gives its name");
    }
    let is_cut = |c: char| c.is_whitespace() || matches!(c, '=' | ',');
    text.contains(is_cut).then_some("contains a space, `=` or `,`")
}
