//! The program as its users meet it: commands, pages, and the server in the hands of clients.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests start programs, and fail by panicking"
)]

mod client;
mod clients;
mod command_line;
mod dice;
mod error_hints;
mod examples;
#[cfg(target_os = "linux")]
mod hostile;
mod index_commands;
mod index_ends;
#[cfg(target_os = "linux")]
mod index_memory;
mod keyword_command;
mod mcp_calls;
#[cfg(target_os = "linux")]
mod mcp_limits;
#[cfg(target_os = "linux")]
mod mcp_load;
mod mcp_malformed_messages;
mod mcp_session;
#[cfg(target_os = "linux")]
mod mcp_streams;
mod pages;
mod place;
mod puppets;
mod ripgrep_parity;
mod rubbish;
mod search_files;
mod stats;
#[cfg(target_os = "linux")]
mod terminal;
