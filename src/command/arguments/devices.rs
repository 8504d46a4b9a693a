//! The GPUs that computations are divided among.

use crate::failure::Failure;
use isx_machine::Machine;
use isx_machine::cuda;
use std::str::FromStr;

/// Which GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Devices {
    /// None.
    Cpu,
    /// Every one that isx can use.
    All,
    /// By their numbers; one that is named twice counts twice.
    Listed(Vec<usize>),
}

impl FromStr for Devices {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            // 16 cores alone were faster than with an H200 for sets of every size that was tried.
            "auto" | "cpu" => Self::Cpu,
            "gpu" => Self::Listed(vec![0]),
            "all" => Self::All,
            list => {
                Self::Listed(list.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| {
                    "write auto, cpu, gpu, all, or GPUs as `isx devices` numbers them, such as 0,1".to_owned()
                })?)
            }
        })
    }
}

impl Devices {
    /// Reads GPUs where the engine says whether any is used.
    pub fn parse_gpus(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(devices) if devices != Self::Cpu => Ok(devices),
            _ => Err("write all, or GPUs as `isx devices` numbers them, such as 1 or 0,1".to_owned()),
        }
    }

    /// Their numbers; the first where none is found, so that an engine says why.
    pub fn numbers(&self) -> Vec<usize> {
        match self {
            Self::Listed(numbers) => numbers.clone(),
            Self::Cpu | Self::All => found().map_or_else(|_| Vec::new(), Iterator::collect),
        }
    }

    /// A machine for each.
    pub fn machines(&self) -> Result<Vec<Machine>, Failure> {
        let numbers: Result<Vec<usize>, cuda::DeviceError> = match self {
            Self::Cpu => return Ok(Vec::new()),
            Self::All => found().map(Iterator::collect),
            Self::Listed(numbers) => {
                numbers.iter().map(|&number| cuda::describe(number).map(|_| number)).collect()
            }
        };
        let numbers = numbers.map_err(|why| Failure::Measuring(format!("--device: {why}"), 5))?;
        Ok(numbers.into_iter().map(|number| Machine::default().with_gpu(number)).collect())
    }
}

/// The numbers of the GPUs that can be used.
fn found() -> Result<impl Iterator<Item = usize>, cuda::DeviceError> {
    Ok((0..).zip(cuda::devices()?).filter(|(_, gpu)| gpu.is_ok()).map(|(number, _)| number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_words_or_numbers() {
        let read = |text: &str| text.parse::<Devices>();
        assert_eq!(read("auto"), Ok(Devices::Cpu));
        assert_eq!(read("cpu").unwrap().machines().unwrap().len(), 0);
        assert_eq!(read("gpu"), Ok(Devices::Listed(vec![0])));
        assert_eq!(read("0,0,3"), Ok(Devices::Listed(vec![0, 0, 3])));
        let must = "write auto, cpu, gpu, all, or GPUs as `isx devices` numbers them, such as 0,1";
        for wrong in ["", "0,", "-1", "cuda", "0;1"] {
            assert_eq!(read(wrong), Err(must.to_owned()), "{wrong}");
        }
        assert_eq!(Devices::parse_gpus("1,0"), Ok(Devices::Listed(vec![1, 0])));
        assert_eq!(Devices::parse_gpus("all"), Ok(Devices::All));
        assert!(Devices::parse_gpus("cpu").is_err_and(|must| must.starts_with("write all, or GPUs")));
    }
}
