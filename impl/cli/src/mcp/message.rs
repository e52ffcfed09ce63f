//! From a line of input to a message, or to what is wrong with it.
//!
//! The SDK's reader passes over what it cannot read, takes a known method with wrong parameters for
//! an unknown one, and gives the connection up if a notification comes first. The message of an
//! error names the mistake and the right form.
//!
//! Invariants: a line is answered at most once; what may not be answered (notifications, responses)
//! is not; an id is open once at a time.

use std::collections::HashSet;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, ErrorData, GetMeta,
    JsonRpcMessage, ProtocolVersion, RequestId,
};
use serde_json::{Map, Value, json};

mod shape;

use forge_search_engine::json;
pub(super) use shape::METHODS;

/// What a line came to.
#[derive(Debug)]
pub(super) enum Taken {
    /// For the server.
    Message(Box<ClientJsonRpcMessage>),
    /// An answer from here.
    Refused(ErrorData, Option<RequestId>),
    /// Nothing to do and nothing to say.
    Nothing,
}

/// Why a message is refused; without its id.
#[derive(Debug)]
struct Refusal {
    code: ErrorCode,
    field: String,
    why: String,
}

impl Refusal {
    fn new(code: ErrorCode, field: impl Into<String>, why: impl Into<String>) -> Self {
        Self { code, field: field.into(), why: why.into() }
    }

    fn request(field: &str, why: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, field, why)
    }

    fn data(self) -> ErrorData {
        let data = (!self.field.is_empty()).then(|| json!({ "field": self.field }));
        ErrorData::new(self.code, self.why, data)
    }
}

/// What is known of the conversation by its lines.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// A message has come that the server begins with.
    opened: bool,
    /// Requests that have not been answered.
    open: HashSet<RequestId>,
}

impl Reader {
    /// Takes a line, without its end.
    pub(super) fn take(&mut self, line: &[u8]) -> Taken {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Taken::Nothing;
        }
        let value = match parsed(line) {
            Ok(value) => value,
            Err(refusal) => return Taken::Refused(refusal.data(), None),
        };
        let Value::Object(message) = value else {
            let why = match value {
                Value::Array(_) => {
                    "a batch is not understood: send each message on a line of its own"
                }
                _ => "a message is a JSON object with `jsonrpc`, `id`, `method` and `params`",
            };
            return Taken::Refused(Refusal::request("", why).data(), None);
        };
        let is_response = !message.contains_key("method")
            && (message.contains_key("result") || message.contains_key("error"));
        if is_response {
            return self.silently(message);
        }
        match message.get("method").and_then(Value::as_str) {
            Some(method) if is_notification(method) && !message.contains_key("id") => {
                self.silently(message)
            }
            _ => self.request(message),
        }
    }

    /// An answer to this request is on its way.
    pub(super) fn answered(&mut self, id: &RequestId) {
        self.open.remove(id);
    }

    /// What is never answered: passed on if it is good for something.
    fn silently(&mut self, message: Map<String, Value>) -> Taken {
        // The SDK wants a request first.
        if !self.opened {
            return Taken::Nothing;
        }
        let Ok(message) = serde_json::from_value::<ClientJsonRpcMessage>(Value::Object(message))
        else {
            return Taken::Nothing;
        };
        if let JsonRpcMessage::Notification(notice) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notice.notification
            && let Some(id) = &cancelled.params.request_id
        {
            // It will never be answered.
            self.open.remove(id);
        }
        Taken::Message(Box::new(message))
    }

    fn request(&mut self, mut message: Map<String, Value>) -> Taken {
        let id = match id_of(&message) {
            Ok(id) => id,
            Err(refusal) => return Taken::Refused(refusal.data(), None),
        };
        if self.open.contains(&id) {
            // Under this id the answer to the other request is expected.
            let why = format!(
                "`id` {} belongs to a request that is still open; give each request an id of its own",
                shown(&id)
            );
            return Taken::Refused(Refusal::request("id", why).data(), None);
        }
        let checked = shape::check(&mut message).and_then(|()| self.understood(message));
        match checked {
            Ok(message) => {
                self.open.insert(id);
                Taken::Message(Box::new(message))
            }
            Err(refusal) => Taken::Refused(refusal.data(), Some(id)),
        }
    }

    /// The message as the SDK has it, if it may come now.
    fn understood(&mut self, message: Map<String, Value>) -> Result<ClientJsonRpcMessage, Refusal> {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        let misshapen = || {
            let why =
                format!("`params` of {} are not what the protocol says they are", quoted(&method));
            Refusal::new(ErrorCode::INVALID_PARAMS, "params", why)
        };
        let message = serde_json::from_value::<ClientJsonRpcMessage>(Value::Object(message));
        let Ok(JsonRpcMessage::Request(mut request)) = message else { return Err(misshapen()) };
        if matches!(request.request, ClientRequest::CustomRequest(_)) && shape::is_known(&method) {
            return Err(misshapen());
        }
        if !self.opened {
            self.opened = opens(&mut request.request)?;
        }
        Ok(JsonRpcMessage::Request(request))
    }
}

/// Whether a first request begins the conversation. Since 2026-07-28 every request says in `_meta`
/// what `initialize` said once.
fn opens(request: &mut ClientRequest) -> Result<bool, Refusal> {
    match request {
        ClientRequest::InitializeRequest(_) => return Ok(true),
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => return Ok(false),
        _ => {}
    }
    let meta = request.get_meta_mut();
    if meta.protocol_version().is_none() {
        let why = "send `initialize` first, or name the protocol's revision in `params._meta`";
        return Err(Refusal::request("method", why));
    }
    let complete = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
    let known = meta
        .protocol_version()
        .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
    // If not, the server says what is missing.
    Ok(complete && known)
}

fn parsed(line: &[u8]) -> Result<Value, Refusal> {
    let refuse = |why: String| Refusal::new(ErrorCode::PARSE_ERROR, "", why);
    let text = std::str::from_utf8(line).map_err(|err| {
        refuse(format!("a message is UTF-8; it is not from byte {} on", err.valid_up_to()))
    })?;
    json::parse(text).map_err(|err| {
        if err.is_data() {
            let most = json::MOST_VALUES;
            let rule =
                format!("a key stands once in an object, and a message has at most {most} values");
            return Refusal::request("", format!("message: {err}; {rule}"));
        }
        refuse(format!("not JSON: {err}; send one message on one line"))
    })
}

/// Notifications, of this protocol and of others that clients may send by mistake.
fn is_notification(method: &str) -> bool {
    method.starts_with("notifications/") || method.starts_with("$/")
}

fn id_of(message: &Map<String, Value>) -> Result<RequestId, Refusal> {
    match message.get("id") {
        Some(Value::String(text)) => Ok(RequestId::String(text.as_str().into())),
        Some(Value::Number(number)) if number.is_i64() => {
            Ok(RequestId::Number(number.as_i64().unwrap_or_default()))
        }
        Some(other) => {
            let why = format!("`id` must be a string or an integer, not {}", shape::kind(other));
            Err(Refusal::request("id", why))
        }
        None => Err(Refusal::request(
            "id",
            "`id` is missing: a request has a string or an integer there",
        )),
    }
}

fn shown(id: &RequestId) -> String {
    match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => quoted(text),
    }
}

/// What a client sent, fit to be shown: on one line, not long.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 80;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod fuzz;
