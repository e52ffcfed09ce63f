//! The published list: literals of every kind that people look for in the kernel's sources, and how
//! often each stands there.
//!
//! Literals of fewer than three characters are left out: no 3-gram can narrow them, so they cost a
//! full search with or without an index.

/// What kind of literal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier on few lines, or on none.
    Rare,
    /// An identifier in hundreds of files.
    Middling,
    /// On tens of thousands of lines.
    Common,
    /// Nowhere.
    Absent,
    /// One gram.
    Short,
    /// Words with spaces, whose grams are common.
    Phrase,
    /// Beyond ASCII.
    Unicode,
    /// Punctuation and numbers.
    Other,
}

/// A literal of the list.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    /// The query.
    pub text: &'static str,
    /// What kind it is.
    pub kind: Kind,
    /// Whether letters are folded.
    pub folded: bool,
}

const fn exact(kind: Kind, text: &'static str) -> Literal {
    Literal { text, kind, folded: false }
}

const fn folded(kind: Kind, text: &'static str) -> Literal {
    Literal { text, kind, folded: true }
}

/// The list.
pub const LITERALS: [Literal; 37] = [
    exact(Kind::Rare, "i915_gem_object_pin_map_unlocked"),
    exact(Kind::Rare, "mt7921_mac_write_txwi"),
    exact(Kind::Rare, "btrfs_relocate_block_group"),
    exact(Kind::Rare, "kvm_vcpu_kick"),
    exact(Kind::Rare, "sysfs_emit_at"),
    exact(Kind::Middling, "tcp_v4_do_rcv"),
    exact(Kind::Middling, "dma_alloc_coherent"),
    exact(Kind::Middling, "pm_runtime_get_sync"),
    exact(Kind::Common, "EXPORT_SYMBOL_GPL"),
    exact(Kind::Common, "spin_lock_irqsave"),
    exact(Kind::Common, "GFP_KERNEL"),
    exact(Kind::Common, "struct device"),
    exact(Kind::Common, "return"),
    exact(Kind::Absent, "frobnicate_widget_zz"),
    exact(Kind::Absent, "zqxjkvbw"),
    exact(Kind::Absent, "EXPORT_SYMBOL_QQQ"),
    exact(Kind::Absent, "int mainframe_loop(void)"),
    exact(Kind::Short, "foo"),
    exact(Kind::Short, "zqj"),
    exact(Kind::Short, "QoS"),
    exact(Kind::Short, "the"),
    exact(Kind::Phrase, "race condition between"),
    exact(Kind::Phrase, "is not supported by this hardware"),
    exact(Kind::Phrase, "you should have received a copy"),
    exact(Kind::Phrase, "TODO: remove this"),
    exact(Kind::Phrase, "if (unlikely(!skb))"),
    exact(Kind::Unicode, "Müller"),
    exact(Kind::Other, "->lock);"),
    exact(Kind::Other, "0xdeadbeef"),
    folded(Kind::Middling, "fixme"),
    folded(Kind::Phrase, "copyright (c) 2013"),
    folded(Kind::Middling, "deadlock"),
    folded(Kind::Phrase, "linus torvalds"),
    folded(Kind::Phrase, "memory barrier"),
    folded(Kind::Middling, "usb_device_id"),
    folded(Kind::Absent, "frobnicate_Widget"),
    folded(Kind::Rare, "SCHED_CLOCK_IRQTIME"),
];

impl Literal {
    /// Whether it stands on so few lines that the whole tree has to be looked at to answer.
    pub fn is_rare(&self) -> bool {
        matches!(self.kind, Kind::Rare | Kind::Absent)
    }
}
