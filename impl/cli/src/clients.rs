//! Programs that ask servers of the Model Context Protocol: where and how a server is configured in
//! each (docs/mcp.md).

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::ValueEnum;
use forge_search_engine::escape_name;
use serde_json::{Value, json};

use self::entry::{Entry, Form};
use crate::{args::Common, errors::Failure};

mod entry;

/// What the server is called in clients.
const NAME: &str = "forge-search";

/// Clients whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// `.mcp.json` in the project
    ClaudeCode,
    /// `claude_desktop_config.json`
    ClaudeDesktop,
    /// `~/.cursor/mcp.json`
    Cursor,
    /// `.vscode/mcp.json` in the project
    Vscode,
    /// `~/.codex/config.toml`
    Codex,
}

/// Where a server is started for which root.
struct Place {
    home: Option<PathBuf>,
    configuration: Option<PathBuf>,
    root: PathBuf,
    program: String,
}

impl Place {
    fn of(common: &Common) -> Result<Self, Failure> {
        let root = match common.roots.first() {
            Some(root) => std::path::absolute(root)?,
            None => std::env::current_dir()?,
        };
        let (home, configuration) = match etcetera::base_strategy::choose_native_strategy() {
            Ok(dirs) => {
                use etcetera::BaseStrategy as _;
                (Some(dirs.home_dir().to_owned()), Some(dirs.config_dir()))
            }
            Err(_) => (None, None),
        };
        Ok(Self { home, configuration, root, program: program() })
    }
}

/// The name of this program if that leads to it, else its path.
fn program() -> String {
    let Ok(this) = std::env::current_exe() else { return NAME.to_owned() };
    let known = std::env::var_os("PATH").is_some_and(|path| {
        let found = std::env::split_paths(&path)
            .map(|dir| dir.join(NAME).with_extension(std::env::consts::EXE_EXTENSION))
            .find(|candidate| candidate.is_file());
        found
            .is_some_and(|found| dunce::canonicalize(found).ok() == dunce::canonicalize(&this).ok())
    });
    if known { NAME.to_owned() } else { this.to_string_lossy().into_owned() }
}

impl Client {
    fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Codex => "Codex",
        }
    }

    fn flag(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn file(self, place: &Place) -> Option<PathBuf> {
        match self {
            Self::ClaudeCode => Some(place.root.join(".mcp.json")),
            Self::Vscode => Some(place.root.join(".vscode/mcp.json")),
            Self::Cursor => Some(place.home.as_ref()?.join(".cursor/mcp.json")),
            Self::Codex => Some(place.home.as_ref()?.join(".codex/config.toml")),
            Self::ClaudeDesktop => {
                Some(place.configuration.as_ref()?.join("Claude/claude_desktop_config.json"))
            }
        }
    }

    fn entry(self, place: &Place) -> Entry {
        let root = place.root.to_string_lossy();
        let mut server = json!({ "command": place.program, "args": ["--root", root, "mcp"] });
        let (form, table) = match self {
            Self::Vscode => {
                server = json!({
                    "type": "stdio", "command": place.program, "args": ["--root", root, "mcp"],
                });
                (Form::Json, "servers")
            }
            Self::Codex => (Form::Toml, "mcp_servers"),
            _ => (Form::Json, "mcpServers"),
        };
        Entry { form, table, name: NAME, server }
    }
}

/// Tells somebody at a terminal what this is, on standard error.
pub(crate) fn explain(common: &Common) -> Result<(), Failure> {
    let place = Place::of(common)?;
    let mut text = String::from(
        "This is a server of the Model Context Protocol. A client starts it and speaks to it on \
         standard input;\nby hand, `forge-search search PATTERN` is for people. Clients are told \
         of it so:\n",
    );
    for client in Client::value_variants() {
        let file = client.file(&place).map(|file| shown(&file)).unwrap_or_default();
        let (name, flag) = (client.name(), client.flag());
        let _ = writeln!(text, "\n{name}, in {file} (forge-search mcp --install {flag}):\n");
        text += &client.entry(&place).whole();
    }
    text += "\nWaiting for messages of the protocol; Ctrl-C ends.\n";
    std::io::stderr().write_all(text.as_bytes())?;
    Ok(())
}

/// Says what would be added to a client's configuration, or adds it.
pub(crate) fn install(common: &Common, client: Client, write: bool) -> ExitCode {
    installed(common, client, write).unwrap_or_else(|failure| failure.tell())
}

fn installed(common: &Common, client: Client, write: bool) -> Result<ExitCode, Failure> {
    let place = Place::of(common)?;
    let entry = client.entry(&place);
    let file = client.file(&place).ok_or_else(|| {
        Failure::new("there is no home directory; add this by hand:\n".to_owned() + &entry.whole())
    })?;
    let name = shown(&file);
    let before = entry::read(&file)?;
    let after = entry.added_to(before.as_deref().unwrap_or_default()).map_err(|why| {
        let whole = entry.whole();
        Failure::new(format!("`{name}` {why}. Nothing was written. To add by hand:\n{whole}"))
    })?;
    let mut out = std::io::stdout().lock();
    let Some(after) = after else {
        writeln!(out, "{} has this server already, in {name}", client.name())?;
        return Ok(ExitCode::SUCCESS);
    };
    if !write {
        writeln!(out, "{name} would become:\n\n{}", after.trim_end())?;
        writeln!(
            out,
            "\nNothing was written. `forge-search mcp --install {} --write` writes it.",
            client.flag()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    entry::replace(&file, before.as_deref(), &after)?;
    writeln!(out, "wrote {name}; start {} anew, and it has the tools", client.name())?;
    Ok(ExitCode::SUCCESS)
}

/// Clients that have an entry of this name, with the file it is in.
pub(crate) fn known_by(common: &Common) -> Vec<(&'static str, String)> {
    let Ok(place) = Place::of(common) else { return Vec::new() };
    let has = |client: &&Client| {
        let text = client.file(&place).and_then(|file| entry::read(&file).ok().flatten());
        text.is_some_and(|text| client.entry(&place).is_in(&text))
    };
    let clients = Client::value_variants().iter().filter(has);
    clients.filter_map(|client| Some((client.name(), shown(&client.file(&place)?)))).collect()
}

fn shown(path: &Path) -> String {
    escape_name(&path.to_string_lossy())
}

/// A value of JSON that was read strictly: no key twice.
fn parsed(text: &str) -> Result<Value, String> {
    forge_search_engine::json::parse(text).map_err(|err| err.to_string())
}
