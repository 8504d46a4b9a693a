//! `--arithmetic`: exact integers for every subcommand, and for `explore` the papers' floats too.

use clap::Args;
use clap::builder::PossibleValuesParser;
use isx_explore::Arithmetic;
use isx_problems::value::Tier;
use isx_thesis::float_front::FloatVariant;

/// What the user asked to compute in.
pub trait AskedArithmetic: Args {
    /// `None`: the narrowest exact integers.
    fn asked(&self) -> Option<Arithmetic>;
}

/// Where there is nothing to ask for: the narrowest exact integers.
#[derive(Args)]
pub struct Narrowest {}

impl AskedArithmetic for Narrowest {
    fn asked(&self) -> Option<Arithmetic> {
        None
    }
}

/// Where only an exact answer is one.
#[derive(Args)]
pub struct Integers {
    /// The integers to compute in; auto takes the narrowest exact ones
    #[arg(long, value_name = "ARITHMETIC", default_value = "auto", value_parser = names(&[]))]
    arithmetic: String,
}

/// Where the papers' floats may be compared with.
#[derive(Args)]
pub struct IntegersOrFloats {
    /// The integers to compute in; auto takes the narrowest exact ones. The last four are the papers' floats, to
    /// compare with: they may miss designs
    #[arg(long, value_name = "ARITHMETIC", default_value = "auto", value_parser = names(&FloatVariant::ALL))]
    arithmetic: String,
}

const TIERS: [Tier; 4] = [Tier::I32, Tier::I64, Tier::I128, Tier::Big];

fn names(floats: &[FloatVariant]) -> PossibleValuesParser {
    let tiers = TIERS.into_iter().map(Tier::name);
    let floats = floats.iter().map(|floats| floats.name());
    std::iter::once("auto").chain(tiers).chain(floats).collect::<Vec<_>>().into()
}

fn exact(name: &str) -> Option<Arithmetic> {
    TIERS.into_iter().find(|tier| tier.name() == name).map(Arithmetic::Exact)
}

impl AskedArithmetic for Integers {
    fn asked(&self) -> Option<Arithmetic> {
        exact(&self.arithmetic)
    }
}

impl AskedArithmetic for IntegersOrFloats {
    fn asked(&self) -> Option<Arithmetic> {
        let floats = FloatVariant::by_name(&self.arithmetic).map(Arithmetic::Float);
        floats.or_else(|| exact(&self.arithmetic))
    }
}
