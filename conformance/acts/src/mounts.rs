//! Mounts of a test's own, which nobody else sees and which end with it.

use std::{
    env, io,
    process::{Command, Output, Stdio},
};

/// Set in the process that has mounts of its own.
const INSIDE: &str = "TOUCHSTONE_OWN_MOUNTS";

/// Where a test stands that wants to mount something.
#[derive(Debug)]
pub enum Mounts {
    /// In a mount namespace of its own: it may go on.
    Own,
    /// It was run there, in another process, which has ended.
    Ran(Output),
    /// The system allows no such namespace, for this reason.
    Forbidden(String),
}

impl Mounts {
    /// Runs a test of this executable, given by its whole name, once more in a mount namespace of
    /// its own, and tells the two processes apart.
    pub fn of_test(test: &str) -> io::Result<Self> {
        if env::var_os(INSIDE).is_some() {
            return Ok(Self::Own);
        }
        let tried = match unshare("true", &[]) {
            Ok(tried) => tried,
            Err(err) => return Ok(Self::Forbidden(format!("unshare: {err}"))),
        };
        if !tried.status.success() {
            let why = String::from_utf8_lossy(&tried.stderr).trim().to_owned();
            return Ok(Self::Forbidden(why));
        }
        let this = env::current_exe()?.to_string_lossy().into_owned();
        Ok(Self::Ran(unshare(&this, &["--exact", test, "--nocapture"])?))
    }
}

/// Runs a program under `unshare(1)`.
fn unshare(program: &str, args: &[&str]) -> io::Result<Output> {
    let user = if rustix::process::geteuid().is_root() { "-m" } else { "-rm" };
    Command::new("unshare")
        .args([user, "--propagation", "private", "--", program])
        .args(args)
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .output()
}
