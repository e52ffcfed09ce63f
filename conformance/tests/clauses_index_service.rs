//! Document 003 as the real service carries it out: real files, the system's watcher, SQLite below a directory of the test's own.
//!
//! What the index may claim, and when, is decided in the machine, which `clauses_index_*` and the suite `index-model` hold against the model;
//! random lives of the service are the suite `index`'s, killed processes `index-crash`'s. Here stands what a person would look at: threads,
//! files, permissions, figures, and single calls.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

#[path = "clauses_index_service/budgets.rs"]
mod budgets;
#[path = "clauses_index_service/building.rs"]
mod building;
#[path = "clauses_index_service/changes.rs"]
mod changes;
#[path = "clauses_index_service/home.rs"]
mod home;
#[path = "clauses_index_service/life.rs"]
mod life;
#[path = "clauses_index_service/requests.rs"]
mod requests;
#[path = "clauses_index_service/storage.rs"]
mod storage;
