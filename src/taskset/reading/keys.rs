//! The keys of a task-set file.

/// The allowed keys of one kind of mapping.
pub struct Keys {
    /// The kind, such as "a task".
    pub of: &'static str,
    /// The keys.
    pub names: &'static [&'static str],
}

/// The keys of a task set.
pub const SET_KEYS: &Keys = &Keys {
    of: "a task set",
    names: &[
        "name",
        "description",
        "source",
        "clock",
        "area_unit",
        "resources",
        "objectives",
        "base",
        "device",
        "fill",
        "variants",
        "cores",
        "modes",
        "scheduler",
        "switch",
        "blocks",
        "merge_above",
        "check",
        "tasks",
    ],
};
/// The keys of a block.
pub const BLOCK_KEYS: &Keys =
    &Keys { of: "a block", names: &["name", "area", "cost", "slot", "scope", "needs", "excludes", "provides", "fmax", "switch", "source"] };
pub const VARIANT_KEYS: &Keys = &Keys { of: "a variant", names: &["name", "area", "cost", "fmax", "source"] };
/// The key of a task that names its core.
pub const CORE_KEY: &str = "core";
/// The keys of a task.
pub const TASK_KEYS: &Keys = &Keys {
    of: "a task",
    names: &[
        "name",
        "wcet",
        "wcet_high",
        "period",
        "deadline",
        "priority",
        "jitter",
        "blocking",
        "nonpreemptive",
        "locks",
        "core",
        "apart",
        "source",
        "choices",
        "parts",
        "instructions",
    ],
};
pub const PART_KEYS: &Keys = &Keys { of: "a part", names: &["name", "wcet", "source", "choices"] };
/// The keys of a choice.
pub const CHOICE_KEYS: &Keys = &Keys {
    of: "a choice",
    names: &["name", "area", "cost", "uses", "wcet", "saves", "wcet_high", "locks", "source"],
};

pub const CORES_KEYS: &Keys = &Keys { of: "cores", names: &["count", "area", "cost"] };

pub const CHECK_KEYS: &Keys = &Keys { of: "a check", names: &["blocks", "reports", "timing"] };
// Of mappings that name reports in place of a number.
pub const AMOUNT_KEYS: &Keys = &Keys { of: "an amount of reports", names: &["reports", "less"] };
pub const BASE_KEYS: &Keys = &Keys { of: "a base of reports", names: &["reports", "timing"] };
pub const CLOCK_KEYS: &Keys = &Keys { of: "a clock of reports", names: &["timing", "name"] };
pub const FIGURE_KEYS: &Keys = &Keys { of: "a figure of reports", names: &["reports", "name"] };

pub const KINDS: [&Keys; 12] = [
    SET_KEYS,
    TASK_KEYS,
    PART_KEYS,
    CHOICE_KEYS,
    BLOCK_KEYS,
    VARIANT_KEYS,
    CORES_KEYS,
    AMOUNT_KEYS,
    BASE_KEYS,
    CLOCK_KEYS,
    FIGURE_KEYS,
    CHECK_KEYS,
];

/// Keys in words.
pub fn listed(keys: impl Iterator<Item = &'static str>) -> String {
    keys.map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Whether any mapping of a task set allows this key.
pub fn is_key(text: &str) -> bool {
    KINDS.iter().any(|keys| keys.names.contains(&text))
}
