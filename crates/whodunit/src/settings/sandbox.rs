//! Whether tests are confined to their folder, and how a run ends that cannot confine them.

use serde::{Deserialize, Serialize};

/// Whether tests are confined to their folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Tests may do whatever the user may.
    #[default]
    Off,
    /// All protections hold; otherwise the run ends before the first test.
    Enforce,
    /// The available protections hold; the answer names the missing ones.
    BestEffort,
}

impl SandboxMode {
    /// Returns whether tests are confined at all.
    pub fn is_on(self) -> bool {
        self != SandboxMode::Off
    }

    /// Returns the flag that sets this mode.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            SandboxMode::Off => None,
            SandboxMode::Enforce => Some("--sandbox"),
            SandboxMode::BestEffort => Some("--sandbox=best-effort"),
        }
    }
}

/// The forms in journals and answers; older ones contain `true` or `false`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Switch(bool),
    Mode(Mode),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    Off,
    Enforce,
    BestEffort,
}

impl From<Written> for SandboxMode {
    fn from(written: Written) -> Self {
        match written {
            Written::Switch(false) | Written::Mode(Mode::Off) => SandboxMode::Off,
            Written::Switch(true) | Written::Mode(Mode::Enforce) => SandboxMode::Enforce,
            Written::Mode(Mode::BestEffort) => SandboxMode::BestEffort,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_is_read_back_and_so_are_the_earlier_words() {
        for mode in [SandboxMode::Off, SandboxMode::Enforce, SandboxMode::BestEffort] {
            let written = serde_json::to_string(&mode).unwrap();
            assert_eq!(serde_json::from_str::<SandboxMode>(&written).unwrap(), mode);
        }
        assert_eq!(serde_json::from_str::<SandboxMode>("true").unwrap(), SandboxMode::Enforce);
        assert_eq!(serde_json::from_str::<SandboxMode>("false").unwrap(), SandboxMode::Off);
    }
}
