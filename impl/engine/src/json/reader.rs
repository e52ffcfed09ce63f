//! Reading a request's fields out of JSON: their types, and which there are. Each error names the
//! field, the value and what is allowed.

use crate::{
    ToolError, escape_json,
    requests::{
        Builder, CaseMode,
        search::{missing, shown},
    },
};
use serde_json::{Map, Value};

/// A JSON object whose fields are read one after the other into a request, in the order of the
/// schema: the first field that is wrong is the error. Fields that nobody reads come before all
/// others.
pub(super) struct Reader<'v, B = ()> {
    object: &'v Map<String, Value>,
    known: Vec<&'static str>,
    request: Result<B, ToolError>,
}

impl<'v> Reader<'v> {
    /// The fields of a request, which is an object (E-F16).
    pub(super) fn of(value: &'v Value) -> Result<Self, ToolError> {
        let Value::Object(object) = value else {
            let why = format!("request must be a JSON object, got {}", kind(value));
            return Err(ToolError::bad_args("request", why));
        };
        Ok(Self { object, known: Vec::new(), request: Ok(()) })
    }

    /// A text that has to be there.
    pub(super) fn required(&mut self, field: &'static str) -> Result<&'v str, ToolError> {
        self.known.push(field);
        match self.object.get(field) {
            // A model that has nothing to say says null.
            None | Some(Value::Null) => Err(missing(field)),
            Some(value) => as_text(field, value),
        }
    }

    /// What the other fields are read into.
    pub(super) fn into<B: Builder>(self, request: Result<B, ToolError>) -> Reader<'v, B> {
        let Self { object, known, .. } = self;
        Reader { object, known, request }
    }
}

impl<'v, B: Builder> Reader<'v, B> {
    pub(super) fn text(self, field: &'static str, set: impl FnOnce(B, &'v str) -> B) -> Self {
        self.field(field, |value| as_text(field, value), set)
    }

    pub(super) fn flag(self, field: &'static str, set: impl FnOnce(B, bool) -> B) -> Self {
        let read = |value: &Value| {
            value.as_bool().ok_or_else(|| wrong_type(field, "true or false", value))
        };
        self.field(field, read, set)
    }

    pub(super) fn integer(self, field: &'static str, set: impl FnOnce(B, i128) -> B) -> Self {
        let read =
            |value: &Value| whole(value).ok_or_else(|| wrong_type(field, "an integer", value));
        self.field(field, read, set)
    }

    pub(super) fn texts(self, field: &'static str, set: impl FnOnce(B, Vec<&'v str>) -> B) -> Self {
        self.field(field, |value| as_texts(field, value), set)
    }

    /// One text, or an array of them.
    pub(super) fn text_or_texts(
        self,
        field: &'static str,
        set: impl FnOnce(B, Vec<&'v str>) -> B,
    ) -> Self {
        let read = |value: &'v Value| match value {
            Value::String(text) => Ok(vec![text.as_str()]),
            Value::Array(_) => as_texts(field, value),
            other => Err(wrong_type(field, "a string or an array of strings", other)),
        };
        self.field(field, read, set)
    }

    /// One of a closed list of texts.
    pub(super) fn one_of<T: Copy>(
        self,
        field: &'static str,
        choices: &[(&str, T)],
        set: impl FnOnce(B, T) -> B,
    ) -> Self {
        let read = |value: &'v Value| {
            let given = as_text(field, value)?;
            if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == given) {
                return Ok(*choice);
            }
            let allowed: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let why =
                format!("`{field}` is `{}`; allowed are {}", shown(given), allowed.join(", "));
            Err(ToolError::bad_args(field, why))
        };
        self.field(field, read, set)
    }

    pub(super) fn case(self, set: impl FnOnce(B, CaseMode) -> B) -> Self {
        let all = [CaseMode::Smart, CaseMode::Sensitive, CaseMode::Insensitive];
        self.one_of("case", &all.map(|case| (case.name(), case)), set)
    }

    fn field<T>(
        mut self,
        field: &'static str,
        read: impl FnOnce(&'v Value) -> Result<T, ToolError>,
        set: impl FnOnce(B, T) -> B,
    ) -> Self {
        self.known.push(field);
        if let Some(value) = self.object.get(field) {
            self.request = self.request.map(|request| match read(value) {
                Ok(read) => set(request, read),
                Err(error) => request.refuse(error),
            });
        }
        self
    }

    /// The request, if all its fields are known and right.
    pub(super) fn finish(self) -> Result<B::Request, ToolError> {
        let Self { object, known, request } = self;
        if let Some(unknown) = object.keys().filter(|key| !known.contains(&key.as_str())).min() {
            let why = format!(
                "unknown field `{}`; known fields are {}",
                shown(unknown),
                known.join(", ")
            );
            return Err(ToolError::bad_args(unknown, why));
        }
        request?.build()
    }
}

fn as_text<'v>(field: &str, value: &'v Value) -> Result<&'v str, ToolError> {
    value.as_str().ok_or_else(|| wrong_type(field, "a string", value))
}

fn as_texts<'v>(field: &str, value: &'v Value) -> Result<Vec<&'v str>, ToolError> {
    const WANTED: &str = "an array of strings";
    let items = value.as_array().ok_or_else(|| wrong_type(field, WANTED, value))?;
    items.iter().map(|item| item.as_str().ok_or_else(|| wrong_type(field, WANTED, item))).collect()
}

/// The number, if it is whole: `10`, `10.0` and `1e1` are the same number (D25). One that is too
/// large for exact arithmetic is beyond the bounds of every field anyway.
#[expect(clippy::cast_possible_truncation, reason = "a cast from float saturates")]
fn whole(value: &Value) -> Option<i128> {
    let whole = |number: f64| (number.fract() == 0.0).then_some(number as i128);
    let integer = value.as_u64().map(i128::from).or_else(|| value.as_i64().map(i128::from));
    integer.or_else(|| value.as_f64().and_then(whole))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) if whole(value).is_some() => "an integer",
        Value::Number(_) => "a number with a fraction",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wrong_type(field: &str, wanted: &str, got: &Value) -> ToolError {
    let mend = match got {
        Value::Null => "; leave it out instead".to_owned(),
        _ => mended(wanted, got).map_or_else(String::new, |mended| format!("; write `{mended}`")),
    };
    ToolError::bad_args(field, format!("`{field}` must be {wanted}, got {}{mend}", kind(got)))
}

/// The probable intention, where it is clear: models put numbers into quotes and leave brackets
/// out.
fn mended(wanted: &str, got: &Value) -> Option<String> {
    const LONGEST: usize = 100;
    let parsed =
        got.as_str().filter(|text| text.len() <= LONGEST).map(serde_json::from_str::<Value>);
    let mended = match (wanted, got, parsed) {
        ("an integer", _, Some(Ok(Value::Number(number)))) if !number.is_f64() => {
            number.to_string()
        }
        ("true or false", _, Some(Ok(Value::Bool(flag)))) => flag.to_string(),
        ("an array of strings", Value::String(text), _) if text.len() <= LONGEST => {
            escape_json(&Value::from(vec![text.as_str()]).to_string())
        }
        _ => return None,
    };
    Some(mended)
}
