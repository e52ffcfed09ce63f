//! Tables written by `touchstone spec emit`; each file names its sources. Do not edit the files below by hand.

pub mod agent;
pub mod index;
pub mod keyword;
pub mod ordering;
pub mod search;
pub mod search_files;
pub mod truncation;
