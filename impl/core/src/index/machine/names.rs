//! The vocabulary of the state machine, with the names that `stats` and logs show.
//!
//! Invariants: the order of variants carries meaning. [`Reason`] is by rank, [`Trigger`] is the
//! total order of PREC-P2, [`Action`] is the order in which actions are handed out.

use std::fmt::{self, Display};

/// Declares an enum whose order counts, with all its values and their names.
macro_rules! vocabulary {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name shown to others.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

vocabulary! {
    /// The safety states (FR-LSI-SAFE-01).
    State {
        /// No index exists.
        Absent = "ABSENT",
        /// One is being built.
        Building = "BUILDING",
        /// It is valid and covers everything.
        Complete = "COMPLETE",
        /// It may exist, but its coverage is not proven.
        Uncertain = "UNCERTAIN",
        /// Its data failed a check.
        Corrupt = "CORRUPT",
        /// There shall be none.
        Disabled = "DISABLED",
    }
}

impl State {
    /// How strongly a trigger insists on this state: the highest wins (PREC-P1).
    pub(super) const fn severity(self) -> u8 {
        match self {
            State::Complete => 0,
            State::Absent => 1,
            State::Building => 2,
            State::Uncertain => 3,
            State::Corrupt => 4,
            State::Disabled => 5,
        }
    }
}

vocabulary! {
    /// Why the state is what it is (appendix D, E-C12, E-C39), the one to be shown first first.
    Reason {
        /// The watcher lost events.
        WatcherOverflow = "WATCHER_OVERFLOW",
        /// The same, while the index was being built.
        WatcherOverflowDuringBuild = "WATCHER_OVERFLOW_DURING_BUILD",
        /// No watcher reports changes.
        WatcherDown = "WATCHER_DOWN",
        /// An ignore file changed.
        EligibilityChanged = "ELIGIBILITY_CHANGED",
        /// Deny patterns or roots changed.
        PolicyChanged = "POLICY_CHANGED",
        /// Files may have been missed when the tree was listed.
        EnumerationError = "ENUMERATION_ERROR",
        /// Something was renamed, and it is not clear what.
        RenameUncertain = "RENAME_UNCERTAIN",
        /// Opened, and not yet compared with the files.
        OpenRequiresValidation = "OPEN_REQUIRES_VALIDATION",
        /// The build stopped early.
        BuildBudgetExceeded = "BUILD_BUDGET_EXCEEDED",
        /// Known changes are not applied yet.
        DirtyBacklog = "DIRTY_BACKLOG",
        /// Upkeep within a call ran out of time. Counted, never a cause of a state (E-C16, E-C33).
        MaintBudgetExceeded = "MAINT_BUDGET_EXCEEDED",
        /// `index_mode = "off"`.
        ModeOff = "MODE_OFF",
        /// It can be stored nowhere.
        PersistenceNotPermitted = "PERSISTENCE_NOT_PERMITTED",
        /// It does not fit into memory.
        MemoryBudgetExceeded = "MEMORY_BUDGET_EXCEEDED",
        /// It does not fit on disk (E-C37).
        DiskBudgetExceeded = "DISK_BUDGET_EXCEEDED",
        /// The tree is too small to be worth one.
        BelowThreshold = "BELOW_THRESHOLD",
    }
}

vocabulary! {
    /// What can happen, by class and within a class (PREC-P2, E-C15).
    Trigger {
        /// `index_mode = "off"` takes effect.
        ModeOff = "mode_off",
        /// Neither disk nor memory can hold an index.
        StorageImpossible = "storage_impossible",
        /// The store's integrity check failed.
        IntegrityFailed = "integrity_failed",
        /// A build or an update failed after it had written something.
        BuildFailedInconsistent = "build_failed_inconsistent",
        /// The store's schema, key or tokenizer is not what its name says.
        IndexMismatched = "index_mismatched",
        /// Another key applies: backend, roots or parameters changed.
        KeyChanged = "key_changed",
        /// The watcher lost events, outside a build.
        WatcherOverflowed = "watcher_overflowed",
        /// The watcher lost events during a build.
        WatcherOverflowedInBuild = "watcher_overflowed_in_build",
        /// The watcher stopped, or cannot be had.
        WatcherStopped = "watcher_stopped",
        /// An ignore file changed.
        EligibilityChanged = "eligibility_changed",
        /// Deny patterns or roots changed.
        PolicyChanged = "policy_changed",
        /// An error may have hidden files.
        EnumerationFailed = "enumeration_failed",
        /// A rename of which one name is unknown.
        RenameAmbiguous = "rename_ambiguous",
        /// The index was evicted.
        Evicted = "evicted",
        /// The index outgrew memory.
        MemoryExceeded = "memory_exceeded",
        /// The index alone outgrew its share of the disk.
        DiskExceeded = "disk_exceeded",
        /// The store stayed locked.
        LockTimedOut = "lock_timed_out",
        /// The disk cannot be used, memory can.
        StorageFellBack = "storage_fell_back",
        /// An update failed and left what was there.
        WriteRolledBack = "write_rolled_back",
        /// Budgets were exceeded again and again.
        BudgetsExhaustedRepeatedly = "budgets_exhausted_repeatedly",
        /// A process begins.
        ProcessStarted = "process_started",
        /// The cooldown is over.
        CooldownExpired = "cooldown_expired",
        /// The cooldown is not over.
        CooldownActive = "cooldown_active",
        /// `index_mode` is no longer off.
        ModeOn = "mode_on",
        /// The tree has become large enough.
        ThresholdExceeded = "threshold_exceeded",
        /// The disk could be used again.
        StoragePossibleAgain = "storage_possible_again",
        /// The tree is too small.
        BelowThreshold = "below_threshold",
        /// There is no store to open.
        IndexMissing = "index_missing",
        /// The store was deleted while it was open.
        IndexDeleted = "index_deleted",
        /// The last process did not close the store.
        UncleanShutdownFound = "unclean_shutdown_found",
        /// A store was opened and is sound in itself.
        IndexOpened = "index_opened",
        /// An unfinished build was found.
        CheckpointFound = "checkpoint_found",
        /// The indexer begins to build.
        BuildStarted = "build_started",
        /// Somebody asks for a new index.
        RebuildRequested = "rebuild_requested",
        /// The indexer goes on building.
        BuildResumed = "build_resumed",
        /// The build ended, and nothing newer is queued.
        BuildCompleted = "build_completed",
        /// The build ended, and something newer is queued.
        BuildCompletedWithChanges = "build_completed_with_changes",
        /// The build ran out of its budget.
        BuildOverBudget = "build_over_budget",
        /// The build failed before it wrote anything.
        BuildFailedClean = "build_failed_clean",
        /// A build that is no longer wanted ended.
        StaleBuildFinished = "stale_build_finished",
        /// The process ends.
        Shutdown = "shutdown",
        /// The watcher reports changes from now on.
        WatcherStarted = "watcher_started",
        /// At a call's start: queued changes were applied.
        DirtyUpdateApplied = "dirty_update_applied",
        /// At a call's start: queued changes could not be applied.
        DirtyUpdateFailed = "dirty_update_failed",
        /// A call's upkeep ran out of its share of time.
        MaintenanceOverBudget = "maintenance_over_budget",
        /// Everything queued was applied.
        QueueDrained = "queue_drained",
        /// The indexer wants to reconcile.
        ReconcileStarted = "reconcile_started",
        /// The reconcile ended, and nothing newer is queued.
        ReconcileCompleted = "reconcile_completed",
        /// The reconcile ended, and something newer is queued.
        ReconcileCompletedWithChanges = "reconcile_completed_with_changes",
        /// The reconcile ran out of its budget.
        ReconcileOverBudget = "reconcile_over_budget",
        /// A rename was applied.
        RenameApplied = "rename_applied",
        /// A rename could not be applied.
        RenameNotApplied = "rename_not_applied",
        /// A file is not what its entry says.
        FingerprintMismatched = "fingerprint_mismatched",
        /// The watcher delivered changes.
        ChangesQueued = "changes_queued",
        /// This call listed and compared everything itself.
        CallVerified = "call_verified",
        /// That call is over.
        CallEnded = "call_ended",
        /// The store's integrity check passed.
        IntegrityConfirmed = "integrity_confirmed",
        /// A call used the index.
        IndexAccessed = "index_accessed",
    }
}

vocabulary! {
    /// What the engine has to do. The first two follow from the trigger, the others from its
    /// winning.
    Action {
        /// Queue the directory.
        EnqueueSubtree = "enqueue_subtree",
        /// Delete entries of denied files.
        PurgeDenied = "purge_denied",
        /// Stop the builder.
        StopBuild = "stop_build",
        /// Stop watching.
        StopWatchers = "stop_watchers",
        /// Move the store out of the way, or delete it.
        RemoveIndex = "remove_index",
        /// Forget everything queued.
        ClearQueue = "clear_queue",
        /// Forget what was queued before the scan or build began (E-C02, E-C03).
        ClearOlderEntries = "clear_older_entries",
        /// Count one more proof of coverage; only in COMPLETE.
        BumpEpoch = "bump_epoch",
        /// Close the store.
        CloseStore = "close_store",
        /// Keep the index in memory.
        UseMemory = "use_memory",
        /// Note when DISABLED may end.
        SetCooldown = "set_cooldown",
        /// Forget that.
        ClearCooldown = "clear_cooldown",
        /// Look for a store and open it.
        OpenIndex = "open_index",
        /// Check the whole store.
        CheckIntegrity = "check_integrity",
        /// Note that the index was used.
        TouchAccess = "touch_access",
    }
}

vocabulary! {
    /// What the background has to do.
    Duty {
        /// Nothing.
        None = "none",
        /// Build.
        Build = "build",
        /// Go on building.
        ResumeBuild = "resume_build",
        /// Get a watcher.
        StartWatchers = "start_watchers",
        /// Apply what is queued.
        Drain = "drain",
        /// Compare with the files.
        Reconcile = "reconcile",
    }
}
