//! One HTTP request and its response.
//!
//! Responsible for: the HTTP client and its restrictions; the size limit of a response; the meaning
//! of its headers. Not here: what is sent and what bodies mean ([`super::protocol`]); deadlines,
//! cancellation and retries ([`super::remote`]). Invariants: certificates are verified, against
//! those of the system; no proxy, no redirect, no cookie, no decompression; a connection is used
//! once; no error text contains an address or a header.

use std::{error::Error, time::Duration};

use reqwest::{
    Certificate, Client, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER},
    redirect,
};

/// Most bytes of a response's body.
pub(super) const MAX_BODY: usize = 1 << 20;

/// A POST request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) url: Url,
    /// Besides those of every request. A header with a key is marked as sensitive.
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// A response of any status.
#[derive(Clone, Debug)]
pub(super) struct Response {
    pub(super) status: StatusCode,
    /// Whether the content type is JSON or missing.
    pub(super) json: bool,
    /// How long the server asks clients to wait.
    pub(super) retry_after: Option<Duration>,
    /// The host of a redirect.
    pub(super) redirect_host: Option<String>,
    pub(super) body: Vec<u8>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TransportError {
    /// No connection, or it broke.
    Connection(String),
    /// The body has more than [`MAX_BODY`] bytes.
    TooLong,
}

/// Which certificates are trusted.
#[derive(Clone, Debug)]
pub(super) enum Trust {
    /// The system's.
    System,
    /// Only these; none are needed without encryption.
    Only(Vec<Certificate>),
}

/// A client for one host.
pub(super) fn client(trust: &Trust) -> Result<Client, String> {
    // The first provider installed in a process stays; another one is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = Client::builder()
        .user_agent(concat!("forge-search/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .referer(false)
        .pool_max_idle_per_host(0);
    let builder = match trust {
        Trust::System => builder,
        Trust::Only(certificates) => builder.tls_certs_only(certificates.iter().cloned()),
    };
    builder.build().map_err(|error| cause(&error))
}

/// Sends the request and reads the response. The caller limits the time.
pub(super) async fn send(client: &Client, request: Request) -> Result<Response, TransportError> {
    let sent = client
        .post(request.url.clone())
        .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
        .headers(request.headers)
        .body(request.body)
        .send();
    let mut response = sent.await.map_err(|error| TransportError::Connection(cause(&error)))?;
    let status = response.status();
    let read = Response {
        status,
        json: is_json(response.headers()),
        retry_after: retry_after(response.headers()),
        redirect_host: redirect_host(&request.url, response.headers()),
        body: Vec::new(),
    };
    let announced = response.content_length().unwrap_or(0);
    if announced > MAX_BODY as u64 {
        return Err(TransportError::TooLong);
    }
    let mut body = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| TransportError::Connection(cause(&error)))?
    {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(TransportError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Response { body, ..read })
}

/// The innermost cause, which comes from the system or TLS. Outer ones name the address.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    match innermost.downcast_ref::<reqwest::Error>() {
        Some(_) => "the request could not be sent".to_owned(),
        None => innermost.to_string(),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE) else { return true };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// In seconds, as model servers write it; a date is ignored.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    // A duration that overflows exceeds every deadline.
    let longest = if seconds > 0.0 { Some(Duration::MAX) } else { None };
    Duration::try_from_secs_f64(seconds).ok().or(longest)
}

fn redirect_host(url: &Url, headers: &HeaderMap) -> Option<String> {
    let target = url.join(headers.get(LOCATION)?.to_str().ok()?).ok()?;
    target.host_str().map(str::to_owned)
}
