//! Changes of the figures: tokenizer, folds, filter, exclusion, decisions.
//!
//! Responsible for: every number one more and one less, every choice replaced by every other one,
//! every entry of every list removed, and lists in other orders. Not here: the state machine
//! (`cells`, `lists`), configuration (`keys`). Invariants: none is left out.

use touchstone_model::index::tables::{Arithmetic, BitOrder, Fold, NormalForm, Rounding};

use super::owned::Tables;
use super::{Mutant, Scope};
use crate::Area;

/// Areas that see a changed tokenizer.
const TEXT: &[Area] = &[Area::Tokens, Area::Folds, Area::Exclusion, Area::Settings];
const FILTER: &[Area] = &[Area::Filters, Area::Settings];
const EXCLUSION: &[Area] = &[Area::Exclusion];
const DECISIONS: &[Area] = &[Area::Decisions];

/// Collects mutants of one kind.
struct MutantCollector(Vec<Mutant>);

impl MutantCollector {
    fn add(
        &mut self,
        areas: &'static [Area],
        name: impl Into<String>,
        apply: impl Fn(&mut Tables) + Send + Sync + 'static,
    ) {
        self.0.push(Mutant {
            name: name.into(),
            scope: Scope::Areas(areas),
            apply: Box::new(apply),
        });
    }

    /// A number, one more and one less.
    fn number(
        &mut self,
        areas: &'static [Area],
        name: &str,
        value: u64,
        field: fn(&mut Tables) -> &mut u64,
    ) {
        for other in std::iter::once(value.wrapping_add(1)).chain(value.checked_sub(1)) {
            self.add(areas, format!("{name} {other}"), move |tables| *field(tables) = other);
        }
    }

    /// A list with each entry removed, and each two neighbours exchanged.
    fn list<T: 'static>(
        &mut self,
        areas: &'static [Area],
        name: &str,
        length: usize,
        ordered: bool,
        field: fn(&mut Tables) -> &mut Vec<T>,
    ) {
        for place in 0..length {
            self.add(areas, format!("{name}: without entry {}", place + 1), move |tables| {
                let list = field(tables);
                if place < list.len() {
                    list.remove(place);
                }
            });
        }
        for place in (1..length).filter(|_| ordered) {
            self.add(
                areas,
                format!("{name}: entries {place} and {} exchanged", place + 1),
                move |tables| {
                    let list = field(tables);
                    if place < list.len() {
                        list.swap(place - 1, place);
                    }
                },
            );
        }
    }
}

/// All changes of all figures.
pub(super) fn all(tables: &Tables) -> Vec<Mutant> {
    let mut collected = MutantCollector(Vec::new());
    text(tables, &mut collected);
    folds(tables, &mut collected);
    filter(tables, &mut collected);
    exclusion(tables, &mut collected);
    decisions(tables, &mut collected);
    collected.0
}

fn text(tables: &Tables, to: &mut MutantCollector) {
    let text = tables.text;
    to.list(TEXT, "text: encoding marks", tables.marks.len(), false, |tables| &mut tables.marks);
    for (place, mark) in tables.marks.iter().enumerate() {
        for length in 1..mark.len() {
            to.add(
                TEXT,
                format!("text: encoding mark {} of {length} bytes", place + 1),
                move |tables| {
                    if let Some(mark) = tables.marks.get_mut(place) {
                        mark.truncate(length);
                    }
                },
            );
        }
    }
    to.add(TEXT, "text: the mark of UTF-8 among the encoding marks", |tables| {
        tables.marks.push(b"\xef\xbb\xbf".to_vec());
    });
    for other in ['\u{fffc}', '?', '\0'] {
        to.add(TEXT, format!("text: replacement {other:?}"), move |tables| {
            tables.text.replacement = other;
        });
    }
    to.number(TEXT, "text: binary numerator", text.binary_numerator, |tables| {
        &mut tables.text.binary_numerator
    });
    to.number(TEXT, "text: binary denominator", text.binary_denominator, |tables| {
        &mut tables.text.binary_denominator
    });
    to.list(TEXT, "text: order of skipping", tables.order.len(), true, |tables| &mut tables.order);
    for form in [NormalForm::None, NormalForm::Nfd] {
        to.add(TEXT, format!("text: normal form {form:?}"), move |tables| {
            tables.text.normal_form = form;
        });
    }
    for newline in [
        ("\r", "\n"),
        ("\n", "\r\n"),
        ("\r\n", "\r"),
        ("\r\n", ""),
        ("\r\n", "\r\n"),
        ("\n\r", "\n"),
    ] {
        to.add(TEXT, format!("text: newline {newline:?}"), move |tables| {
            tables.text.newline = newline;
        });
    }
    to.add(TEXT, "text: short is complete", |tables| tables.text.short_is_complete ^= true);
    to.number(TEXT, "text: max_tokenized_bytes", text.max_tokenized_bytes, |tables| {
        &mut tables.text.max_tokenized_bytes
    });
    to.number(TEXT, "text: ngram", text.ngram, |tables| &mut tables.text.ngram);
}

fn folds(tables: &Tables, to: &mut MutantCollector) {
    let folds = tables.text.folds;
    let beside = |scalar: char| {
        [-1, 1]
            .into_iter()
            .filter_map(move |step| char::from_u32(u32::from(scalar).checked_add_signed(step)?))
    };
    for other in beside(folds.ascii_first) {
        to.add(TEXT, format!("folds: first {other:?}"), move |tables| {
            tables.text.folds.ascii_first = other;
        });
    }
    for other in beside(folds.ascii_last) {
        to.add(TEXT, format!("folds: last {other:?}"), move |tables| {
            tables.text.folds.ascii_last = other;
        });
    }
    for other in [folds.ascii_offset - 1, folds.ascii_offset + 1] {
        to.add(TEXT, format!("folds: offset {other}"), move |tables| {
            tables.text.folds.ascii_offset = other;
        });
    }
    to.add(TEXT, "folds: rows of status C", |tables| tables.text.folds.simple_common ^= true);
    to.add(TEXT, "folds: rows of status S", |tables| tables.text.folds.simple_simple ^= true);
    let other = if folds.search == Fold::Ascii { Fold::UnicodeSimple } else { Fold::Ascii };
    to.add(TEXT, format!("folds: search {other:?}"), move |tables| {
        tables.text.folds.search = other;
    });
}

fn filter(tables: &Tables, to: &mut MutantCollector) {
    let filter = tables.filter;
    for other in [filter.target_fp_rate * 2.0, filter.target_fp_rate / 2.0] {
        to.add(FILTER, format!("filter: rate {other}"), move |tables| {
            tables.filter.target_fp_rate = other;
        });
    }
    to.number(FILTER, "filter: seed", filter.seed, |tables| &mut tables.filter.seed);
    to.number(FILTER, "filter: first seed", filter.first_seed, |tables| {
        &mut tables.filter.first_seed
    });
    to.number(FILTER, "filter: basis divisor", filter.basis_divisor, |tables| {
        &mut tables.filter.basis_divisor
    });
    to.number(FILTER, "filter: least hashes", filter.hashes_minimum, |tables| {
        &mut tables.filter.hashes_minimum
    });
    to.number(FILTER, "filter: first probe", filter.first_probe, |tables| {
        &mut tables.filter.first_probe
    });
    to.number(FILTER, "filter: bits in a byte", filter.bits_per_byte, |tables| {
        &mut tables.filter.bits_per_byte
    });
    for rounding in [Rounding::Ceil, Rounding::Floor, Rounding::HalfUp] {
        if rounding != filter.bits_rounding {
            to.add(FILTER, format!("filter: m rounded {rounding:?}"), move |tables| {
                tables.filter.bits_rounding = rounding;
            });
        }
        if rounding != filter.hashes_rounding {
            to.add(FILTER, format!("filter: k_hashes rounded {rounding:?}"), move |tables| {
                tables.filter.hashes_rounding = rounding;
            });
        }
    }
    for arithmetic in [Arithmetic::Wrapping64, Arithmetic::Exact] {
        if arithmetic != filter.arithmetic {
            to.add(FILTER, format!("filter: {arithmetic:?}"), move |tables| {
                tables.filter.arithmetic = arithmetic;
            });
        }
    }
    for order in [BitOrder::LsbFirst, BitOrder::MsbFirst] {
        if order != filter.bit_order {
            to.add(FILTER, format!("filter: {order:?}"), move |tables| {
                tables.filter.bit_order = order;
            });
        }
    }
}

fn exclusion(tables: &Tables, to: &mut MutantCollector) {
    to.list(EXCLUSION, "exclusion: never needed", tables.never_needed.len(), false, |tables| {
        &mut tables.never_needed
    });
    for other in ['a', '\t', ' ', '\u{feff}', '\0'] {
        to.add(EXCLUSION, format!("exclusion: {other:?} never needed"), move |tables| {
            tables.never_needed.push(other);
        });
    }
    to.add(EXCLUSION, "exclusion: unstable patterns", |tables| {
        tables.exclusion.unstable_bypasses ^= true;
    });
    to.add(EXCLUSION, "exclusion: fuzzy requests", |tables| {
        tables.exclusion.fuzzy_bypasses ^= true;
    });
    to.add(EXCLUSION, "exclusion: incomplete files", |tables| {
        tables.exclusion.needs_complete ^= true;
    });
}

fn decisions(tables: &Tables, to: &mut MutantCollector) {
    to.list(DECISIONS, "eviction", tables.eviction.len(), true, |tables| &mut tables.eviction);
    to.list(DECISIONS, "queue", tables.queue.len(), true, |tables| &mut tables.queue);
    to.number(DECISIONS, "queue: limit", tables.queue_limit, |tables| &mut tables.queue_limit);
    to.list(DECISIONS, "limits", tables.limits.len(), false, |tables| &mut tables.limits);
    for (place, row) in tables.limits.iter().enumerate() {
        to.add(DECISIONS, format!("limit {:?}: inclusive", row.limit), move |tables| {
            if let Some(row) = tables.limits.get_mut(place) {
                row.inclusive ^= true;
            }
        });
        to.add(DECISIONS, format!("limit {:?}: zero is none", row.limit), move |tables| {
            if let Some(row) = tables.limits.get_mut(place) {
                row.zero_is_none ^= true;
            }
        });
    }
}
