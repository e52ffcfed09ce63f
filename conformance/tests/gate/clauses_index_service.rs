//! Document 003 as the real service carries it out: real files, the system's watcher, SQLite below
//! a directory of the test's own.
//!
//! What the index may claim, and when, is decided in the machine, which `clauses_index_*` and the
//! suite `index-model` hold against the model; random lives of the service are the suite `index`'s,
//! killed processes `index-crash`'s. Here stands what a person would look at: threads, files,
//! permissions, figures, and single calls.

#[cfg(target_os = "linux")]
mod above;
mod budgets;
mod building;
mod changes;
#[cfg(target_os = "linux")]
mod costs;
#[cfg(unix)]
mod database;
mod database_key;
mod eviction;
#[cfg(unix)]
mod failing;
pub(crate) mod home;
#[cfg(target_os = "linux")]
mod identity;
#[cfg(unix)]
mod locks;
#[cfg(target_os = "linux")]
pub(crate) mod mounts;
mod order;
mod pace;
#[cfg(unix)]
mod programs;
mod requests;
mod restart;
#[cfg(unix)]
mod roots;
mod scale;
#[cfg(target_os = "linux")]
mod soundness;
#[cfg(unix)]
mod steps;
mod storage;
