//! The GPUs that computations are divided among, as `--gpu` names them.

use isx_machine::cuda;
use std::str::FromStr;

/// Which GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gpus {
    /// Every one that isx can use.
    All,
    /// By their numbers; one that is named twice counts twice.
    Listed(Vec<usize>),
}

impl FromStr for Gpus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        let numbers = text.split(',').map(str::parse).collect::<Result<_, _>>();
        numbers
            .map(Self::Listed)
            .map_err(|_| "write all, or GPUs as `isx engines` numbers them, such as 1 or 0,1".to_owned())
    }
}

impl Gpus {
    /// Their numbers; the first where none is found, so that an engine says why.
    pub fn numbers(&self) -> Vec<usize> {
        match self {
            Self::Listed(numbers) => numbers.clone(),
            Self::All => found().unwrap_or_default(),
        }
    }
}

/// The numbers of the GPUs that can be used.
fn found() -> Result<Vec<usize>, cuda::DeviceError> {
    Ok((0..).zip(cuda::devices()?).filter(|(_, gpu)| gpu.is_ok()).map(|(number, _)| number).collect())
}
