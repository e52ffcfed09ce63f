//! What requests look like: which fields they have, of which kind.

use rmcp::model::ErrorCode;
use serde_json::{Map, Value};

use super::{Refusal, quoted};

/// The methods that this server is for.
pub(crate) const METHODS: [&str; 5] =
    ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

/// Further methods of the protocol; the SDK answers them.
const OTHERS: [&str; 11] = [
    "completion/complete",
    "logging/setLevel",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "subscriptions/listen",
    "tasks/get",
];

/// Whether the protocol has this method.
pub(super) fn is_known(method: &str) -> bool {
    METHODS.contains(&method) || OTHERS.contains(&method)
}

/// What can stand in a field.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Object,
    Token,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Object => value.is_object(),
            Self::Token => value.is_string() || value.is_i64(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Object => "an object",
            Self::Token => "a string or an integer",
        }
    }
}

/// A field, by its path; whether it has to be there; how it is done right.
struct Field(&'static [&'static str], Kind, bool, &'static str);

const EVERY: [Field; 2] = [
    Field(&["_meta"], Kind::Object, false, "leave it out if there is nothing to say"),
    Field(&["_meta", "progressToken"], Kind::Token, false, "leave it out if no progress is wanted"),
];

const INITIALIZE: [Field; 5] = [
    Field(
        &["protocolVersion"],
        Kind::Text,
        true,
        "name the protocol's revision, such as \"2025-11-25\"",
    ),
    Field(&["capabilities"], Kind::Object, true, "it may be empty"),
    Field(&["clientInfo"], Kind::Object, true, "it has `name` and `version`"),
    Field(&["clientInfo", "name"], Kind::Text, true, "say what the client is called"),
    Field(&["clientInfo", "version"], Kind::Text, true, "say which version the client is"),
];

const CALL: [Field; 2] = [
    Field(&["name"], Kind::Text, true, "`tools/list` tells the names of the tools"),
    Field(
        &["arguments"],
        Kind::Object,
        false,
        "put the tool's fields into it, not JSON in a string",
    ),
];

const LIST: [Field; 1] = [Field(&["cursor"], Kind::Text, false, "leave it out")];

/// Holds a request against what its method asks for. A null where a field may be absent is taken
/// for its absence.
pub(super) fn check(message: &mut Map<String, Value>) -> Result<(), Refusal> {
    match message.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        Some(_) => return Err(Refusal::request("jsonrpc", "`jsonrpc` must be the string \"2.0\"")),
        None => {
            return Err(Refusal::request(
                "jsonrpc",
                "`jsonrpc` is missing: it must be the string \"2.0\"",
            ));
        }
    }
    let method = match message.get("method") {
        Some(Value::String(method)) => method.clone(),
        Some(other) => {
            let why = format!(
                "`method` must be a string, not {}: one of {}",
                kind(other),
                METHODS.join(", ")
            );
            return Err(Refusal::request("method", why));
        }
        None => {
            let why = format!("`method` is missing: one of {}", METHODS.join(", "));
            return Err(Refusal::request("method", why));
        }
    };
    if message.get("params").is_some_and(Value::is_null) {
        message.remove("params");
    }
    let fields: &[Field] = match method.as_str() {
        "initialize" => &INITIALIZE,
        "tools/call" => &CALL,
        "tools/list" => &LIST,
        _ => &[],
    };
    match message.get_mut("params") {
        None if fields.iter().any(|field| field.2) => {
            let why = format!("`params` is missing: {} needs {}", quoted(&method), names(fields));
            Err(invalid("params", why))
        }
        None => Ok(()),
        Some(Value::Object(params)) => {
            EVERY.iter().chain(fields).try_for_each(|field| check_field(params, field))
        }
        Some(other) => {
            let why = format!(
                "`params` must be an object, not {}; {} has {}",
                kind(other),
                quoted(&method),
                names(fields)
            );
            Err(invalid("params", why))
        }
    }
}

fn check_field(params: &mut Map<String, Value>, field: &Field) -> Result<(), Refusal> {
    let Field(path, expected, required, advice) = field;
    let Some((name, above)) = path.split_last() else { return Ok(()) };
    let mut holder = params;
    for step in above {
        // What is above has been looked at already.
        let Some(Value::Object(inner)) = holder.get_mut(*step) else { return Ok(()) };
        holder = inner;
    }
    if !required && holder.get(*name).is_some_and(Value::is_null) {
        holder.remove(*name);
    }
    let place = format!("params.{}", path.join("."));
    match holder.get(*name) {
        None if *required => {
            Err(invalid(&place, format!("`{place}` is missing: {}; {advice}", expected.name())))
        }
        Some(value) if !expected.fits(value) => {
            let why =
                format!("`{place}` must be {}, not {}; {advice}", expected.name(), kind(value));
            Err(invalid(&place, why))
        }
        _ => Ok(()),
    }
}

fn names(fields: &[Field]) -> String {
    let names: Vec<String> = fields
        .iter()
        .filter(|field| field.0.len() == 1)
        .map(|field| format!("`{}`", field.0.concat()))
        .collect();
    if names.is_empty() { "none, or `_meta`".to_owned() } else { names.join(", ") }
}

fn invalid(field: &str, why: String) -> Refusal {
    Refusal::new(ErrorCode::INVALID_PARAMS, field, why)
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number with a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
