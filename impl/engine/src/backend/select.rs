//! Chooses a service's backend: configured order, version floors, behaviour probes (FR-LS-EXE-01,
//! CFG-LS-01, E-B01, E-F14, E-F18).
//!
//! `--version` identifies a program. It is used only after it has proposed exactly the right lines
//! of a fixture, which it gets on standard input so that nothing is written.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use forge_search_core::{ToolError, content::escape_name};

use super::{
    Backend,
    external::{Dialect, External},
    ripgrep::RIPGREP,
    ugrep::UGREP,
};
use crate::{
    config::{BackendChoice, Config, FilesBackend},
    process::{Invocation, ProcessEnd, run},
    sandbox::Sandbox,
};

/// Time limit of `--version`, and of each probe.
const PROBE_TIME: Duration = Duration::from_secs(10);

/// CRLF, an invalid byte, a NUL, an empty line, capitals, and no final line feed.
const FIXTURE: &[u8] = b"one needle\r\nnone\nb\xe9d\nnul\0 needle\n\nA NEEDLE\nlast needle";

/// Expressions, with the lines of the fixture that they select.
const PROBES: [(&str, &[u64]); 3] = [
    (r"(?:needle|b[\x80-\xff]+d)", &[1, 3, 4, 7]),
    // Letters of either case, as `case: "insensitive"` spells them (FR-LS-SRC-04).
    ("[Nn][Ee][Ee][Dd][Ll][Ee]", &[1, 4, 6, 7]),
    // Every line, the empty one included.
    ("", &[1, 2, 3, 4, 5, 6, 7]),
];

/// The backend that the configuration names for `search_files`, after its probes (CFG-SF-03). There
/// is no substitute for it.
pub(crate) fn select_for_files(config: &Config, sandbox: &Sandbox) -> Result<Backend, ToolError> {
    let files = &config.search_files;
    let program = match files.backend {
        FilesBackend::Native => return Ok(Backend::Native),
        FilesBackend::Rg => &files.rg_binary,
        FilesBackend::Ugrep => &files.ugrep_binary,
    };
    let name = files.backend.name();
    named(name, program, sandbox).map(Backend::External).map_err(|why| {
        let shown = escape_name(program);
        ToolError::failed(
            "backend",
            format!("backend {name}: `{shown}` {why}; install it, name it by tools.search_files.{name}_binary, or set tools.search_files.backend to native"),
        )
    })
}

/// The first usable backend of the configured order.
pub(crate) fn select(config: &Config, sandbox: &Sandbox) -> Result<Backend, ToolError> {
    let only = match config.backend {
        BackendChoice::Native => return Ok(Backend::Native),
        BackendChoice::Rg => Some("rg"),
        BackendChoice::Ugrep => Some("ugrep"),
        BackendChoice::Auto => None,
    };
    if let Some(name) = only {
        return named(name, name, sandbox).map(Backend::External).map_err(|why| {
            let why = format!("backend {name}: `{name}` {why}; install it, or set tools.search.backend to native, or to auto with its path as tools.search.binary");
            ToolError::failed("backend", why)
        });
    }
    let mut reasons = Vec::new();
    for (key, binary) in [("binary", &config.binary), ("fallback_binary", &config.fallback_binary)]
    {
        if binary.is_empty() {
            continue;
        }
        match probe(binary, sandbox) {
            Ok(external) => return Ok(Backend::External(external)),
            Err(why) => reasons.push(format!("{key} `{binary}` {why}")),
        }
    }
    if config.allow_native {
        return Ok(Backend::Native);
    }
    Err(ToolError::failed(
        "backend",
        format!(
            "no usable search backend: {}; install ugrep 3.0 or ripgrep 13.0 or later, or set tools.search.backend to native",
            if reasons.is_empty() { "none is configured".to_owned() } else { reasons.join("; ") }
        ),
    ))
}

/// The program `binary`, which has to identify itself as `name` (`rg` or `ugrep`). The error
/// completes a sentence about it.
fn named(name: &str, binary: &str, sandbox: &Sandbox) -> Result<External, String> {
    let external = probe(binary, sandbox)?;
    let wanted = if name == "rg" { RIPGREP } else { UGREP };
    if external.dialect.name == wanted.name {
        Ok(external)
    } else {
        Err(format!("is {}, not {}", external.dialect.name, wanted.name))
    }
}

fn probe(binary: &str, sandbox: &Sandbox) -> Result<External, String> {
    let program = locate(binary, sandbox)?;
    let deadline = Instant::now() + PROBE_TIME;
    let banner = banner(&program, deadline)?;
    let dialect = [RIPGREP, UGREP].into_iter().find(|dialect| banner.starts_with(dialect.banner));
    let dialect =
        dialect.ok_or_else(|| format!("is neither ugrep nor ripgrep; it says `{banner}`"))?;
    let version = check_version(&dialect, &banner)?;
    let list = dialect.list.filter(|(since, _)| version >= *since).map(|(_, list)| list);
    let list = list.filter(|list| External::takes(list, &dialect, &program, deadline));
    let external = External { dialect, program, list };
    for (expression, want) in PROBES {
        match external.propose_in(expression, FIXTURE, deadline) {
            Ok(got) if got == want => {}
            Ok(got) => {
                return Err(format!(
                    "failed a probe: `{expression}` selected lines {got:?} of the fixture, not {want:?}"
                ));
            }
            Err(why) => return Err(format!("failed a probe: {why}")),
        }
    }
    Ok(external)
}

/// An absolute path outside the sandbox: a searched tree must not supply the search program.
fn locate(binary: &str, sandbox: &Sandbox) -> Result<PathBuf, String> {
    let name = Path::new(binary);
    if name.file_stem().is_some_and(|stem| stem == "ug") {
        return Err("reads configuration files from the searched tree; use ugrep".to_owned());
    }
    let candidates: Vec<PathBuf> = if name.components().count() > 1 {
        if !name.is_absolute() {
            return Err("is a relative path; give an absolute path or a plain name".to_owned());
        }
        vec![name.to_owned()]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(format!("{binary}{}", std::env::consts::EXE_SUFFIX)))
            .collect()
    };
    let mut inside = false;
    for candidate in candidates {
        let Ok(program) = dunce::canonicalize(&candidate) else { continue };
        if sandbox.contains(&program) {
            inside = true;
        } else if program.is_file() {
            // Not canonicalised: some programs behave differently under another name.
            return Ok(candidate);
        }
    }
    Err(if inside {
        "lies inside a searched root and is not run".to_owned()
    } else {
        "was not found".to_owned()
    })
}

fn banner(program: &Path, deadline: Instant) -> Result<String, String> {
    let mut output = Vec::new();
    let ended = run(
        Invocation { program, args: vec!["--version".into()], cwd: None, stdin: None, deadline },
        &|| false,
        &mut |piece| {
            output.extend_from_slice(piece);
            if output.len() > 4096 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    match ended {
        Ok(ProcessEnd::Exited { code: Some(0), .. }) => {
            Ok(String::from_utf8_lossy(&output).lines().next().unwrap_or_default().to_owned())
        }
        Ok(_) => Err("does not answer `--version`".to_owned()),
        Err(err) => Err(format!("could not be run: {err}")),
    }
}

fn check_version(dialect: &Dialect, banner: &str) -> Result<(u32, u32), String> {
    let text = banner.strip_prefix(dialect.banner).unwrap_or_default();
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let version = match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor),
        _ => return Err(format!("has no readable version in `{banner}`")),
    };
    if version < dialect.floor {
        let ((major, minor), (least, least_minor)) = (version, dialect.floor);
        return Err(format!(
            "is version {major}.{minor}, below the required {least}.{least_minor}"
        ));
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_banner_and_compared_with_the_minimum() {
        assert!(check_version(&RIPGREP, "ripgrep 15.2.0 (rev 1)").is_ok());
        assert!(check_version(&UGREP, "ugrep 3.11.2 x86_64-pc-linux-gnu +sse2").is_ok());
        assert_eq!(
            check_version(&RIPGREP, "ripgrep 12.1.1"),
            Err("is version 12.1, below the required 13.0".to_owned())
        );
        assert!(check_version(&UGREP, "ugrep next").is_err());
    }
}
