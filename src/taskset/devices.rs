//! What there is in some FPGAs.

/// A device with the amounts of its resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The vendor's name.
    pub name: &'static str,
    /// Other names under which it is found.
    pub also: &'static [&'static str],
    /// Its resources.
    pub resources: &'static [DeviceResource],
    /// The document with the figures.
    pub source: &'static str,
}

/// A resource of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceResource {
    /// The names it goes by, the vendor's first.
    pub names: &'static [&'static str],
    /// How many there are.
    pub amount: u64,
}

impl DeviceResource {
    const fn new(names: &'static [&'static str], amount: u64) -> Self {
        Self { names, amount }
    }
}

const DEVICES: &[Device] = &[Device {
    name: "iCE40UP5K",
    also: &["UP5K"],
    resources: &[
        DeviceResource::new(&["LC", "LUT", "LUT4"], 5_280),
        DeviceResource::new(&["FF", "DFF"], 5_280),
        DeviceResource::new(&["RAM", "EBR", "BRAM"], 30),
        DeviceResource::new(&["SPRAM"], 4),
        DeviceResource::new(&["DSP"], 8),
    ],
    source: "Lattice FPGA-DS-02008, iCE40 UltraPlus Family Data Sheet, Table 1.1",
}];

/// All known devices.
#[must_use]
pub fn devices() -> &'static [Device] {
    DEVICES
}

impl Device {
    /// The device of this name, in upper or lower case.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_it = |device: &&Self| {
            let mut names = std::iter::once(&device.name).chain(device.also);
            names.any(|other| other.eq_ignore_ascii_case(name))
        };
        DEVICES.iter().find(is_it)
    }

    /// How much it has of a resource; `None` if it has no resource of this name.
    #[must_use]
    pub fn amount(&self, resource: &str) -> Option<u64> {
        let mut resources = self.resources.iter();
        let is_it = |one: &&DeviceResource| one.names.iter().any(|name| name.eq_ignore_ascii_case(resource));
        Some(resources.find(is_it)?.amount)
    }

    /// Its resources in words: `LC (or LUT, LUT4) 5280, DSP 8`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let one = |resource: &DeviceResource| match resource.names {
            [] => String::new(),
            [name] => format!("{name} {}", resource.amount),
            [name, others @ ..] => format!("{name} (or {}) {}", others.join(", "), resource.amount),
        };
        self.resources.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
