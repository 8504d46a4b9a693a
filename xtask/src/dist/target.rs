//! What an archive is built for: the target, its standard library, and the linker.

use crate::workspace::output;
use std::path::Path;

/// The oldest C library of GNU that the Linux archives run with: that of Debian 10, Ubuntu 18.10 and RHEL 8.
const GLIBC: &str = "2.28";
/// What links programs for other systems.
const ZIG: &str = "`pip install cargo-zigbuild ziglang`";

/// A target, whose standard library is installed.
pub struct Target {
    /// Rust's name for it.
    pub triple: String,
    /// How it is built.
    pub build: Build,
}

/// How a program is built for a target.
pub enum Build {
    /// By cargo, for this machine and those with the same C library or a newer one.
    Native,
    /// By cargo, with the linker of the system: the two words `--target TRIPLE`.
    System,
    /// By `cargo zigbuild`, which links for every system; the target may name a C library.
    Zig(String),
}

impl Target {
    /// The target of this name; this machine's if there is none.
    ///
    /// # Errors
    ///
    /// If Rust does not know the target, or if its standard library or its linker is missing. One sentence says how to
    /// install it.
    pub fn new(name: Option<&str>) -> Result<Self, String> {
        let about = output("rustc", &["-vV"])?;
        let host = about.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc has no host")?;
        let Some(name) = name else {
            return Ok(Self { triple: host.to_owned(), build: Build::Native });
        };
        let folder = output("rustc", &["--print", "target-libdir", "--target", name])
            .map_err(|_| format!("rustc knows no target `{name}`; `rustc --print target-list` lists all"))?;
        if !Path::new(folder.trim()).exists() {
            return Err(format!(
                "the standard library for {name} is not installed; `rustup target add {name}` installs it"
            ));
        }
        let build = linking(name, host);
        if let Build::Zig(_) = build {
            output("cargo-zigbuild", &["--version"]).map_err(|_| {
                format!("programs for {name} are linked by cargo-zigbuild, which is not installed; {ZIG} installs it")
            })?;
        }
        Ok(Self { triple: name.to_owned(), build })
    }

    pub fn is_windows(&self) -> bool {
        self.triple.contains("-windows-")
    }

    /// What the command is called.
    pub fn program(&self) -> &'static str {
        if self.is_windows() { "isx.exe" } else { "isx" }
    }

    /// The program and its first arguments that run a program of this target, if one is configured for cargo.
    pub fn runner(&self) -> Vec<String> {
        let name = self.triple.to_uppercase().replace(['-', '.'], "_");
        let words = std::env::var(format!("CARGO_TARGET_{name}_RUNNER")).unwrap_or_default();
        words.split_whitespace().map(str::to_owned).collect()
    }
}

fn linking(triple: &str, host: &str) -> Build {
    if triple.ends_with("-linux-gnu") {
        // Zig knows the old versions of this library; a system's linker knows only its own.
        Build::Zig(format!("{triple}.{GLIBC}"))
    } else if triple == host || triple.ends_with("-msvc") {
        Build::System
    } else {
        Build::Zig(triple.to_owned())
    }
}

/// The newest version of GNU's C library that a program asks for.
pub fn glibc(program: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"GLIBC_";
    let found = program.windows(MARK.len()).enumerate().filter(|(_, bytes)| *bytes == MARK);
    let versions = found.filter_map(|(at, _)| {
        let rest = &program[at + MARK.len()..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let text = std::str::from_utf8(&rest[..length]).ok()?;
        let parts: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
        parts.ok()
    });
    let newest = versions.max()?;
    Some(newest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        match Target::new(Some(name)) {
            Ok(_) => panic!("{name} is installed"),
            Err(message) => message,
        }
    }

    #[test]
    fn a_target_that_is_missing_is_refused_in_one_sentence() {
        assert_eq!(
            refusal("z80-zx-spectrum"),
            "rustc knows no target `z80-zx-spectrum`; `rustc --print target-list` lists all"
        );
        assert_eq!(
            refusal("sparc64-unknown-netbsd"),
            "the standard library for sparc64-unknown-netbsd is not installed; \
             `rustup target add sparc64-unknown-netbsd` installs it"
        );
    }

    #[test]
    fn every_target_has_a_linker() {
        const LINUX: &str = "x86_64-unknown-linux-gnu";
        assert!(matches!(linking(LINUX, LINUX), Build::Zig(name) if name == "x86_64-unknown-linux-gnu.2.28"));
        assert!(matches!(linking("x86_64-unknown-linux-musl", LINUX), Build::Zig(_)));
        assert!(matches!(linking("aarch64-apple-darwin", "aarch64-apple-darwin"), Build::System));
        assert!(matches!(linking("x86_64-pc-windows-msvc", LINUX), Build::System));
    }

    #[test]
    fn the_newest_c_library_counts_as_a_number() {
        assert_eq!(glibc(b"..GLIBC_2.9\0GLIBC_2.28\0GLIBC_2.2.5\0GLIBC_PRIVATE"), Some("2.28".into()));
        assert_eq!(glibc(b"a program without it"), None);
    }
}
