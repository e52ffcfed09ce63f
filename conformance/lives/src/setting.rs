//! Settings of the index as lives write them.
//!
//! Not here: which there are, and what they may be ([`forge_search_core::index::settings`]).

use forge_search_core::index::settings::Given;
use serde_json::Value;

/// A setting as the service takes it; `place` puts places where texts stand for them.
pub(super) fn given(value: &Value, place: &dyn Fn(&str) -> String) -> Option<Given> {
    Some(match value {
        Value::Bool(flag) => Given::Flag(*flag),
        Value::String(text) => Given::Text(place(text)),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => Given::Integer(whole),
            None => Given::Real(number.as_f64()?),
        },
        Value::Array(items) if items.iter().all(Value::is_u64) => {
            Given::Integers(items.iter().filter_map(Value::as_u64).collect())
        }
        Value::Array(items) => {
            Given::Texts(items.iter().map(|item| item.as_str().map(place)).collect::<Option<_>>()?)
        }
        Value::Null | Value::Object(_) => return None,
    })
}
