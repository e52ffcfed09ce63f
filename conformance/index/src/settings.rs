//! Configuration: production's keys, defaults and bounds against those of the specification.
//!
//! Responsible for: every key of `spec/index/configuration.yaml`, its value in both presets, the
//! last value on either side of every bound, values of other types, and that a refusal names the
//! range and changes nothing; and the defaults that the model's tables repeat. Not here: reading
//! configuration files, which is the engine's. Invariants: nothing is drawn.

use forge_search_core::index::settings::{Given, Refused, Settings};
use serde_json::{Number, Value};
use touchstone_model::index::tables::IndexTables;
use touchstone_spec::index::{IndexKey, IndexKeyType};

use super::{Area, AreaReport};

/// Words that no list of values holds.
const OTHER_WORDS: [&str; 4] = ["", "ON", "sqlite ", "of"];

/// Holds production's settings against the specification's keys, and against the tables' defaults.
pub(crate) fn check(keys: &[IndexKey], tables: &IndexTables<'_>) -> AreaReport {
    let mut checked = AreaReport::of(Area::Settings);
    let mut ours: Vec<&str> = keys.iter().map(|key| key.name.value.as_str()).collect();
    let mut theirs = Settings::KEYS.to_vec();
    ours.sort_unstable();
    theirs.sort_unstable();
    if ours != theirs {
        let missing = |these: &[&str], those: &[&str]| -> Vec<String> {
            these.iter().filter(|key| !those.contains(key)).map(ToString::to_string).collect()
        };
        let told = format!(
            "only in the specification: {:?}\nonly in production: {:?}",
            missing(&ours, &theirs),
            missing(&theirs, &ours)
        );
        checked.fault("the keys differ", told);
        return checked;
    }
    for key in keys {
        let told = presets(key, &mut checked).and_then(|()| bounds(key, &mut checked));
        if let Err(told) = told {
            checked.fault("a key differs", format!("key         `{}`\n{told}", key.name.value));
            return checked;
        }
    }
    if let Err(told) = repeated(tables, &mut checked) {
        checked.fault("a default of the tables differs", told);
    }
    checked.fact(format!(
        "{} keys: defaults of both presets, {} values put to both",
        keys.len(),
        checked.cases
    ));
    checked
}

fn presets(key: &IndexKey, checked: &mut AreaReport) -> Result<(), String> {
    let name = key.name.value.as_str();
    for (preset, ours, theirs) in [
        ("documents", key.in_documents(), Settings::documents()),
        ("agent", key.in_agent(), Settings::agent()),
    ] {
        checked.cases += 1;
        let (ours, theirs) = (ours.and_then(|value| given(key.kind, value)), theirs.get(name));
        if ours != theirs {
            return Err(format!(
                "{preset:<12}specification: {ours:?}\n{:<12}production: {theirs:?}",
                ""
            ));
        }
    }
    Ok(())
}

/// A value of the specification as a configuration file would give it; nothing if it is none of its
/// type.
fn given(kind: IndexKeyType, value: &Value) -> Option<Given> {
    let all = || value.as_array();
    Some(match kind {
        IndexKeyType::Boolean => Given::Flag(value.as_bool()?),
        IndexKeyType::Integer | IndexKeyType::Seed => Given::Integer(value.as_u64()?),
        IndexKeyType::Number => Given::Real(value.as_f64()?),
        IndexKeyType::String => Given::Text(value.as_str()?.to_owned()),
        IndexKeyType::Strings => Given::Texts(
            all()?.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        ),
        IndexKeyType::Integers => {
            Given::Integers(all()?.iter().map(Value::as_u64).collect::<Option<_>>()?)
        }
    })
}

/// Values on both sides of every bound: whether they have to be taken.
fn bounds(key: &IndexKey, checked: &mut AreaReport) -> Result<(), String> {
    for (value, taken) in tried(key) {
        checked.cases += 1;
        let mut settings = Settings::documents();
        let answer = settings.set(&key.name.value, value.clone());
        let kept = if answer.is_ok() {
            settings.get(&key.name.value) == Some(stored(&value))
        } else {
            settings == Settings::documents()
        };
        if answer.is_ok() != taken {
            let wanted = if taken { "taken" } else { "refused" };
            return Err(format!(
                "value       {value:?}\nspecification {wanted}\nproduction  {answer:?}"
            ));
        }
        if !kept {
            return Err(format!(
                "value       {value:?}\nproduction  {answer:?}, and then has {:?}",
                settings.get(&key.name.value)
            ));
        }
        if let Err(refused) = answer {
            named(key, &refused).map_err(|what| {
                format!(
                    "value       {value:?}\nproduction  {refused:?}\nbut it does not name {what}"
                )
            })?;
        }
    }
    Ok(())
}

/// What is read back of a value that was taken.
fn stored(value: &Given) -> Given {
    let digits = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    match value {
        Given::Text(text) => digits(text).map_or_else(|| value.clone(), Given::Integer),
        other => other.clone(),
    }
}

/// Values to be tried, and whether the specification takes them.
#[expect(clippy::too_many_lines, reason = "a list of values by type")]
fn tried(key: &IndexKey) -> Vec<(Given, bool)> {
    let text = |text: &str| Given::Text(text.to_owned());
    let least = key.minimum.as_ref().and_then(Number::as_u64);
    let most = key.maximum.as_ref().and_then(Number::as_u64);
    let integers = |make: &dyn Fn(u64) -> Given| {
        let inside = least.into_iter().chain(most).map(|number| (make(number), true));
        let below = least.and_then(|least| least.checked_sub(1));
        let above = most.and_then(|most| most.checked_add(1));
        inside
            .chain(below.into_iter().chain(above).map(|number| (make(number), false)))
            .collect::<Vec<_>>()
    };
    match key.kind {
        IndexKeyType::Boolean => {
            vec![
                (Given::Flag(true), true),
                (Given::Flag(false), true),
                (Given::Integer(1), false),
                (text("true"), false),
            ]
        }
        IndexKeyType::Integer => {
            let mut tried = integers(&Given::Integer);
            tried.extend([
                (Given::Flag(true), false),
                (Given::Real(2.5), false),
                (text("2"), false),
                (text("0x2"), false),
            ]);
            tried
        }
        IndexKeyType::Seed => {
            let mut tried = integers(&Given::Integer);
            tried.extend(integers(&|number| Given::Text(format!("{number:#x}"))));
            tried.extend([
                (text("0x"), false),
                (text("1"), false),
                (text("0x10000000000000000"), false),
                (Given::Flag(true), false),
            ]);
            tried
        }
        IndexKeyType::Number => {
            let least = key.minimum.as_ref().and_then(Number::as_f64).unwrap_or(f64::NAN);
            let most = key.maximum.as_ref().and_then(Number::as_f64).unwrap_or(f64::NAN);
            vec![
                (Given::Real(least), true),
                (Given::Real(most), true),
                (Given::Real(f64::midpoint(least, most)), true),
                (Given::Real(least.next_down()), false),
                (Given::Real(most.next_up()), false),
                (Given::Real(f64::NAN), false),
                (text("0.1"), false),
            ]
        }
        IndexKeyType::String if key.values.is_empty() => {
            vec![(text("anywhere"), true), (text(""), true), (Given::Integer(1), false)]
        }
        IndexKeyType::String => {
            let inside = key.values.iter().map(|value| (text(value), true));
            let outside = OTHER_WORDS.iter().map(|word| (text(word), false));
            inside.chain(outside).chain([(Given::Flag(true), false)]).collect()
        }
        IndexKeyType::Strings => {
            let many = |count: usize| {
                Given::Texts((0..count).map(|number| format!("/r{number}")).collect())
            };
            let most = key.maximum_entries.unwrap_or(usize::MAX);
            let texts = |all: &[&str]| Given::Texts(all.iter().map(ToString::to_string).collect());
            vec![
                (many(0), true),
                (many(most.min(10_000)), true),
                (many(most.min(10_000) + 1), most >= 10_000),
                (texts(&["/a", "/ab"]), true),
                (texts(&["/a", "/a/b"]), true),
                (texts(&["/a/b", "/a"]), true),
                (text("/a"), false),
            ]
        }
        IndexKeyType::Integers => levels(key, least.unwrap_or(0), most.unwrap_or(0)),
    }
}

/// Lists of levels: rising, within bounds, neither empty nor too long.
fn levels(key: &IndexKey, least: u64, most: u64) -> Vec<(Given, bool)> {
    let whole: Vec<u64> = (least..=most.min(least + 100)).collect();
    let few = key.maximum_entries.is_none_or(|entries| whole.len() <= entries);
    let backwards: Vec<u64> = whole.iter().rev().copied().collect();
    vec![
        (Given::Integers(whole), few),
        (Given::Integers(vec![least]), true),
        (Given::Integers(vec![most]), true),
        (Given::Integers(vec![least, most]), least < most),
        (Given::Integers(backwards), false),
        (Given::Integers(vec![]), false),
        (Given::Integers(vec![least, least]), false),
        (Given::Integers(vec![most, most + 1]), false),
        (Given::Integers(vec![least.saturating_sub(1)]), least == 0),
        (Given::Texts(vec!["1".to_owned()]), false),
    ]
}

/// Whether a refusal names the bounds, or the words that are allowed.
fn named(key: &IndexKey, refused: &Refused) -> Result<(), String> {
    let Refused::Invalid(allowed) = refused else {
        return Err("anything, for it says that there is no such key".to_owned());
    };
    let numbers: Vec<f64> =
        allowed.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let bounds = match key.kind {
        IndexKeyType::Integer
        | IndexKeyType::Seed
        | IndexKeyType::Number
        | IndexKeyType::Integers => {
            [&key.minimum, &key.maximum].map(|bound| bound.as_ref().and_then(Number::as_f64))
        }
        _ => [None, None],
    };
    if let Some(bound) = bounds.into_iter().flatten().find(|bound| !numbers.contains(bound)) {
        return Err(format!("{bound}"));
    }
    // The closed list of words is named word by word, so that one that only production takes is
    // seen.
    let words: Vec<&str> = allowed.split(", ").collect();
    if key.kind == IndexKeyType::String && !key.values.is_empty() && words != key.values {
        return Err(format!("{:?}", key.values));
    }
    Ok(())
}

/// Defaults that stand in the model's tables as well.
fn repeated(tables: &IndexTables<'_>, checked: &mut AreaReport) -> Result<(), String> {
    let settings = Settings::documents();
    let pairs = [
        ("index_max_tokenized_bytes", Given::Integer(tables.text.max_tokenized_bytes)),
        ("bloom_ngram_k", Given::Integer(tables.text.ngram)),
        ("bloom_target_fp_rate", Given::Real(tables.filter.target_fp_rate)),
        ("bloom_hash_seed", Given::Integer(tables.filter.seed)),
    ];
    for (key, ours) in pairs {
        checked.cases += 1;
        let theirs = settings.get(key);
        if theirs.as_ref() != Some(&ours) {
            return Err(format!(
                "key         `{key}`\nmodel       {ours:?}\nproduction  {theirs:?}"
            ));
        }
    }
    Ok(())
}
