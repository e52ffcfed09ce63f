//! Ways to change a file that no safe crate offers, and a remote file system to change files of.
//!
//! Responsible for: [`Aio`], [`ring_write`], [`Mapping`], [`Stalled`] and [`Remote`], which change
//! files in ways that a watcher sees late or not at all; [`Mounts`], a place to mount things in.
//! Not here: what a search must answer afterwards (`clauses_index_service` of the gate).
//! Invariants: each block of `unsafe` says why it is sound; the crate is empty on other systems.

#[cfg(target_os = "linux")]
mod aio;
#[cfg(target_os = "linux")]
mod area;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod remote;
#[cfg(target_os = "linux")]
mod ring;
#[cfg(target_os = "linux")]
mod stalled;

#[cfg(target_os = "linux")]
pub use aio::Aio;
#[cfg(target_os = "linux")]
pub use area::Mapping;
#[cfg(target_os = "linux")]
pub use mounts::Mounts;
#[cfg(target_os = "linux")]
pub use remote::{Broken, Remote};
#[cfg(target_os = "linux")]
pub use ring::ring_write;
#[cfg(target_os = "linux")]
pub use stalled::Stalled;

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
