//! Programs that ask servers of the Model Context Protocol: where and how a server is configured in
//! each (docs/mcp.md).

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::ValueEnum;
use forge_search_engine::{Config, escape_name};
use serde_json::{Value, json};

use self::entry::{Entry, Form};
use crate::{
    args::Common,
    consent::{Consent, what_is_sent},
    errors::Failure,
};

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
    /// `.cursor/mcp.json` in the project
    Cursor,
    /// `~/.codeium/windsurf/mcp_config.json`
    Windsurf,
    /// `.gemini/settings.json` in the project
    GeminiCli,
    /// `.vscode/mcp.json` in the project
    Vscode,
    /// `.codex/config.toml` in the project
    Codex,
}

/// Where a client's file lies.
#[derive(Clone, Copy, Debug)]
enum File {
    Project(&'static str),
    Home(&'static str),
    Configuration(&'static str),
}

/// Where a client starts a server.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// In the project.
    Project,
    /// Anywhere, but this text of its configuration is the project.
    Named(&'static str),
    /// Outside every project.
    Elsewhere,
}

/// What is known of a client.
#[derive(Clone, Copy, Debug)]
struct Known {
    name: &'static str,
    file: File,
    form: Form,
    table: &'static str,
    start: Start,
    /// What else has to be done.
    remark: &'static str,
}

/// Which server is installed where.
struct Place {
    home: Option<PathBuf>,
    configuration: Option<PathBuf>,
    project: PathBuf,
    /// The roots that the command line names.
    roots: Vec<String>,
    program: String,
    consent: Consent,
}

impl Place {
    fn of(common: &Common, consent: Consent) -> Result<Self, Failure> {
        let roots = common.roots.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>()?;
        let project = match roots.first() {
            Some(root) => root.clone(),
            None => std::env::current_dir()?,
        };
        let roots = roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
        let (home, configuration) = match etcetera::base_strategy::choose_native_strategy() {
            Ok(dirs) => {
                use etcetera::BaseStrategy as _;
                (Some(dirs.home_dir().to_owned()), Some(dirs.config_dir()))
            }
            Err(_) => (None, None),
        };
        Ok(Self { home, configuration, project, roots, program: program(), consent })
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
    /// The rows of docs/mcp.md.
    const fn known(self) -> Known {
        let usual = Known {
            name: "Claude Code",
            file: File::Project(".mcp.json"),
            form: Form::Json,
            table: "mcpServers",
            start: Start::Project,
            remark: "",
        };
        match self {
            Self::ClaudeCode => usual,
            Self::ClaudeDesktop => Known {
                name: "Claude Desktop",
                file: File::Configuration("Claude/claude_desktop_config.json"),
                start: Start::Elsewhere,
                ..usual
            },
            Self::Cursor => Known {
                name: "Cursor",
                file: File::Project(".cursor/mcp.json"),
                start: Start::Named("${workspaceFolder}"),
                ..usual
            },
            Self::Windsurf => Known {
                name: "Windsurf",
                file: File::Home(".codeium/windsurf/mcp_config.json"),
                start: Start::Elsewhere,
                ..usual
            },
            Self::GeminiCli => {
                Known { name: "Gemini CLI", file: File::Project(".gemini/settings.json"), ..usual }
            }
            Self::Vscode => Known {
                name: "VS Code",
                file: File::Project(".vscode/mcp.json"),
                table: "servers",
                start: Start::Named("${workspaceFolder}"),
                ..usual
            },
            Self::Codex => Known {
                name: "Codex",
                file: File::Project(".codex/config.toml"),
                form: Form::Toml,
                table: "mcp_servers",
                remark: "Codex reads this file once the project is trusted; `codex mcp add \
                         forge-search -- forge-search mcp` adds the server for all projects",
                ..usual
            },
        }
    }

    fn flag(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn file(self, place: &Place) -> Option<PathBuf> {
        Some(match self.known().file {
            File::Project(file) => place.project.join(file),
            File::Home(file) => place.home.as_ref()?.join(file),
            File::Configuration(file) => place.configuration.as_ref()?.join(file),
        })
    }

    fn entry(self, place: &Place) -> Entry {
        let Known { file, form, table, start, .. } = self.known();
        // A project's file is about the one root that it lies in.
        let is_implied = place.roots.len() < 2 && matches!(file, File::Project(_));
        let mut arguments = Vec::new();
        match start {
            Start::Named(root) if is_implied => arguments.extend(["--root", root]),
            _ if is_implied => {}
            _ => arguments.extend(place.roots.iter().flat_map(|root| ["--root", root])),
        }
        arguments.push("mcp");
        if place.consent.allow_model {
            arguments.push("--allow-model");
        }
        let server = match self {
            Self::Vscode => {
                json!({ "type": "stdio", "command": place.program, "args": arguments })
            }
            _ => json!({ "command": place.program, "args": arguments }),
        };
        Entry { form, table, name: NAME, server }
    }

    /// What somebody who adds the server has to know besides.
    fn remarks(self, place: &Place, config: &Config) -> String {
        let Known { name, start, remark, .. } = self.known();
        let mut text = String::new();
        if matches!(start, Start::Elsewhere) && place.roots.is_empty() {
            let flag = self.flag();
            let _ = writeln!(
                text,
                "{name} starts servers outside every project, and has no file of a project: name \
                 what may be searched, as in `forge-search --root DIR mcp --install {flag} --write`"
            );
        }
        let lines = [remark, &what_is_sent(config)].map(str::to_owned);
        text + lines.join("\n").trim_start() + "\n"
    }
}

/// Tells somebody at a terminal what this is, on standard error.
pub(crate) fn explain(common: &Common, consent: Consent) -> Result<(), Failure> {
    let place = Place::of(common, consent)?;
    let mut text = String::from(
        "This is a server of the Model Context Protocol. A client starts it and speaks to it on \
         standard input;\nby hand, `forge-search search PATTERN` is for people. Clients are told \
         of it so:\n",
    );
    for client in Client::value_variants() {
        let file = client.file(&place).map(|file| shown(&file)).unwrap_or_default();
        let (name, flag) = (client.known().name, client.flag());
        let _ = writeln!(text, "\n{name}, in {file} (forge-search mcp --install {flag}):\n");
        text += &client.entry(&place).whole();
    }
    text += "\nWaiting for messages of the protocol; Ctrl-C ends.\n";
    std::io::stderr().write_all(text.as_bytes())?;
    Ok(())
}

/// Says what would be added to a client's configuration, or adds it.
pub(crate) fn install(common: &Common, client: Client, write: bool, consent: Consent) -> ExitCode {
    installed(common, client, write, consent).unwrap_or_else(|failure| failure.tell())
}

fn installed(
    common: &Common,
    client: Client,
    write: bool,
    consent: Consent,
) -> Result<ExitCode, Failure> {
    let place = Place::of(common, consent)?;
    let config = consent.config(common)?;
    let entry = client.entry(&place);
    let title = client.known().name;
    let remarks = client.remarks(&place, &config);
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
        write!(out, "{title} has this server already, in {name}\n{remarks}")?;
        return Ok(ExitCode::SUCCESS);
    };
    if !write {
        writeln!(out, "{name} would become:\n\n{}", after.trim_end())?;
        writeln!(
            out,
            "\n{remarks}Nothing was written. `forge-search mcp --install {} --write` writes it.",
            client.flag()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    entry::replace(&file, before.as_deref(), &after)?;
    write!(out, "wrote {name}; start {title} anew, and it has the tools\n{remarks}")?;
    Ok(ExitCode::SUCCESS)
}

/// Clients that have an entry of this name, with the file it is in.
pub(crate) fn known_by(common: &Common) -> Vec<(&'static str, String)> {
    let Ok(place) = Place::of(common, Consent::default()) else { return Vec::new() };
    let has = |client: &&Client| {
        let text = client.file(&place).and_then(|file| entry::read(&file).ok().flatten());
        text.is_some_and(|text| client.entry(&place).is_in(&text))
    };
    let clients = Client::value_variants().iter().filter(has);
    clients.filter_map(|client| Some((client.known().name, shown(&client.file(&place)?)))).collect()
}

fn shown(path: &Path) -> String {
    escape_name(&path.to_string_lossy())
}

/// A value of JSON that was read strictly: no key twice.
fn parsed(text: &str) -> Result<Value, String> {
    forge_search_engine::json::parse(text).map_err(|err| err.to_string())
}
