//! Processor time.

use std::fs;

/// Ticks of a second in `/proc`, which Linux fixes for programs whatever the kernel's own are.
const TICKS: f64 = 100.0;

/// Processor time of this process and of the children it has waited for, in seconds; 0 where the
/// system does not tell.
pub fn cpu_seconds() -> f64 {
    let Ok(stat) = fs::read_to_string("/proc/self/stat") else { return 0.0 };
    // The second field may hold spaces and ends with a bracket; the times are the 14th to the 17th.
    let Some((_, rest)) = stat.rsplit_once(')') else { return 0.0 };
    let ticks: u32 = rest
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse::<u32>().ok())
        .sum();
    f64::from(ticks) / TICKS
}
