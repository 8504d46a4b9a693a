//! The keys of a task-set file.

/// The allowed keys of one kind of mapping.
pub struct Keys {
    /// The kind, such as "a task".
    pub of: &'static str,
    pub names: &'static [&'static str],
}

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
        "scheduler",
        "blocks",
        "tasks",
    ],
};
pub const BLOCK_KEYS: &Keys =
    &Keys { of: "a block", names: &["name", "area", "cost", "slot", "fmax", "source"] };
pub const VARIANT_KEYS: &Keys = &Keys { of: "a variant", names: &["name", "area", "cost", "fmax", "source"] };
pub const TASK_KEYS: &Keys =
    &Keys { of: "a task", names: &["name", "wcet", "period", "deadline", "priority", "source", "choices"] };
pub const CHOICE_KEYS: &Keys =
    &Keys { of: "a choice", names: &["name", "area", "cost", "uses", "wcet", "saves", "source"] };

pub const KINDS: [&Keys; 5] = [SET_KEYS, TASK_KEYS, CHOICE_KEYS, BLOCK_KEYS, VARIANT_KEYS];

impl Keys {
    pub fn listed(&self) -> String {
        let quoted: Vec<String> = self.names.iter().map(|key| format!("`{key}`")).collect();
        quoted.join(", ")
    }
}

/// Whether any mapping of a task set allows this key.
pub fn is_key(text: &str) -> bool {
    KINDS.iter().any(|keys| keys.names.contains(&text))
}
