//! A model behind HTTP.
//!
//! Responsible for: deadline, cancellation, and one retry where it may help. Not here: what is sent
//! ([`super::protocol`]) and how ([`super::transport`]); which model it is (the engine).
//! Invariants: at most two requests; the second begins only if there is time for it, and never
//! before the server's `Retry-After`; when `ask` returns, its connections are closed.

use std::{
    fmt,
    hash::{BuildHasher, Hasher, RandomState},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use forge_search_engine::language_model::{
    Chosen, LanguageModel, ModelFacts, ModelFailure, Preference, Prompt,
};
use reqwest::{Client, StatusCode, Url};
use tokio::{runtime, select, time};

use super::{
    protocol::{self, Form},
    transport::{self, Response, TransportError, Trust},
};

/// How often cancellation is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Pause before a retry without `Retry-After`.
const PAUSE: Duration = Duration::from_millis(200);
/// Largest random addition to a pause, so that clients that failed together do not return together.
const SPREAD: Duration = Duration::from_millis(200);

/// Source of the random addition; values are cut to 200 ms.
pub(super) type Jitter = Box<dyn Fn() -> Duration + Send + Sync>;

/// A random duration, different for each call and process.
pub(super) fn jitter() -> Duration {
    let most = u64::try_from(SPREAD.as_millis()).unwrap_or(0);
    Duration::from_millis(RandomState::new().build_hasher().finish() % (most + 1))
}

/// How answers name the model.
fn facts(preference: &Preference) -> ModelFacts {
    let url = Url::parse(&preference.base_url).ok();
    let host = url.as_ref().and_then(|url| {
        let host = url.host_str()?;
        Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    });
    ModelFacts {
        name: preference.name.clone(),
        model: preference.model.clone(),
        host: host.unwrap_or_default(),
    }
}

/// A model behind HTTP.
pub struct RemoteModel {
    chosen: Chosen,
    facts: ModelFacts,
    jitter: Jitter,
    trust: Trust,
    client: OnceLock<Result<Client, String>>,
}

impl fmt::Debug for RemoteModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RemoteModel").field("chosen", &self.chosen).finish_non_exhaustive()
    }
}

/// A failed attempt.
struct FailedAttempt {
    failure: ModelFailure,
    retry: Option<Retry>,
}

/// The second attempt that may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    /// The same request, after this pause if the server named one.
    Later(Option<Duration>),
    /// The request in its plain form.
    Plainer,
}

impl RemoteModel {
    /// The chosen model. Nothing is sent before [`LanguageModel::ask`].
    pub fn new(chosen: Chosen) -> Self {
        // Without encryption no certificates are loaded, so none need to exist.
        let trust = if is_encrypted(&chosen.preference.base_url) {
            Trust::System
        } else {
            Trust::Only(Vec::new())
        };
        Self::with(chosen, Box::new(jitter), trust)
    }

    /// As [`Self::new`], with another random addition and other certificates.
    pub(super) fn with(chosen: Chosen, jitter: Jitter, trust: Trust) -> Self {
        Self { facts: facts(&chosen.preference), chosen, jitter, trust, client: OnceLock::new() }
    }

    async fn ask_with_retry(
        &self,
        prompt: &Prompt,
        deadline: Instant,
    ) -> Result<String, ModelFailure> {
        let FailedAttempt { failure, retry } = match self.attempt(prompt, Form::Full).await {
            Ok(text) => return Ok(text),
            Err(failed) => failed,
        };
        let form = match retry {
            None => return Err(failure),
            Some(Retry::Plainer) => Form::Plain,
            Some(Retry::Later(named)) => {
                let pause = named.unwrap_or(PAUSE).saturating_add((self.jitter)().min(SPREAD));
                if pause >= deadline.saturating_duration_since(Instant::now()) {
                    return Err(failure);
                }
                time::sleep(pause).await;
                Form::Full
            }
        };
        self.attempt(prompt, form).await.map_err(|failed| failed.failure)
    }

    async fn attempt(&self, prompt: &Prompt, form: Form) -> Result<String, FailedAttempt> {
        let permanent = |failure| FailedAttempt { failure, retry: None };
        let client = self.client.get_or_init(|| transport::client(&self.trust));
        let client = client.as_ref().map_err(|why| permanent(self.unreachable(why)))?;
        let Chosen { preference, key } = &self.chosen;
        let request =
            protocol::request(preference, key.as_ref(), prompt, form).map_err(permanent)?;
        match transport::send(client, request).await {
            Ok(response) => self.interpret(&response, form),
            Err(TransportError::TooLong) => Err(permanent(ModelFailure::TooLong)),
            Err(TransportError::Connection(why)) => Err(FailedAttempt {
                failure: self.unreachable(&why),
                retry: Some(Retry::Later(None)),
            }),
        }
    }

    fn interpret(&self, response: &Response, form: Form) -> Result<String, FailedAttempt> {
        let Chosen { preference, key } = &self.chosen;
        let status = response.status;
        if status.is_success() {
            let text = if response.json {
                protocol::answer(preference.protocol, &response.body)
            } else {
                Err(ModelFailure::Malformed("its content type is not application/json".to_owned()))
            };
            // A server that echoes the key does not get it into an answer.
            let text = text.map(|text| protocol::without(key.as_ref(), text));
            return text.map_err(|failure| FailedAttempt { failure, retry: None });
        }
        let mut message = protocol::error_message(&response.body, key.as_ref());
        if status.is_redirection() {
            let host = response.redirect_host.as_deref().unwrap_or("somewhere");
            message = protocol::readable(
                &format!("redirects to {host}, which is not followed"),
                key.as_ref(),
            );
        }
        let retry = match status {
            StatusCode::TOO_MANY_REQUESTS => Some(Retry::Later(response.retry_after)),
            _ if status.is_server_error() => Some(Retry::Later(response.retry_after)),
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY
                if form == Form::Full && protocol::is_about_options(&message) =>
            {
                Some(Retry::Plainer)
            }
            _ => None,
        };
        Err(FailedAttempt {
            failure: ModelFailure::Refused { status: status.as_u16(), message },
            retry,
        })
    }

    fn unreachable(&self, why: &str) -> ModelFailure {
        ModelFailure::Unreachable(protocol::readable(why, self.chosen.key.as_ref()))
    }
}

impl LanguageModel for RemoteModel {
    fn facts(&self) -> &ModelFacts {
        &self.facts
    }

    fn ask(
        &self,
        prompt: &Prompt,
        deadline: Instant,
        cancelled: &[&AtomicBool],
    ) -> Result<String, ModelFailure> {
        // One runtime for each call, so that all of its tasks end with it.
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| self.unreachable(&error.to_string()))?;
        let outcome = runtime.block_on(async {
            select! {
                biased;
                () = until_set(cancelled) => Err(ModelFailure::Cancelled),
                () = time::sleep_until(deadline.into()) => Err(ModelFailure::TimedOut),
                outcome = self.ask_with_retry(prompt, deadline) => outcome,
            }
        });
        // Connections are dropped and thereby closed. A pending name lookup is not awaited.
        runtime.shutdown_background();
        outcome
    }
}

/// Whether an address needs certificates, in any spelling of its scheme.
pub(super) fn is_encrypted(base_url: &str) -> bool {
    !Url::parse(base_url).is_ok_and(|url| url.scheme() == "http")
}

/// Returns once one of the flags is set.
async fn until_set(flags: &[&AtomicBool]) {
    while !flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
        time::sleep(POLL_INTERVAL).await;
    }
}
