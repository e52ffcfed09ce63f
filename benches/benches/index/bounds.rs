//! Bounds, and whether they held.

/// The checked bounds, in order.
#[derive(Default)]
pub(crate) struct Bounds(Vec<(String, bool)>);

impl Bounds {
    /// Adds a bound: the measurement in words, and whether it is within the bound.
    pub(crate) fn note(&mut self, what: String, holds: bool) {
        self.0.push((what, holds));
    }

    /// Prints them all.
    pub(crate) fn print(&self) {
        println!("\nbounds");
        for (what, holds) in &self.0 {
            println!("  {} {what}", if *holds { "holds " } else { "BROKEN" });
        }
    }
}
