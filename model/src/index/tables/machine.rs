//! The tables of the state machine (sections 4 to 7 of `docs/index.md`).

/// The state machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MachineTables<'a> {
    /// States by severity, the highest first (PREC-P1).
    pub severity: &'a [State],
    /// Reasons by rank, the highest first (PREC-P4).
    pub reasons: &'a [ReasonRow],
    /// Triggers in their total order (PREC-P2), with the rows of every state.
    pub triggers: &'a [TriggerRow<'a>],
    /// Actions in the order they are listed in.
    pub actions: &'a [ActionRow],
    /// What is to be done in which status; the first row that holds counts, none means
    /// [`Duty::None`].
    pub duties: &'a [DutyRow<'a>],
}

/// The safety states (FR-LSI-SAFE-01), in the order of the cells of a [`TriggerRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// No index exists.
    Absent,
    /// One is being built.
    Building,
    /// It is valid, and covers everything.
    Complete,
    /// It may exist, but its coverage is not proven.
    Uncertain,
    /// Its data failed a check.
    Corrupt,
    /// There shall be none.
    Disabled,
}

impl State {
    /// All of them, in the order of cells.
    pub const ALL: [Self; 6] = [
        Self::Absent,
        Self::Building,
        Self::Complete,
        Self::Uncertain,
        Self::Corrupt,
        Self::Disabled,
    ];
}

/// Why a state is what it is (appendix D, E-C39).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/index.md, section 4, says what each is")]
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
    /// All of them.
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

/// One reason. Its rank is its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    /// Which.
    pub reason: Reason,
    /// Its name in `stats`.
    pub name: &'static str,
    /// In which state it stands.
    pub kind: ReasonKind,
    /// Whether a reconcile scan that runs when it is added has to be repeated.
    pub disturbs: bool,
}

/// In which state a reason stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonKind {
    /// In UNCERTAIN, and as a taint in BUILDING.
    Uncertain,
    /// In DISABLED.
    Disabled,
    /// In none: it is counted, and never a cause (E-C16).
    Statistic,
}

/// What can happen (section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/index.md, section 6, says what each is")]
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

/// One trigger with its cells. Its place in the total order is its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerRow<'a> {
    /// Which.
    pub trigger: Trigger,
    /// Its name.
    pub name: &'static str,
    /// Its class, 1 to 8 (PREC-P2).
    pub class: u8,
    /// The rows of each state, in the order of [`State::ALL`]. The first whose guard holds counts;
    /// if
    /// none does, the trigger says nothing.
    pub cells: [&'a [Row<'a>]; 6],
}

/// What a trigger does in a state, under a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Conditions on the status before the tick, all of which must hold; empty: always.
    pub guard: &'a [Condition],
    /// The state it proposes; `None`: nothing.
    pub next: Option<State>,
    /// Reasons it adds, whether it wins or not.
    pub adds: &'a [Reason],
    /// Reasons it resolves if it wins.
    pub resolves: &'a [Reason],
    /// What else it changes in the status.
    pub effects: &'a [Effect],
    /// What is to be done.
    pub actions: &'a [Action],
}

/// Something that holds of a status or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The reason is in the set.
    Has(Reason),
    /// The reason is not in the set.
    Lacks(Reason),
    /// The set holds this reason and no other.
    Only(Reason),
    /// The watcher is down.
    WatcherDown,
    /// No scan is under way.
    ScanNone,
    /// A scan is under way, undisturbed.
    ScanRunning,
    /// A scan is under way, disturbed or not.
    ScanUnderWay,
    /// The status is lent.
    Lent,
}

/// A change of the status beyond state and reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The watcher is live.
    WatcherLive,
    /// The watcher is down.
    WatcherDown,
    /// A scan begins, if nothing won.
    ScanBegins,
    /// The scan is over.
    ScanEnds,
    /// COMPLETE is lent to the call that caused this.
    Lends,
    /// The call of this tick excludes nothing.
    Bypasses,
}

/// What is to be done (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/index.md, section 7, says what each is")]
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

/// One action. Its place in an outcome is its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionRow {
    /// Which.
    pub action: Action,
    /// Its name.
    pub name: &'static str,
    /// When it runs.
    pub kind: ActionKind,
}

/// When an action runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// Whether its row wins or not.
    Additive,
    /// If its row wins, or proposes nothing and nothing won.
    Owned,
    /// As owned, and only if the new state is COMPLETE.
    Proof,
}

/// What the background has to do in a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "docs/index.md, section 5, says what each is")]
pub enum Duty {
    None,
    Build,
    ResumeBuild,
    StartWatchers,
    Drain,
    Reconcile,
}

/// A duty, and when it applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DutyRow<'a> {
    /// In which state.
    pub state: State,
    /// Under which conditions; empty: always.
    pub guard: &'a [Condition],
    /// What is to be done.
    pub duty: Duty,
}
