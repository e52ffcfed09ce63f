//! What root may do with files that are closed to it.
//!
//! Responsible for: an act without these rights ([`without`]).
//! Not here: running as another user (`touchstone::runner`).
//! Invariants: the thread has its rights back afterwards; programs that it starts do not.

/// Acts as an ordinary user who owns the same files would. Programs that this thread starts from
/// then on are bound by permissions too; where root has no right to give that up, it stays as it
/// is.
#[cfg(target_os = "linux")]
pub(crate) fn without<T>(act: impl FnOnce() -> T) -> T {
    use rustix::thread::{
        CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set,
        set_capabilities,
    };

    let given_up = [CapabilitySet::DAC_OVERRIDE, CapabilitySet::DAC_READ_SEARCH];
    let Ok(whole) = capabilities(None) else { return act() };
    let effective = whole.effective.difference(given_up[0] | given_up[1]);
    if effective == whole.effective {
        return act();
    }
    for one in given_up {
        if remove_capability_from_bounding_set(one).is_err() {
            return act();
        }
    }
    let done = set_capabilities(None, CapabilitySets { effective, ..whole });
    let result = act();
    if done.is_ok() {
        // What was permitted can be taken back.
        let _ = set_capabilities(None, whole);
    }
    result
}

/// Elsewhere nobody's rights are split up.
#[cfg(not(target_os = "linux"))]
pub(crate) fn without<T>(act: impl FnOnce() -> T) -> T {
    act()
}
