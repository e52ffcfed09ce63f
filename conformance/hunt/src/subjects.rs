//! Who is asked: a name on the command line made into a program in one release.
//!
//! Responsible for: what adapters there are ([`Adapters`]), and from a name such as
//! `ripgrep@14.1.0` the searcher it means
//! ([`resolve`], [`subject`]), or why there is none ([`Unresolved`]).
//! Not here: installing ([`crate::provision::releases`]), asking (`command`, `native`,
//! `protocol`).
//! Invariants: a release is never replaced by another one in silence; the name of a searcher
//! resolves to the same program again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use touchstone_cases::golden;
use touchstone_cases::place::on_path;
use touchstone_spec::adapter::{Adapter, Drive};
use touchstone_spec::{LoadError, Spec};

use super::command::{CommandSearcher, Limits};
use super::native::NativeSearcher;
use super::protocol::ProtocolSearcher;
use super::results::SubjectInfo;
use super::searcher::Searcher;
use super::smoke::Checked;
use crate::provision::releases::{self, identify};

pub use crate::provision::releases::{Installed, installed};

/// The release that stands for the program on PATH.
pub const SYSTEM: &str = "system";

/// The adapters that there are.
#[derive(Debug, Clone, Default)]
pub struct Adapters {
    adapters: Vec<Arc<Adapter>>,
}

impl Adapters {
    /// Those of `spec/backends`.
    ///
    /// # Errors
    /// The specification cannot be read.
    pub fn shipped() -> Result<Self, LoadError> {
        let spec = Spec::load(&golden::workspace().join("spec"))?;
        Ok(Self { adapters: spec.adapters.into_iter().map(Arc::new).collect() })
    }

    /// The adapter of that name.
    pub fn get(&self, name: &str) -> Option<Arc<Adapter>> {
        self.adapters.iter().find(|adapter| adapter.name == name).cloned()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Adapter>> {
        self.adapters.iter()
    }

    /// Adds one, for a name of its own.
    pub fn add(&mut self, adapter: Adapter) {
        self.adapters.push(Arc::new(adapter));
    }
}

/// A name as it is written: which adapter, and which release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// A name, or the path of a file.
    pub adapter: String,
    /// The release; nothing for the newest.
    pub release: Option<String>,
}

impl Wanted {
    /// Takes a name apart.
    pub fn parse(name: &str) -> Self {
        match name.rsplit_once('@') {
            // An `@` in a directory's name is no release.
            Some((adapter, release)) if !release.contains('/') => {
                Self { adapter: adapter.to_owned(), release: Some(release.to_owned()) }
            }
            _ => Self { adapter: name.to_owned(), release: None },
        }
    }

    /// The adapter that is meant.
    ///
    /// # Errors
    /// There is none of that name, or the file is none.
    pub fn adapter(&self, adapters: &Adapters) -> Result<Arc<Adapter>, Unresolved> {
        let file = Path::new(&self.adapter);
        if file.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            return read(file).map(Arc::new);
        }
        adapters.get(&self.adapter).ok_or_else(|| Unresolved::Unknown {
            name: self.adapter.clone(),
            known: adapters
                .iter()
                .map(|adapter| adapter.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

/// Why a name means no searcher.
#[derive(Debug, thiserror::Error)]
pub enum Unresolved {
    /// No adapter has that name.
    #[error("there is no adapter `{name}`; there are {known}, or give the path of a `.yaml` file")]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A file that is no adapter.
    #[error("`{}` is no adapter: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The release is not installed.
    #[error(
        "{program} {version} is not installed{}; `touchstone backends install {name}@{version}` does it",
        among(installed)
    )]
    NotInstalled {
        /// The adapter's name.
        program: String,
        /// As it was written.
        name: String,
        /// The release.
        version: String,
        /// Those that are.
        installed: Vec<String>,
    },
    /// Neither installed nor on PATH.
    #[error(
        "there is no `{command}` on PATH, and no release of {program} is installed; see `touchstone backends list`"
    )]
    Absent {
        /// The adapter's name.
        program: String,
        /// The program that was looked for.
        command: String,
    },
    /// It is there, and does not say what it is.
    #[error("`{command}` does not run as {program}: {reason}")]
    Unusable {
        /// The adapter's name.
        program: String,
        /// The program.
        command: String,
        /// Why.
        reason: String,
    },
    /// It runs in this process.
    #[error("`{0}` runs in this process, and its adapter has nothing to check")]
    Unchecked(String),
    /// A release of something that has none.
    #[error("`{0}` has no releases")]
    NoReleases(String),
}

fn among(installed: &[String]) -> String {
    if installed.is_empty() { String::new() } else { format!(", only {}", installed.join(", ")) }
}

/// A searcher, and its description in results.
pub struct Subject {
    /// The searcher.
    pub searcher: Box<dyn Searcher>,
    /// Who it is.
    pub info: SubjectInfo,
}

/// The searcher that a name means.
///
/// # Errors
/// See [`Unresolved`].
pub fn resolve(name: &str, adapters: &Adapters) -> Result<Box<dyn Searcher>, Unresolved> {
    subject(name, adapters).map(|subject| subject.searcher)
}

/// As [`resolve`], with the release that it is.
///
/// # Errors
/// See [`Unresolved`].
pub fn subject(name: &str, adapters: &Adapters) -> Result<Subject, Unresolved> {
    let wanted = Wanted::parse(name);
    let adapter = wanted.adapter(adapters)?;
    if adapter.drive == Drive::Library {
        return match wanted.release {
            Some(_) => Err(Unresolved::NoReleases(wanted.adapter)),
            None => Ok(native(adapter, wanted.adapter)),
        };
    }
    let (searcher, info) = checked(name, adapters)?;
    Ok(Subject { searcher, info })
}

/// A program of its own, to be held against its adapter.
///
/// # Errors
/// See [`Unresolved`].
pub fn checked(
    name: &str,
    adapters: &Adapters,
) -> Result<(Box<dyn Checked>, SubjectInfo), Unresolved> {
    let wanted = Wanted::parse(name);
    let adapter = wanted.adapter(adapters)?;
    if adapter.drive == Drive::Library {
        return Err(Unresolved::Unchecked(wanted.adapter));
    }
    let (program, version, label) = program(&adapter, &wanted)?;
    let subject = format!("{}@{label}", wanted.adapter);
    let info = SubjectInfo { subject, program: adapter.name.clone(), version };
    let (name, limits) = (info.subject.clone(), Limits::default());
    let searcher: Box<dyn Checked> = if adapter.drive == Drive::Protocol {
        Box::new(ProtocolSearcher::new(adapter, name, program, limits))
    } else {
        Box::new(CommandSearcher::new(adapter, name, program, limits))
    };
    Ok((searcher, info))
}

fn native(adapter: Arc<Adapter>, name: String) -> Subject {
    let info = SubjectInfo {
        subject: name,
        program: adapter.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Subject { searcher: Box::new(NativeSearcher::new(adapter)), info }
}

/// How the wanted release is run, which release it says it is, and what it is called behind the
/// `@`.
fn program(
    adapter: &Adapter,
    wanted: &Wanted,
) -> Result<(Vec<OsString>, String, String), Unresolved> {
    let mut there = installed(&adapter.name);
    let chosen = match wanted.release.as_deref() {
        Some(SYSTEM) => None,
        Some(version) => {
            let position = there.iter().position(|one| one.version == version);
            let found = position.map(|position| there.swap_remove(position));
            Some(found.ok_or_else(|| Unresolved::NotInstalled {
                program: adapter.name.clone(),
                name: wanted.adapter.clone(),
                version: version.to_owned(),
                installed: there.into_iter().map(|one| one.version).collect(),
            })?)
        }
        None => there.pop(),
    };
    match chosen {
        Some(release) => Ok((release.command, release.version.clone(), release.version)),
        None => system(adapter),
    }
}

/// The program on PATH; one that is named by a path is taken from there.
fn system(adapter: &Adapter) -> Result<(Vec<OsString>, String, String), Unresolved> {
    let command = adapter.command.first().map_or("", String::as_str);
    let found = if command.contains('/') {
        Some(PathBuf::from(command)).filter(|path| path.is_file())
    } else {
        on_path(&[command])
    };
    let absent =
        || Unresolved::Absent { program: adapter.name.clone(), command: command.to_owned() };
    let program = vec![found.ok_or_else(absent)?.into_os_string()];
    let version = identify(&adapter.identify, &program).map_err(|reason| Unresolved::Unusable {
        program: adapter.name.clone(),
        command: command.to_owned(),
        reason,
    })?;
    Ok((program, version, SYSTEM.to_owned()))
}

/// Reads an adapter of one's own.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read(path: &Path) -> Result<Adapter, Unresolved> {
    let failed = |reason: String| Unresolved::File { path: path.to_owned(), reason };
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let file = path.display().to_string();
    let mut adapter = Adapter::parse(&file, &text).map_err(|error| failed(error.to_string()))?;
    let defects = adapter.defects();
    if !defects.is_empty() {
        return Err(failed(defects.join("; ")));
    }
    // A program beside the adapter is named from there.
    let directory = fs::canonicalize(path).ok();
    let directory = directory.as_deref().and_then(Path::parent);
    if let (Some(directory), Some(command)) = (directory, adapter.command.first_mut())
        && command.starts_with("./")
    {
        *command = directory.join(&*command).display().to_string();
    }
    Ok(adapter)
}

/// The releases of a program that are installed, as names to be resolved, oldest first.
pub fn sweep(adapter: &Adapter, name: &str) -> Vec<(String, String)> {
    let there = releases::installed(&adapter.name);
    there.into_iter().map(|one| (format!("{name}@{}", one.version), one.version)).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use touchstone_spec::adapter::Feature;

    use super::*;

    /// The adapter `seek.yaml` beside the program `seek`, which says that it is release 1.2.
    fn own(command: &str) -> (tempfile::TempDir, String) {
        let home = tempfile::tempdir().unwrap();
        let script = home.path().join("script");
        fs::write(&script, "#!/bin/sh\necho seek 1.2\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        // Copied by another process, for what this one has open for writing cannot be executed.
        assert!(
            Command::new("cp")
                .arg(&script)
                .arg(home.path().join("seek"))
                .status()
                .unwrap()
                .success()
        );
        let unsupported: Vec<String> = Feature::ALL
            .iter()
            .filter(|feature| feature.is_option())
            .map(|feature| format!("{}: it does not know", feature.name()))
            .collect();
        let text = format!(
            "name: seek-of-a-test\nsays: a stand-in\ncommand: [{command}]\n\
             identify: {{args: [--version], pattern: 'seek ([0-9.]+)'}}\n\
             ask: {{pattern: [-e, '{{pattern}}'], files: [--, '{{files}}']}}\n\
             show: {{lines: {{record: '{{path}}:{{line}}:{{text}}'}}}}\n\
             unsupported: {{{}}}\nprecise: [lines]\n",
            unsupported.join(", ")
        );
        let file = home.path().join("seek.yaml");
        fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap().to_owned();
        (home, file)
    }

    fn refused(name: &str) -> String {
        subject(name, &Adapters::default()).err().unwrap().to_string()
    }

    #[test]
    fn a_subject_name_is_a_program_with_an_optional_release() {
        for (name, adapter, release) in [
            ("ripgrep", "ripgrep", None),
            ("ripgrep@14.1.0", "ripgrep", Some("14.1.0")),
            ("./a@b/mine.yaml", "./a@b/mine.yaml", None),
            ("./a@b/mine.yaml@1.2", "./a@b/mine.yaml", Some("1.2")),
        ] {
            let wanted =
                Wanted { adapter: adapter.to_owned(), release: release.map(str::to_owned) };
            assert_eq!(Wanted::parse(name), wanted);
        }
    }

    #[test]
    fn a_program_path_is_relative_to_its_adapter() {
        let (_home, file) = own("./seek");
        for name in [file.clone(), format!("{file}@system")] {
            let subject = subject(&name, &Adapters::default()).unwrap();
            let expected = SubjectInfo {
                subject: format!("{file}@system"),
                program: "seek-of-a-test".to_owned(),
                version: "1.2".to_owned(),
            };
            assert_eq!(subject.info, expected);
            assert_eq!(subject.searcher.name(), expected.subject);
        }
    }

    #[test]
    fn a_release_that_is_not_installed_is_refused() {
        let (_home, file) = own("./seek");
        let message = refused(&format!("{file}@1.2"));
        assert!(
            message.contains("1.2 is not installed") && message.contains("backends install"),
            "{message}"
        );
    }

    #[test]
    fn a_missing_or_unidentified_program_is_reported_by_name() {
        let (_home, file) = own("no-such-program-anywhere");
        assert!(refused(&file).contains("no-such-program-anywhere"));
        let (_home, file) = own("'true'");
        assert!(refused(&file).contains("does not say which release"), "{}", refused(&file));
        assert!(refused("nobody").contains("no adapter `nobody`"));
        assert!(refused("./nowhere.yaml").contains("./nowhere.yaml"));
    }

    #[test]
    fn the_native_subject_has_no_releases() {
        let adapters = Adapters::shipped().unwrap();
        assert_eq!(subject("native", &adapters).unwrap().info.program, "native");
        assert!(matches!(subject("native@1", &adapters), Err(Unresolved::NoReleases(_))));
    }
}
