//! Whether the machine was quiet: what others took of its processors while something was measured;
//! Linux only.

use std::fs;

/// Processor time so far, in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Total.
    all: u64,
    /// Idle, or waiting for a disk.
    idle: u64,
    /// Of this process, and of its children that have ended.
    own: u64,
}

impl Watch {
    /// Starts the measurement.
    pub(crate) fn begin() -> Option<Self> {
        let machine = fs::read_to_string("/proc/stat").ok()?;
        let numbers = machine.lines().next()?.split_whitespace().skip(1);
        // What guests took is in what users took.
        let ticks: Vec<u64> = numbers.take(8).filter_map(|number| number.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        let process = fs::read_to_string("/proc/self/stat").ok()?;
        // The program's name may hold blanks; it ends at the last parenthesis.
        let (_, fields) = process.rsplit_once(')')?;
        let own = fields
            .split_whitespace()
            .skip(11)
            .take(4)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Some(Self { all: ticks.iter().sum(), idle, own })
    }

    /// The share of processor time since then that other processes, or the machine's host, took.
    #[expect(clippy::cast_precision_loss, reason = "ticks of hours are exact")]
    pub(crate) fn others(self) -> Option<f64> {
        let now = Self::begin()?;
        let (all, idle, own) = (now.all - self.all, now.idle - self.idle, now.own - self.own);
        (all > 0).then(|| all.saturating_sub(idle + own) as f64 / all as f64)
    }
}
