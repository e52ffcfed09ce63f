//! Requests as JSON: the only place where JSON becomes a request.
//!
//! Responsible for: strict reading of a text (no key twice: readers disagree about which of two
//! counts), the types
//! of fields (`reader`), and which fields the tools have (`requests`).
//! Not here: bounds and meaning, which the requests' builders check.

use std::{cell::Cell, fmt, sync::atomic::AtomicBool};

use crate::{
    Arguments, Call, FilesAnswer, NAMES, Response, Service, ToolContext, ToolError, escape_name,
    requests::search::shown, search_files_definition,
};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

mod file_types;
mod other_names;
mod reader;
mod requests;
mod shapes;

/// The request of a call as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Json<'v>(pub &'v Value);

/// About how much memory a value takes, in bytes. Its nesting is bounded by the reader.
fn bytes(value: &Value) -> usize {
    let object = |object: &Map<String, Value>| {
        object.iter().map(|(key, value)| size_of::<String>() + key.len() + bytes(value)).sum()
    };
    let texts = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(fields) => object(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + texts
}

/// Calls of the tools of documents 000 and 001 with requests as JSON.
pub trait JsonCalls {
    /// Carries out a call of `Search`, under any of its names.
    fn call(&self, tool: &str, request: &Value) -> Result<Response, ToolError> {
        self.call_until(tool, request, &AtomicBool::new(false))
    }

    /// The same, until `cancelled` is set.
    fn call_until(
        &self,
        tool: &str,
        request: &Value,
        cancelled: &AtomicBool,
    ) -> Result<Response, ToolError>;

    /// Carries out a call of `search_files`.
    fn call_files(
        &self,
        context: &mut ToolContext,
        request: &Value,
    ) -> Result<FilesAnswer, ToolError> {
        self.call_files_until(context, request, &Call::new())
    }

    /// The same, until `call` is cancelled.
    fn call_files_until(
        &self,
        context: &mut ToolContext,
        request: &Value,
        call: &Call,
    ) -> Result<FilesAnswer, ToolError>;
}

impl JsonCalls for Service {
    fn call_until(
        &self,
        tool: &str,
        request: &Value,
        cancelled: &AtomicBool,
    ) -> Result<Response, ToolError> {
        if !NAMES.contains(&tool) {
            let known = [&NAMES[..], &[search_files_definition().name]].concat().join(", ");
            let why = format!("unknown tool `{}`; known tools are {known}", escape_name(tool));
            return Err(ToolError::bad_args("tool", why));
        }
        self.check_search_enabled()?;
        let mut request = Json(request).search(&self.config().limits())?;
        let path = request.path.clone();
        self.place_globs(path.as_deref(), ["include_glob", "exclude_glob"], |at| {
            request.scope.place(at)
        })?;
        self.search_until(&request, cancelled)
    }

    fn call_files_until(
        &self,
        context: &mut ToolContext,
        request: &Value,
        call: &Call,
    ) -> Result<FilesAnswer, ToolError> {
        // Whatever becomes of the call, nobody else may cut its answer.
        context.allow_truncation = false;
        let config = &self.config().search_files;
        let mut request = Json(request).search_files(&config.caps(), config.can_fuzzy())?;
        let path = request.path.clone();
        self.place_globs(Some(&path), ["include_globs", "exclude_globs"], |at| {
            request.scope.place(at)
        })?;
        self.search_files_until(context, &request, call)
    }
}

/// Most values that a text may hold, itself and the values in lists and objects included. The
/// longest request has some 800. A value takes up to 16 times the memory of its two bytes of text,
/// and some readers hold it three times over.
pub const MOST_VALUES: usize = 10_000;

/// Parses a request of at most [`MOST_VALUES`] values.
///
/// ```
/// use forge_search_engine::json::{JsonCalls, parse};
/// use forge_search_engine::{Config, Preset, Sandbox, Service};
///
/// let root = std::path::PathBuf::from(".");
/// let sandbox = Sandbox::new(&[root.clone()], &root)?;
/// let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
///
/// let request = parse(r#"{"pattern": "typed requests", "include_glob": ["README.md"]}"#)?;
/// assert!(service.call("Search", &request)?.count >= 1);
///
/// // No key twice: readers disagree about which of two counts.
/// assert!(parse(r#"{"pattern": "a", "pattern": "b"}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict(&Cell::new(MOST_VALUES)).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads a value; holds how many more there may be.
#[derive(Clone, Copy)]
struct Strict<'c>(&'c Cell<usize>);

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(left) = self.0.get().checked_sub(1) else {
            return Err(D::Error::custom(format_args!("more than {MOST_VALUES} values")));
        };
        self.0.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if object.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format_args!(
                    "field `{}` is given twice",
                    shown(&key)
                )));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
