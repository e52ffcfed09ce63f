//! The pure half of the index: what may be claimed, and what may be left out.
//!
//! Responsible for the decisions of `docs/claims.md`, on data already in hand: which n-grams a text
//! has ([`tokens`], [`fold`]), which bits they set ([`filter`]), which files hold them
//! ([`postings`]), how often each identifier stands where ([`words`]), what a pattern cannot do
//! without ([`need`], [`plan`]), whether the index may be relied on at all ([`machine`]), what a
//! burst of watcher events comes to ([`debounce`], [`names`], [`queue`]), what is dropped when
//! space is short ([`eviction`]), when work has to stop ([`budget`]), and which settings are
//! acceptable ([`settings`]). Left to the engine: files, watchers, storage, threads and clocks.
//! Invariants: a function of its arguments; where anything is unclear, nothing is excluded.

pub mod budget;
pub mod debounce;
pub mod eviction;
pub mod filter;
pub mod fold;
pub mod gram;
pub mod machine;
pub mod names;
pub mod need;
pub mod plan;
pub mod postings;
pub mod queue;
pub mod segment;
pub mod settings;
pub mod tokens;
pub mod words;
