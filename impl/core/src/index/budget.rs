//! When work has to stop, and whether it should begin: arithmetic on figures and times that are
//! passed in (FR-LSI-BUD-*, FR-LSI-REC-02, FR-LSI-BG-05).
//!
//! Times are milliseconds of one monotonic clock. Invariants: limits are exceeded, never reached:
//! equality is within them (E-C26, E-C35).

use super::settings::Settings;

/// What a build has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Time worked, pauses for throttling left out (E-C40).
    pub elapsed_ms: u64,
    /// Files looked at.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// Whether a build has to stop (FR-LSI-BUD-INIT-01). A maximum of 0 is none.
pub fn build_exceeded(settings: &Settings, spent: Spent) -> bool {
    let over = |used: u64, limit: u64| limit != 0 && used > limit;
    spent.elapsed_ms > settings.index_build_timeout_ms
        || over(spent.files, settings.index_build_max_files)
        || over(spent.bytes, settings.index_build_max_bytes)
}

/// Whether one slice of a reconcile scan has to stop (FR-LSI-REC-02, E-C28).
pub fn reconcile_exceeded(settings: &Settings, spent: Spent) -> bool {
    spent.files > settings.reconcile_max_files || spent.elapsed_ms > settings.reconcile_max_ms
}

/// What upkeep may take of one call, in milliseconds (FR-LSI-BUD-MAINT-01).
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a timeout is at most 600,000 and the fraction is between 0 and 1"
)]
pub fn maintenance_ms(settings: &Settings, timeout_ms: u64) -> u64 {
    (settings.index_maint_budget_fraction * timeout_ms as f64).floor() as u64
}

/// Whether a tree is large enough to be indexed in `auto` mode (E-C35).
pub fn above_threshold(settings: &Settings, files: u64, bytes: u64) -> bool {
    files > settings.index_auto_threshold_files || bytes > settings.index_auto_threshold_bytes
}

/// Whether the thresholds are due to be looked at again (FR-LSI-BG-06).
pub fn reevaluation_due(settings: &Settings, calls_since: u64) -> bool {
    calls_since >= settings.index_auto_reeval_calls
}

/// Until when DISABLED holds if it is entered now; `None`: as long as the process lives (E-C21).
pub fn cooldown_until(settings: &Settings, now_ms: u64) -> Option<u64> {
    match settings.index_disable_cooldown_ms {
        0 => None,
        cooldown => Some(now_ms.saturating_add(cooldown)),
    }
}

/// Whether a cooldown still holds.
pub fn cooling_down(until_ms: Option<u64>, now_ms: u64) -> bool {
    until_ms.is_none_or(|until| now_ms < until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::settings::Settings;

    #[test]
    fn an_index_build_may_reach_but_not_exceed_its_limits() {
        let settings = Settings {
            index_build_max_files: 100,
            index_build_max_bytes: 7,
            ..Settings::documents()
        };
        let spent = |files, bytes, elapsed_ms| Spent { elapsed_ms, files, bytes };
        assert!(!build_exceeded(&settings, spent(100, 7, 300_000)));
        for over in [spent(101, 7, 0), spent(0, 8, 0), spent(0, 0, 300_001)] {
            assert!(build_exceeded(&settings, over), "{over:?}");
        }
        assert!(!build_exceeded(&Settings::documents(), spent(u64::MAX, u64::MAX, 0)));
        assert!(!reconcile_exceeded(&settings, spent(50_000, u64::MAX, 2_000)));
        assert!(reconcile_exceeded(&settings, spent(50_001, 0, 0)));
        assert!(reconcile_exceeded(&settings, spent(0, 0, 2_001)));
        assert!(!above_threshold(&settings, 2_000, 500_000_000));
        assert!(above_threshold(&settings, 2_001, 0) && above_threshold(&settings, 0, 500_000_001));
    }

    #[test]
    fn upkeep_gets_its_share_rounded_down() {
        assert_eq!(maintenance_ms(&Settings::documents(), 20_000), 5_000);
        assert_eq!(maintenance_ms(&Settings::documents(), 3), 0);
        assert_eq!(
            maintenance_ms(
                &Settings { index_maint_budget_fraction: 1.0, ..Settings::documents() },
                7
            ),
            7
        );
    }

    #[test]
    fn a_cooldown_ends_at_its_time() {
        let settings = Settings { index_disable_cooldown_ms: 10, ..Settings::documents() };
        let until = cooldown_until(&settings, 5);
        assert_eq!(until, Some(15));
        assert!(cooling_down(until, 14) && !cooling_down(until, 15));
        assert_eq!(cooldown_until(&Settings::documents(), 5), None);
        assert!(cooling_down(None, u64::MAX));
        assert!(!reevaluation_due(&settings, 99) && reevaluation_due(&settings, 100));
    }
}
