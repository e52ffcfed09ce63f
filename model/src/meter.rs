//! Counts items against the caps of a table.
//!
//! Of several caps that strike, the first of the table decides, and those before it have counted.

use crate::tables::caps::{Cap, CapLimit, Counted, Strikes, Then, Within};

/// Caps with their counts.
pub(crate) struct Meter<R> {
    caps: Vec<Metered<R>>,
}

struct Metered<R> {
    cap: Cap<R>,
    limit: u64,
    so_far: u64,
}

/// The items that were counted.
pub(crate) struct Passed<T, R> {
    /// Items before the stop in order, each with the cap that left it out.
    pub(crate) gone_through: Vec<(T, Option<Cap<R>>)>,
    /// The first item that is left out with all later ones, and the cap.
    pub(crate) stopped: Option<(T, Cap<R>)>,
}

impl<T, R> Passed<T, R> {
    /// The items that no cap left out.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &T> {
        self.gone_through.iter().filter(|(_, cap)| cap.is_none()).map(|(thing, _)| thing)
    }
}

impl<R: Copy> Meter<R> {
    /// The caps of a table that count within a file, or those that do not. A cap without a limit
    /// never strikes.
    pub(crate) fn new(
        caps: &[Cap<R>],
        within_file: bool,
        limit: impl Fn(CapLimit) -> Option<u64>,
    ) -> Meter<R> {
        let caps = caps.iter().filter(|cap| (cap.within == Within::File) == within_file);
        let caps =
            caps.filter_map(|cap| Some(Metered { cap: *cap, limit: limit(cap.limit)?, so_far: 0 }));
        Meter { caps: caps.collect() }
    }

    /// The cap that strikes at an item of this amount; `None` if the item was counted.
    pub(crate) fn strike(&mut self, amount: impl Fn(Counted) -> Option<u64>) -> Option<Cap<R>> {
        for metered in &mut self.caps {
            let Some(amount) = amount(metered.cap.counts) else { continue };
            let before = if metered.cap.within == Within::Each { 0 } else { metered.so_far };
            let number = before.saturating_add(amount);
            let strikes = match metered.cap.strikes {
                Strikes::Beyond => number > metered.limit,
                Strikes::At => number >= metered.limit,
            };
            if strikes {
                return Some(metered.cap);
            }
            metered.so_far = number;
        }
        None
    }

    /// Applies the caps to these items in order.
    pub(crate) fn pass<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        amount: impl Fn(&T, Counted) -> Option<u64>,
    ) -> Passed<T, R> {
        let mut passed = Passed { gone_through: Vec::new(), stopped: None };
        for thing in things {
            match self.strike(|counted| amount(&thing, counted)) {
                Some(cap) if cap.then == Then::Stop => {
                    passed.stopped = Some((thing, cap));
                    break;
                }
                cap => passed.gone_through.push((thing, cap)),
            }
        }
        passed
    }
}
