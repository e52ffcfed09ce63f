//! Validation of a model server's address.

use url::{Host, Url};

use super::{ConfigError, MAX_URL, refused};

/// Checks the address `text` at `key`. `plain_http` permits another machine without encryption.
pub(super) fn validate(key: &str, text: &str, plain_http: bool) -> Result<(), ConfigError> {
    let parsed = (text.len() <= MAX_URL).then(|| Url::parse(text).ok()).flatten();
    let Some(url) = parsed.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    else {
        return Err(refused(
            key,
            text,
            "an address that begins with http:// or https://, at most 2048 bytes",
        ));
    };
    if !url.username().is_empty() || url.password().is_some() {
        let allowed = "an address without user or password; a key comes from the variable `key_variable` names";
        return Err(refused(key, "[not shown]", allowed));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refused(
            key,
            text,
            "an address without `?` and `#`; the protocol's path is put behind it",
        ));
    }
    if url.scheme() == "http" && !plain_http && !on_this_machine(&url) {
        let allowed = "https://, or http:// to this machine; `allow_plain_http = true` in the entry permits it elsewhere";
        return Err(refused(key, text, allowed));
    }
    Ok(())
}

/// Whether requests to the address stay on this machine.
fn on_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
