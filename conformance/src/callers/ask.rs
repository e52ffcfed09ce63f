//! Asks the program: as a server of the protocol, and by its command line.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::row::with_root;
use super::{Ask, Row, Subject, flat};
use crate::case::CasePreset;
use crate::mcp::Client;
use crate::subject::Broken;

/// A program in the place of a row.
pub(super) struct Program<'p> {
    pub(super) path: &'p Path,
    /// Where the user's directories are made.
    pub(super) scratch: &'p Path,
    /// The row's tree.
    pub(super) root: &'p Path,
}

type Answer = Result<Value, String>;

impl Program<'_> {
    /// The answers of each way to ask.
    pub(super) fn answers(&self, row: &Row) -> Vec<(Subject, Answer)> {
        match &row.ask {
            Ask::Tool(tool, arguments) => {
                let arguments = with_root(arguments, &self.root.to_string_lossy());
                vec![
                    (Subject::Server, self.server(row, tool, &arguments)),
                    (Subject::CommandLine, self.call(row, tool, &arguments)),
                ]
            }
            Ask::Message(message) => {
                let message = with_root(message, &self.root.to_string_lossy());
                vec![(Subject::Server, self.response(row, message))]
            }
            Ask::Command { argv, directory, stdin } => {
                vec![(
                    Subject::CommandLine,
                    self.command_line(row, argv, directory, stdin.as_deref()),
                )]
            }
        }
    }

    /// The program for a user who has nothing but the row's configuration.
    fn command(&self, row: &Row, directory: &str) -> Result<Command, String> {
        let home = self.scratch.join("home");
        let configuration = home.join(".config/forge-search");
        fs::create_dir_all(&configuration)
            .and_then(|()| fs::write(configuration.join("config.toml"), &row.config))
            .map_err(|error| error.to_string())?;
        let mut command = Command::new(self.path);
        command.env_clear().env("HOME", &home).current_dir(self.root.join(directory));
        for name in ["PATH", "LLVM_PROFILE_FILE"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        for (name, value) in &row.env {
            command.env(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        if row.preset == CasePreset::Documents {
            command.args(["--preset", "documents"]);
        }
        Ok(command)
    }

    /// The program with the row's roots.
    fn rooted(&self, row: &Row) -> Result<Command, String> {
        let first = row.roots.first().map_or(".", String::as_str);
        let mut command = self.command(row, first)?;
        for root in &row.roots {
            command.arg("--root").arg(self.root.join(root));
        }
        Ok(command)
    }

    fn call(&self, row: &Row, tool: &str, arguments: &Value) -> Answer {
        let mut command = self.rooted(row)?;
        let output = command
            .args(["call", tool, &arguments.to_string()])
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let answer = serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("no answer ({error}): {}", String::from_utf8_lossy(&output.stderr))
        })?;
        Ok(flat(answer))
    }

    fn command_line(
        &self,
        row: &Row,
        argv: &[String],
        directory: &str,
        stdin: Option<&[u8]>,
    ) -> Answer {
        let root = self.root.to_string_lossy();
        let argv = argv.iter().map(|argument| argument.replace(crate::case::ROOT_MARK, &root));
        let mut child = self
            .command(row, directory)?
            .args(argv)
            .stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), stdin) {
            // A program that does not read its input closes the pipe; rows have few bytes.
            let _ = pipe.write_all(bytes);
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        Ok(json!({
            "status": output.status.code(),
            "out": String::from_utf8_lossy(&output.stdout),
            "err": String::from_utf8_lossy(&output.stderr),
        }))
    }

    /// The server's response to one request, as a whole.
    fn response(&self, row: &Row, message: Value) -> Answer {
        let mut command = self.serving(row)?;
        let response = Client::start(&mut command).and_then(|mut client| {
            let response = client.response(message)?;
            client.finish()?;
            Ok(response)
        });
        response.map_err(|broken| broken.to_string())
    }

    fn serving(&self, row: &Row) -> Result<Command, String> {
        let mut command = self.rooted(row)?;
        command.args(["mcp", "--profile", "all", "--log", "off"]);
        Ok(command)
    }

    fn server(&self, row: &Row, tool: &str, arguments: &Value) -> Answer {
        let mut command = self.serving(row)?;
        let result = call(&mut command, tool, arguments).map_err(|broken| broken.to_string())?;
        let text = result.pointer("/content/0/text").cloned().unwrap_or_default();
        let error = result.pointer("/_meta/forge-search~1error").cloned();
        let data = error.or_else(|| result.get("structuredContent").cloned());
        let mut answer = flat(data.ok_or_else(|| format!("no data in {result}"))?);
        if let Value::Object(answer) = &mut answer {
            answer.insert("text".to_owned(), text);
        }
        Ok(answer)
    }
}

/// The result of one call of a server that is started for it.
fn call(command: &mut Command, tool: &str, arguments: &Value) -> Result<Value, Broken> {
    let mut client = Client::start(command)?;
    let result = client.call(tool, arguments)?;
    client.finish()?;
    Ok(result)
}
