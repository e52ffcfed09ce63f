//! The tables of the state machine (sections 4 to 7 of `docs/claims.md`).

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MachineTables<'a> {
    /// States by severity, the highest first (PREC-P1).
    pub severity: &'a [State],
    /// Reasons by rank, the highest first (PREC-P4).
    pub reasons: &'a [ReasonRow],
    /// Triggers in their total order (PREC-P2), with the rows of every state.
    pub triggers: &'a [TriggerRow<'a>],
    /// Actions in the order in which they are listed.
    pub actions: &'a [ActionRow],
    /// The duty of a status: the first row that holds; [`Duty::None`] without one.
    pub duties: &'a [DutyRow<'a>],
}

/// The states (FR-LSI-SAFE-01), in the order of the cells of a [`TriggerRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    Absent,
    Building,
    /// Valid, and covers everything.
    Complete,
    /// May exist, but its coverage is not proven.
    Uncertain,
    /// Its data failed a check.
    Corrupt,
    /// Must not exist.
    Disabled,
}

impl State {
    /// All states, in the order of cells.
    pub const ALL: [Self; 6] = [
        Self::Absent,
        Self::Building,
        Self::Complete,
        Self::Uncertain,
        Self::Corrupt,
        Self::Disabled,
    ];
}

/// The reason of a state (appendix D, E-C39).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/claims.md, section 4, says what each is")]
pub enum Reason {
    WatcherOverflow,
    WatcherOverflowDuringBuild,
    WatcherDown,
    EligibilityChanged,
    PolicyChanged,
    EnumerationError,
    RenameUncertain,
    OpenRequiresValidation,
    BuildBudgetExceeded,
    DirtyBacklog,
    MaintBudgetExceeded,
    ModeOff,
    PersistenceNotPermitted,
    MemoryBudgetExceeded,
    DiskBudgetExceeded,
    BelowThreshold,
}

impl Reason {
    pub const ALL: [Self; 16] = [
        Self::WatcherOverflow,
        Self::WatcherOverflowDuringBuild,
        Self::WatcherDown,
        Self::EligibilityChanged,
        Self::PolicyChanged,
        Self::EnumerationError,
        Self::RenameUncertain,
        Self::OpenRequiresValidation,
        Self::BuildBudgetExceeded,
        Self::DirtyBacklog,
        Self::MaintBudgetExceeded,
        Self::ModeOff,
        Self::PersistenceNotPermitted,
        Self::MemoryBudgetExceeded,
        Self::DiskBudgetExceeded,
        Self::BelowThreshold,
    ];
}

/// A reason. Its rank is its position in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    pub reason: Reason,
    /// Its name in `stats`.
    pub name: &'static str,
    pub kind: ReasonKind,
    /// Whether a reconcile scan that runs when it is added must be repeated.
    pub disturbs: bool,
}

/// The states in which a reason occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonKind {
    /// UNCERTAIN, and BUILDING as a taint.
    Uncertain,
    /// DISABLED.
    Disabled,
    /// None: it is only counted (E-C16).
    Statistic,
}

/// An event for the machine (section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/claims.md, section 6, says what each is")]
pub enum Trigger {
    ModeOff,
    StorageImpossible,
    IntegrityFailed,
    BuildFailedInconsistent,
    IndexMismatched,
    KeyChanged,
    WatcherOverflowed,
    WatcherOverflowedInBuild,
    WatcherStopped,
    EligibilityChanged,
    PolicyChanged,
    EnumerationFailed,
    RenameAmbiguous,
    Evicted,
    MemoryExceeded,
    DiskExceeded,
    LockTimedOut,
    StorageFellBack,
    WriteRolledBack,
    BudgetsExhaustedRepeatedly,
    ProcessStarted,
    CooldownExpired,
    CooldownActive,
    ModeOn,
    ThresholdExceeded,
    StoragePossibleAgain,
    BelowThreshold,
    IndexMissing,
    IndexDeleted,
    UncleanShutdownFound,
    IndexOpened,
    CheckpointFound,
    BuildStarted,
    RebuildRequested,
    BuildResumed,
    BuildCompleted,
    BuildCompletedWithChanges,
    BuildOverBudget,
    BuildFailedClean,
    StaleBuildFinished,
    Shutdown,
    WatcherStarted,
    DirtyUpdateApplied,
    DirtyUpdateFailed,
    MaintenanceOverBudget,
    QueueDrained,
    ReconcileStarted,
    ReconcileCompleted,
    ReconcileCompletedWithChanges,
    ReconcileOverBudget,
    RenameApplied,
    RenameNotApplied,
    FingerprintMismatched,
    ChangesQueued,
    CallVerified,
    CallEnded,
    IntegrityConfirmed,
    IndexAccessed,
}

/// A trigger with its cells. Its rank is its position in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerRow<'a> {
    pub trigger: Trigger,
    pub name: &'static str,
    /// Its class, 1 to 8 (PREC-P2).
    pub class: u8,
    /// The rows by state, in the order of [`State::ALL`]. The first whose guard holds counts;
    /// without one, the trigger has no effect.
    pub cells: [&'a [Row<'a>]; 6],
}

/// The effect of a trigger in a state, under a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Conditions on the status before the tick, all of which must hold.
    pub guard: &'a [Condition],
    /// The proposed state.
    pub next: Option<State>,
    /// Reasons that it adds, whether it wins or not.
    pub adds: &'a [Reason],
    /// Reasons that it resolves if it wins.
    pub resolves: &'a [Reason],
    /// Other changes of the status.
    pub effects: &'a [Effect],
    pub actions: &'a [Action],
}

/// A condition on a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Has(Reason),
    Lacks(Reason),
    /// The set has this reason and no other.
    Only(Reason),
    WatcherDown,
    ScanNone,
    /// Running and undisturbed.
    ScanRunning,
    /// Running, disturbed or not.
    ScanUnderWay,
    /// COMPLETE holds for one call only.
    Lent,
}

/// A change of the status beyond state and reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    WatcherLive,
    WatcherDown,
    /// A scan begins, if nothing won.
    ScanBegins,
    ScanEnds,
    /// COMPLETE holds only for the call that caused this.
    Lends,
    /// The call of this tick excludes nothing.
    Bypasses,
}

/// A task (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/claims.md, section 7, says what each is")]
pub enum Action {
    EnqueueSubtree,
    PurgeDenied,
    StopBuild,
    StopWatchers,
    RemoveIndex,
    ClearQueue,
    ClearOlderEntries,
    BumpEpoch,
    CloseStore,
    UseMemory,
    SetCooldown,
    ClearCooldown,
    OpenIndex,
    CheckIntegrity,
    TouchAccess,
}

/// An action. Its rank in an outcome is its position in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionRow {
    pub action: Action,
    pub name: &'static str,
    pub kind: ActionKind,
}

/// When an action runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// Runs whether its row wins or not.
    Additive,
    /// Runs if its row wins, or proposes nothing and nothing won.
    Owned,
    /// As owned, and only if the new state is COMPLETE.
    Proof,
}

/// The background's task in a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/claims.md, section 5, says what each is")]
pub enum Duty {
    None,
    Build,
    ResumeBuild,
    StartWatchers,
    Drain,
    Reconcile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DutyRow<'a> {
    pub state: State,
    /// All must hold.
    pub guard: &'a [Condition],
    pub duty: Duty,
}
