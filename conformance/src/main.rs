//! The `touchstone` command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    touchstone::cli::main()
}
