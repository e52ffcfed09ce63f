//! A program as its adapter describes it: the arguments that ask, the readers that understand what
//! comes back.
//!
//! Responsible for: the command line of an ask ([`arguments`]), text records ([`records`]) and JSON
//! lines ([`json_lines`]) made into an
//! answer, patterns in the program's own syntax ([`syntax`]), a command for people to paste
//! ([`shell`]).
//! Not here: running anything ([`super::command`]), what an adapter is allowed to say
//! (`touchstone_spec::adapter`).
//! Invariants: nothing here knows a program; what differs between programs is data in
//! `spec/backends`.

pub mod arguments;
pub mod json_lines;
pub mod records;
pub mod shell;
pub mod syntax;
