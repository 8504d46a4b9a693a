//! Describes the machine, without names of hosts, users or paths.

use isx_machine::cpu::lanes::Isa;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine and software of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Processor, cores and vector units: `AMD EPYC 7B13, 2 cores, AVX-512` for example.
    pub cpu: String,
    /// Main memory, if known.
    pub memory: Option<String>,
    /// The GPU, or why there is none.
    pub gpu: String,
    /// Operating system and architecture.
    pub system: String,
    /// Version of isx, and whether it was built with optimization.
    pub isx: String,
    /// The day, in UTC.
    pub date: String,
}

impl Machine {
    /// This machine, now, and its GPU, or why there is none.
    pub fn here(machine: &isx_machine::Machine) -> Self {
        let gpu = match machine.gpu().info() {
            Ok(info) => {
                let (memory, driver) = (info.memory as f64 / f64::from(1 << 30), info.driver_cuda);
                let driver = format!("{}.{}", driver / 1000, driver % 1000 / 10);
                format!("{}, {memory:.0} GiB, driver for CUDA {driver}", info.name)
            }
            Err(why) => format!("none ({why})"),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let plural = if cores == 1 { "" } else { "s" };
        let read = |file| std::fs::read_to_string(file).unwrap_or_default();
        let name = cpu_name(&read("/proc/cpuinfo")).unwrap_or_else(|| "unnamed CPU".into());
        let build = if cfg!(debug_assertions) { ", built for debugging" } else { "" };
        let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
        Self {
            cpu: format!("{name}, {cores} core{plural}, {}", Isa::best().name()),
            memory: memory(&read("/proc/meminfo")),
            gpu,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            isx: format!("{}{build}", env!("CARGO_PKG_VERSION")),
            date: date(days),
        }
    }

    /// One line.
    pub fn words(&self) -> String {
        let memory = self.memory.as_ref().map_or(String::new(), |memory| format!(", {memory}"));
        format!("{}{memory}; GPU: {}; {}; isx {}; {}", self.cpu, self.gpu, self.system, self.isx, self.date)
    }
}

/// The processor's name, without trademarks and filler words.
fn cpu_name(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    let name = name.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
    let filler = |word: &&str| !matches!(*word, "CPU" | "Processor" | "@") && !word.ends_with("-Core");
    let words: Vec<&str> = name.split_whitespace().filter(filler).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn memory(meminfo: &str) -> Option<String> {
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} GiB", kib / f64::from(1 << 20)))
}

/// The date this many days after 1970-01-01, in the Gregorian calendar.
fn date(days: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_named_without_filler() {
        let info = "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Processor @ 2.70GHz\nflags\t: avx512f\n";
        assert_eq!(cpu_name(info).unwrap(), "Intel Xeon 2.70GHz");
        assert_eq!(cpu_name("model name : AMD EPYC 7B13 64-Core Processor").unwrap(), "AMD EPYC 7B13");
        assert_eq!(cpu_name("Hardware: none"), None);
        assert_eq!(memory("MemTotal:       16384000 kB\n").unwrap(), "16 GiB");
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(
            [date(0), date(59), date(19_782), date(20_088)],
            ["1970-01-01", "1970-03-01", "2024-02-29", "2024-12-31"]
        );
    }
}
