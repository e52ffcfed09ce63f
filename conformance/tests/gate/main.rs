//! The spec gate: everything that holds documents, model, harness and production together, in one
//! executable.
//!
//! One executable for all, because each would carry the whole of the harness and of production:
//! fifty of them were four gigabytes, and three minutes of linking after every change. Each test
//! runs in a process of its own all the same (`cargo nextest run`). What the tests of clauses share
//! is in [`clauses`], [`clauses_index`] and [`index_oracle`].

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::similar_names,
    clippy::format_collect,
    reason = "a test that fails says so by panicking"
)]

mod adapters;
mod answer_mutants;
mod callers;
mod clauses;
mod clauses_agent;
mod clauses_backends;
mod clauses_configuration;
mod clauses_eligibility;
mod clauses_events;
mod clauses_fallback;
mod clauses_faults;
mod clauses_files;
mod clauses_index;
mod clauses_index_coverage;
mod clauses_index_decisions;
mod clauses_index_exclusion;
mod clauses_index_filter;
mod clauses_index_lifecycle;
mod clauses_index_matrix;
mod clauses_index_planner;
mod clauses_index_precedence;
mod clauses_index_service;
mod clauses_index_tokens;
mod clauses_keyword;
mod clauses_limits;
mod clauses_matching;
mod clauses_paths;
mod clauses_request;
mod clauses_response;
mod clauses_vectors;
mod command_line;
mod detection;
mod errata;
mod fakes;
mod freshness;
mod goldens;
mod hunt;
mod hunt_exit_statuses;
mod hunt_results;
mod index_areas;
mod index_backends;
mod index_goldens;
mod index_live;
mod index_live_sabotage;
mod index_machine;
mod index_mutants;
mod index_oracle;
mod index_processes;
mod installed;
mod limits;
mod mcp;
mod museum;
mod program;
mod protocol;
mod records;
mod releases;
mod repositories;
mod runner;
mod sabotage;
mod tidy;
mod tidy_modules;
mod tidy_pages;
mod traps;
