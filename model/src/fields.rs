//! Parses the fields of a JSON object by a table: names, types, bounds and defaults, for any tool.
//!
//! Names, bounds and defaults come from the tables and the configuration.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::tables::{Field, Kind, Maximum, WhenAbsent};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldValue {
    Text(String),
    Flag(bool),
    Texts(Vec<String>),
    Integer(u64),
}

/// The fields with a value, including defaults.
#[derive(Debug)]
pub(crate) struct Values(BTreeMap<&'static str, FieldValue>);

pub(crate) fn exceeds(count: usize, limit: u64) -> bool {
    u64::try_from(count).unwrap_or(u64::MAX) > limit
}

/// The bytewise smallest key that is no field (FR-LS-02b, E-F16).
pub(crate) fn unknown<S>(object: &Map<String, Value>, fields: &[Field<S>]) -> Option<String> {
    object.keys().filter(|key| fields.iter().all(|field| field.name != key.as_str())).min().cloned()
}

/// Parses the fields in schema order. The error names the first that is missing, of the wrong type
/// or out of bounds. `setting` returns a configuration value; if it sets no cap, `integer_max` is
/// the cap.
pub(crate) fn read<S: Copy>(
    object: &Map<String, Value>,
    fields: &[Field<S>],
    integer_max: u64,
    setting: impl Fn(S) -> Option<FieldValue>,
) -> Result<Values, String> {
    let mut values = BTreeMap::new();
    for field in fields {
        let value = match object.get(field.name) {
            Some(value) => Some(typed(value, field.kind, integer_max, &setting).ok_or(field.name)?),
            None if field.required => return Err(field.name.to_owned()),
            None => default_of(field, &setting),
        };
        values.extend(value.map(|value| (field.name, value)));
    }
    Ok(Values(values))
}

/// The value as the kind requires; `null` is of no kind.
fn typed<S: Copy>(
    value: &Value,
    kind: Kind<S>,
    integer_max: u64,
    setting: &impl Fn(S) -> Option<FieldValue>,
) -> Option<FieldValue> {
    match kind {
        Kind::Text => Some(FieldValue::Text(value.as_str()?.to_owned())),
        Kind::Choice(choices) => {
            let chosen = value.as_str()?;
            choices.contains(&chosen).then(|| FieldValue::Text(chosen.to_owned()))
        }
        Kind::Flag => Some(FieldValue::Flag(value.as_bool()?)),
        Kind::TextOrTexts if value.is_string() => {
            Some(FieldValue::Texts(vec![value.as_str()?.to_owned()]))
        }
        Kind::Texts | Kind::TextOrTexts => {
            let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
            Some(FieldValue::Texts(texts.collect::<Option<_>>()?))
        }
        Kind::Integer { minimum, maximum } => {
            let number = natural(value)?;
            let maximum = match maximum {
                Maximum::Fixed(maximum) => maximum,
                Maximum::Setting(key) => match setting(key) {
                    Some(FieldValue::Integer(maximum)) => maximum,
                    _ => integer_max,
                },
            };
            (minimum..=maximum).contains(&number).then_some(FieldValue::Integer(number))
        }
    }
}

/// The number, if it is whole and not negative. `10.0` and `1e1` are spellings of 10 (D25).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and not negative; one beyond the range is beyond every bound"
)]
fn natural(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
    })
}

/// The value of an absent field; configuration precedes the schema (E-F13).
fn default_of<S: Copy>(
    field: &Field<S>,
    setting: &impl Fn(S) -> Option<FieldValue>,
) -> Option<FieldValue> {
    match field.when_absent {
        WhenAbsent::Nothing => None,
        WhenAbsent::Text(text) => Some(FieldValue::Text(text.to_owned())),
        WhenAbsent::Flag(flag) => Some(FieldValue::Flag(flag)),
        WhenAbsent::Integer(number) => Some(FieldValue::Integer(number)),
        WhenAbsent::Setting(key) => setting(key),
    }
}

impl Values {
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        if let Some(FieldValue::Text(text)) = self.0.get(name) { Some(text.clone()) } else { None }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(FieldValue::Flag(true)))
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        if let Some(FieldValue::Texts(texts)) = self.0.get(name) {
            texts.clone()
        } else {
            Vec::new()
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Option<u64> {
        if let Some(FieldValue::Integer(number)) = self.0.get(name) { Some(*number) } else { None }
    }
}
