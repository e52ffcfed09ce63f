//! The published lists of what the agent's tools are asked, over the kernel's sources: words,
//! literals, regular expressions, paths of every kind that people and models ask for.
//!
//! Literals of three or more characters, words, and regular expressions that hold a literal of
//! three or more: what an index can narrow; and a few that none can. `grep` is also asked all of
//! [`crate::literals`].

use serde_json::{Value, json};

use crate::literals::LITERALS;

/// One question.
#[derive(Clone, Debug)]
pub struct Query {
    /// What it is called in results.
    pub name: String,
    /// The request.
    pub request: Value,
    /// What comes nearest to it among the arguments of ripgrep.
    pub rival: Vec<String>,
}

/// What `search_text` is asked: identifiers whole and in parts, several words, phrases; rare,
/// common, absent. Beside it the longest word as ripgrep is asked for it.
const TEXTS: [(&str, &str); 24] = [
    ("kvm_vcpu_kick", "kvm_vcpu_kick"),
    ("btrfs_relocate_block_group", "btrfs_relocate_block_group"),
    ("i915_gem_object_pin_map_unlocked", "i915_gem_object_pin_map_unlocked"),
    ("tcp_v4_do_rcv", "tcp_v4_do_rcv"),
    ("dma_alloc_coherent", "dma_alloc_coherent"),
    ("pm_runtime_get_sync", "pm_runtime_get_sync"),
    ("spin_lock_irqsave", "spin_lock_irqsave"),
    ("EXPORT_SYMBOL_GPL", "EXPORT_SYMBOL_GPL"),
    ("task_struct", "task_struct"),
    ("deadlock", "deadlock"),
    ("vcpu kick", "vcpu"),
    ("ring buffer", "buffer"),
    ("rcu read lock", "read"),
    ("usb device id", "device"),
    ("scheduler load balance", "scheduler"),
    ("page fault handler", "handler"),
    ("oom kill process", "process"),
    ("\"race condition between\"", "race condition between"),
    ("\"memory barrier\" smp", "memory barrier"),
    ("\"out of memory\" kill", "out of memory"),
    ("frobnicate_widget_zz", "frobnicate_widget_zz"),
    ("return", "return"),
    ("struct device", "device"),
    ("Müller", "Müller"),
];

/// Regular expressions that `grep` is asked.
const REGEXES: [&str; 12] = [
    r"[A-Z]+_SUSPEND_[a-z]+\(",
    r"kvm_[a-z]+_kick\b",
    r"EXPORT_SYMBOL(_GPL)?\(btrfs_\w+\)",
    r"TODO:|FIXME:",
    r"#define\s+__GFP_\w+",
    r"struct\s+task_struct\s*\*\w+\)",
    r"spin_(un)?lock_irq(save|restore)\(",
    r"dev_(err|warn)\(.*timed? ?out",
    r"^static inline .*rcu_dereference",
    r"kmalloc\([^;]*GFP_ATOMIC",
    r"module_init\(\w+_init\);",
    r"zq[xy]jk(vbw|wbv)\d+",
];

/// What the path search is asked.
const PATHS: [&str; 14] = [
    "core.c",
    "Makefile",
    "Kconfig*",
    "*.rs",
    "*sched*.c",
    "i915_*.h",
    "*.{c,h}",
    "*[0-9][0-9].dts",
    "**/btrfs/*.c",
    "kernel/sched/*.c",
    "drivers/**/*_core.c",
    "Documentation/**/*.rst",
    "no_such_file_*.xyz",
    "include/linux/**",
];

/// Flags by which ripgrep looks where the tools look, in no order, as fast as it can.
const LINES: [&str; 5] = ["--no-config", "-n", "--no-require-git", "--max-filesize", "32M"];

fn rival(flags: &[&str], pattern: &str) -> Vec<String> {
    let flags = LINES.iter().chain(flags).copied();
    flags.chain(["-e", pattern, "."]).map(str::to_owned).collect()
}

/// For `search_text`.
pub fn texts() -> Vec<Query> {
    let query = |(text, word): &(&str, &str)| Query {
        name: (*text).to_owned(),
        request: json!({ "query": text }),
        rival: rival(&["-F", "-i"], word),
    };
    TEXTS.iter().map(query).collect()
}

/// For `grep`.
pub fn lines() -> Vec<Query> {
    let literals = LITERALS.iter().map(|literal| {
        let (case, flag, folded) = if literal.folded {
            ("insensitive", "-i", ", folded")
        } else {
            ("sensitive", "-s", "")
        };
        Query {
            name: format!("{}{folded}", literal.text),
            request: json!({ "pattern": literal.text, "case": case }),
            rival: rival(&["-F", flag], literal.text),
        }
    });
    let regexes = REGEXES.iter().map(|regex| Query {
        name: format!("/{regex}/"),
        request: json!({ "pattern": regex, "regex": true }),
        rival: rival(&["-s"], regex),
    });
    literals.chain(regexes).collect()
}

/// For `grep`, what no index of three letters narrows.
pub fn without_a_gram() -> Vec<Query> {
    let literals = ["e", "if", "->"].map(|text| Query {
        name: text.to_owned(),
        request: json!({ "pattern": text }),
        rival: rival(&["-F", "-s"], text),
    });
    let regexes = [r"[A-Z]{3}_[A-Z]{3}_[A-Z]{3}_[A-Z]{3}", r"\b[qz][jx]\w"].map(|regex| Query {
        name: format!("/{regex}/"),
        request: json!({ "pattern": regex, "regex": true }),
        rival: rival(&["-s"], regex),
    });
    literals.into_iter().chain(regexes).collect()
}

/// For the path search.
pub fn paths() -> Vec<Query> {
    let query = |pattern: &&str| {
        // ripgrep takes a glob with a slash inside for one from the top on, as the path search
        // does; without, for a base name at any depth.
        let arguments = ["--no-config", "--files", "--no-require-git", "-g", pattern];
        Query {
            name: (*pattern).to_owned(),
            request: json!({ "pattern": pattern }),
            rival: arguments.map(str::to_owned).to_vec(),
        }
    };
    PATHS.iter().map(query).collect()
}
