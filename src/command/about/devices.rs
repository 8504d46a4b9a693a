//! `isx devices`.

use crate::failure::{Failure, Outcome};
use clap::Args;
use isx_taskset::{Device, devices};
use serde_json::{Value, json};
use std::io::{self, Write};

/// List the FPGAs that `isx fit` and `--device` know, with what they have of each resource
#[derive(Args)]
pub struct Devices {
    /// Print them as JSON, with all names of each resource and the document that the figures are from
    #[arg(long)]
    json: bool,
}

impl Devices {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let mut out = io::stdout().lock();
        if self.json {
            let devices: Vec<Value> = devices().iter().map(document).collect();
            writeln!(out, "{:#}", json!({ "schema": "isx.devices/1", "devices": devices }))?;
        } else {
            write_text(&mut out)?;
        }
        Ok(Outcome::Done)
    }
}

/// The resources that every device has, under the names that most sets count them by.
const COLUMNS: [&str; 4] = ["LUT", "FF", "BRAM", "DSP"];

fn write_text(out: &mut impl Write) -> io::Result<()> {
    let row = |out: &mut dyn Write, name: &str, amounts: [String; 4], family: &str, also: &str| {
        let [luts, flops, brams, dsps] = amounts;
        let line = format!("{name:12} {luts:>7} {flops:>7} {brams:>5} {dsps:>5}  {family:18} {also}");
        writeln!(out, "{}", line.trim_end())
    };
    row(out, "device", COLUMNS.map(str::to_owned), "family", "also called")?;
    for device in devices() {
        let amount = |name| device.amount(name).map_or_else(String::new, |amount| amount.to_string());
        row(out, device.name, COLUMNS.map(amount), device.family(), &device.also.join(", "))?;
    }
    writeln!(out, "\n`isx engines` lists the GPUs of this machine.")
}

fn document(device: &Device) -> Value {
    let resource = |(names, amount): (&[&str], u64)| json!({ "names": names, "amount": amount });
    let resources: Vec<Value> = device.resources().map(resource).collect();
    json!({
        "name": device.name,
        "also": device.also,
        "family": device.family(),
        "resources": resources,
        "source": device.source,
    })
}
