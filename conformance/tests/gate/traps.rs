//! Drawn cases contain every trap often enough, and each trap that decides a clause is counted.

mod agent;
mod files;
mod keyword;
mod search;
