//! What an archive and the folder in it are called: as `package.metadata.binstall` in `Cargo.toml` says, so that
//! `cargo binstall` finds what was built.

use super::target::Target;
use serde_json::Value;

/// The names of an archive.
#[derive(Debug, PartialEq)]
pub struct Names {
    /// The archive's file name.
    pub archive: String,
    /// The folder in it.
    pub folder: String,
}

impl Names {
    /// The names of the archive for a target, from the package's `cargo metadata`.
    ///
    /// # Errors
    ///
    /// If the metadata lacks a key.
    pub fn new(package: &Value, target: &Target) -> Result<Self, String> {
        let version = package["version"].as_str().ok_or("the package has no version")?;
        let fill = |key: &str| {
            let binstall = &package["metadata"]["binstall"];
            let own = &binstall["overrides"][&target.triple][key];
            let template = own.as_str().or(binstall[key].as_str());
            let template = template.ok_or(format!("Cargo.toml lacks package.metadata.binstall.{key}"))?;
            Ok::<_, String>(template.replace("{ version }", version).replace("{ target }", &target.triple))
        };
        let (address, program) = (fill("pkg-url")?, fill("bin-dir")?);
        let archive = address.rsplit('/').next().unwrap_or_default().to_owned();
        let folder = program.split('/').next().unwrap_or_default().to_owned();
        Ok(Self { archive, folder })
    }
}

#[cfg(test)]
mod tests {
    use super::super::target::Build;
    use super::*;

    fn names(package: &Value, triple: &str) -> Names {
        Names::new(package, &Target { triple: triple.into(), build: Build::System }).unwrap()
    }

    #[test]
    fn archives_are_called_as_binstall_looks_for_them() {
        let package = crate::dist::package().unwrap();
        let version = package["version"].as_str().unwrap();
        let plain = |target: &str| Names {
            archive: format!("isx-{version}-{target}.tar.gz"),
            folder: format!("isx-{version}-{target}"),
        };
        for target in ["x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl", "aarch64-apple-darwin"] {
            assert_eq!(names(&package, target), plain(target));
        }
        let windows = plain("x86_64-pc-windows-gnu");
        assert_eq!(names(&package, "x86_64-pc-windows-gnu"), windows);
        assert_eq!(names(&package, "x86_64-pc-windows-msvc"), windows);
    }
}
