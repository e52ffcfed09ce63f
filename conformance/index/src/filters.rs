//! Filters: their size, the bits of a gram, the packed form.
//!
//! Responsible for: comparing sizes for many limits and rates, probes of many grams under many
//! parameters, packed filters, and the grams that pass them, bit for bit. Not here: where grams
//! come from (`tokens`), what follows from one that does not pass (`exclusion`). Invariants: small
//! filters come first, so that a fault is shown with few bits.

use forge_search_core::index::filter::{Filter, FilterParameters};
use forge_search_core::index::gram::Gram;
use touchstone_cases::case::escape;
use touchstone_cases::dice::Dice;
use touchstone_model::index::filter::Scheme;
use touchstone_model::index::tables::FilterTables;
use touchstone_model::index::tokens::Grams;

use super::{Area, AreaReport, Extent};

/// Limits in bytes, and rates, within what can be configured, and both ends of it. The last rates
/// are beyond it: with less than half a hash for a gram only the minimum counts.
const LIMITS: [u64; 12] = [
    4_096,
    4_097,
    5_000,
    65_535,
    65_536,
    65_537,
    999_999,
    1 << 20,
    (1 << 20) + 1,
    32 << 20,
    (1 << 30) - 1,
    1 << 30,
];
const RATES: [f64; 16] = [
    0.5, 0.499_999, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.000_1, 0.000_01, 0.000_002,
    0.000_001, 0.8, 0.99,
];

/// Seeds, among them both ends and the sign bit (E-A17, E-A18).
pub(crate) const SEEDS: [u64; 6] =
    [1, 2, 0x9e37_79b9_7f4a_7c15, 1 << 63, i64::MAX.cast_unsigned(), u64::MAX];

/// Sizes of filters, in bits; the last is the default.
pub(crate) const BITS: [u64; 12] = [1, 2, 7, 8, 9, 13, 16, 61, 64, 1_021, 65_536, 5_025_332];

/// Holds production's filters against the model's over these tables.
pub(crate) fn check(
    tables: &FilterTables,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Filters);
    sizes(tables, extent, &mut checked);
    let grams: Vec<Vec<char>> =
        (0..120).map(|number| gram(&mut Dice::new(extent.seed, number))).collect();
    for bits in BITS {
        for (hashes, seed) in (1..=20).zip(SEEDS.into_iter().cycle()) {
            if !checked.faults.is_empty() {
                return checked;
            }
            // The default size once, for one filter of it is larger than all others together.
            if bits > 100_000 && hashes != 7 {
                continue;
            }
            let theirs = FilterParameters { bits, hashes, seed };
            one(&scheme(tables, theirs), theirs, &grams, &mut checked);
        }
        tick(checked.cases);
    }
    checked.fact(format!(
        "{} sizes, up to 20 hashes, {} seeds, {} grams",
        BITS.len(),
        SEEDS.len(),
        grams.len()
    ));
    checked
}

/// The model's scheme with production's parameters.
pub(crate) fn scheme(tables: &FilterTables, parameters: FilterParameters) -> Scheme<'_> {
    let mut scheme = Scheme::new(tables, 1 << 20, 0.01, parameters.seed);
    scheme.bits = parameters.bits;
    scheme.hashes = u64::from(parameters.hashes);
    scheme
}

fn sizes(tables: &FilterTables, extent: Extent, checked: &mut AreaReport) {
    let mut dice = Dice::new(extent.seed, u64::MAX);
    let drawn = (0..extent.drawn).map(|_| {
        let limit = 4_096 + dice.word() % ((1 << 30) - 4_095);
        let rate =
            0.000_001 + 0.499_999 * f64::from((dice.word() >> 32) as u32) / f64::from(u32::MAX);
        (limit, rate)
    });
    let listed =
        LIMITS.into_iter().flat_map(|limit| RATES.into_iter().map(move |rate| (limit, rate)));
    let mut number = 0_u64;
    for (limit, rate) in listed.chain(drawn) {
        number += 1;
        let ours = Scheme::new(tables, limit, rate, 1);
        let theirs = FilterParameters::sized(limit, rate, 1);
        if (ours.bits, ours.hashes) != (theirs.bits, u64::from(theirs.hashes)) {
            let told = format!(
                "at most     {limit} bytes\nrate        {rate}\nmodel       m = {}, k_hashes = {}\nproduction  m = {}, k_hashes = {}",
                ours.bits, ours.hashes, theirs.bits, theirs.hashes
            );
            checked.fault("sizes differ", told);
            break;
        }
    }
    checked.cases += number;
    checked.fact(format!("{number} pairs of limit and rate"));
}

/// One filter: the probes of every gram, the packed form of some grams, and which grams pass it.
fn one(ours: &Scheme<'_>, theirs: FilterParameters, grams: &[Vec<char>], checked: &mut AreaReport) {
    let parameters = format!(
        "parameters  m = {}, k_hashes = {}, seed {:#x}",
        theirs.bits, theirs.hashes, theirs.seed
    );
    let told = |gram: &[char], model: String, production: String| {
        let text: String = gram.iter().collect();
        format!(
            "{parameters}\ngram        `{}`\nmodel       {model}\nproduction  {production}",
            escape(text.as_bytes())
        )
    };
    for gram in grams {
        let Some(other) = Gram::new(gram) else { continue };
        let (model, production) = (ours.probes(gram), theirs.probes(other).collect::<Vec<_>>());
        checked.cases += 1;
        if model != production {
            checked.fault(
                "probes differ",
                told(gram, format!("{model:?}"), format!("{production:?}")),
            );
            return;
        }
    }
    // Few enough grams that some probes of others are not set.
    let few = usize::try_from(theirs.bits / 8).unwrap_or(usize::MAX).clamp(1, 20);
    for chosen in grams.chunks(few).take(4) {
        let set: Grams = chosen.iter().cloned().collect();
        let listed: Vec<Gram> = chosen.iter().filter_map(|gram| Gram::new(gram)).collect();
        let (model, production) = (ours.packed(&set), Filter::build(&theirs, &listed));
        checked.cases += 1;
        if model != production.as_bytes() {
            let at = model.iter().zip(production.as_bytes()).position(|(one, other)| one != other);
            let lengths = format!("{} bytes, the first difference at {at:?}", model.len());
            let other = format!("{} bytes", production.as_bytes().len());
            checked.fault(
                "packed filters differ",
                told(chosen.first().map_or(&[][..], Vec::as_slice), lengths, other),
            );
            return;
        }
        for gram in grams {
            let Some(other) = Gram::new(gram) else { continue };
            let (passes, others) = (ours.passes(&model, gram), production.passes(&theirs, other));
            checked.cases += 1;
            if passes != others {
                checked.fault(
                    "a gram passes on one side only",
                    told(gram, passes.to_string(), others.to_string()),
                );
                return;
            }
        }
    }
}

/// A gram of two or three scalars of any length in UTF-8.
fn gram(dice: &mut Dice) -> Vec<char> {
    let size = 2 + dice.below(2);
    (0..size)
        .map(|_| match dice.below(4) {
            0 => char::from(dice.pick(b"abcABC\n {", b'a')),
            1 => dice.pick(&['\u{e9}', '\u{7ff}', '\u{80}'], '\u{e9}'),
            2 => dice.pick(&['\u{65e5}', '\u{ffff}', '\u{800}', '\u{fffd}'], '\u{65e5}'),
            _ => dice.pick(&['\u{1f600}', '\u{10ffff}', '\u{10000}'], '\u{10000}'),
        })
        .collect()
}
