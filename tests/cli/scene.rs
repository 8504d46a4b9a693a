//! A directory to run the program in, and the result of a run.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// An empty directory that is removed after the test.
pub struct Scene(TempDir);

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Three tasks that are too slow in software; the smallest schedulable area is 1.25.
pub const SMALL: &str = "\
name: small
area_unit: kGE
tasks:
  - name: control
    wcet: 4 ms
    period: 10 ms
    choices: [{name: mac, area: 1.25, wcet: 2 ms}, {name: slow, area: 2, wcet: 5 ms}]
  - name: video
    wcet: 9 ms
    period: 15 ms
    choices: [{name: sad, area: 3, saves: 3 ms}]
  - name: log
    wcet: 2 ms
    period: 10 ms
";

impl Scene {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A scene with `small.yaml` in it.
    pub fn small() -> Self {
        Self::with("small.yaml", SMALL)
    }

    pub fn with(file: &str, content: impl AsRef<[u8]>) -> Self {
        let scene = Self::new();
        scene.write(file, content);
        scene
    }

    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(file), content).unwrap();
    }

    pub fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(file)
    }

    pub fn read(&self, file: impl AsRef<Path>) -> String {
        let path = self.path(file);
        std::fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
    }

    pub fn json(&self, file: &str) -> Value {
        serde_json::from_str(&self.read(file)).unwrap()
    }

    /// The program, prepared to run here without environment variables that change its output.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isx"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "RUST_BACKTRACE"] {
            command.env_remove(variable);
        }
        command
    }

    /// The program, prepared to run with arguments that contain no spaces.
    pub fn line(&self, line: &str) -> Command {
        self.command(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program with arguments that contain no spaces.
    pub fn isx(&self, line: &str) -> Ran {
        Ran::of(&mut self.line(line))
    }

    /// Runs a line with -q in it: the program ends with this code and says this alone.
    #[track_caller]
    pub fn quiet(&self, line: &str, code: i32, stdout: &str) {
        let ran = self.isx(line).code(code);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (stdout, ""), "{line}");
    }

    /// Every file here, with its content.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut directories = vec![self.0.path().to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let content = std::fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(self.0.path()).unwrap().to_owned(), content);
                }
            }
        }
        files
    }
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// Asserts that it ended with this exit code.
    #[track_caller]
    pub fn code(self, wanted: i32) -> Self {
        assert_eq!(self.code, wanted, "{self:#?}");
        self
    }

    /// Asserts that it was refused: the exit code, no output, and these words in its only message.
    #[track_caller]
    pub fn refused(self, code: i32, words: &[&str]) -> Self {
        let ran = self.code(code);
        assert_eq!(ran.stdout, "", "{ran:#?}");
        has(&ran.stderr, words);
        ran
    }

    /// The one JSON document on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|problem| panic!("{problem}: {self:#?}"))
    }

    /// The JSON documents on standard output, one on each line.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        let line = |line| serde_json::from_str(line).unwrap_or_else(|problem| panic!("{problem}: {self:#?}"));
        self.stdout.lines().map(line).collect()
    }
}

/// Asserts that a text has all of these words.
#[track_caller]
pub fn has(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "`{words}` is missing: {text}");
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let stderr = text(output.stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        Self { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr }
    }
}

/// The example task sets of the project that count one area.
pub fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension() == Some(OsStr::new("yaml")));
    let is_plain = |text: String| !text.contains("\nresources: ") && !text.contains("\nmodes: ");
    files.retain(|path| is_plain(std::fs::read_to_string(path).unwrap()));
    files.sort();
    assert!(files.len() >= 11, "{files:?}");
    files
}
