//! A model behind HTTP.
//!
//! Responsible for: the time an answer may take, giving up when nobody wants it any more, a second
//! attempt where one may help. Left to neighbours: what is sent ([`super::protocol`]) and how
//! ([`super::transport`]); which model it is ([`super::preference`]). Invariants: at most two
//! requests; the second begins only while there is time for it, and never sooner than the server
//! asked for; when `ask` returns, its connections are closed.

use std::{
    fmt,
    hash::{BuildHasher, Hasher, RandomState},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::{Client, StatusCode, Url};
use tokio::{runtime, select, time};

use super::{
    Chosen, LanguageModel, ModelFacts, ModelFailure, Preference, Prompt,
    protocol::{self, Form},
    transport::{self, Response, TransportError, Trust},
};

/// How often it is looked whether the call was cancelled.
const LOOK: Duration = Duration::from_millis(10);
/// How long a server is left alone that does not say how long it wants to be.
const PAUSE: Duration = Duration::from_millis(200);
/// What is added to that at most, so that those who failed together do not come back together.
const SPREAD: Duration = Duration::from_millis(200);

/// Where the spread comes from: any duration, cut to 200 ms.
pub(super) type Jitter = Box<dyn Fn() -> Duration + Send + Sync>;

/// A spread that differs from call to call and from process to process.
fn jitter() -> Duration {
    let most = u64::try_from(SPREAD.as_millis()).unwrap_or(0);
    Duration::from_millis(RandomState::new().build_hasher().finish() % (most + 1))
}

impl Preference {
    /// How it is named in answers.
    pub fn facts(&self) -> ModelFacts {
        let url = Url::parse(&self.base_url).ok();
        let host = url.as_ref().and_then(|url| {
            let host = url.host_str()?;
            Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
        });
        ModelFacts {
            name: self.name.clone(),
            model: self.model.clone(),
            host: host.unwrap_or_default(),
        }
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

/// An attempt that brought no answer.
struct FailedAttempt {
    failure: ModelFailure,
    retry: Option<Retry>,
}

/// What may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    /// The same later: after this long, if the server said.
    Later(Option<Duration>),
    /// To ask for less.
    Plainer,
}

impl RemoteModel {
    /// The model that was chosen. Nothing is sent before it is asked.
    pub fn new(chosen: Chosen) -> Self {
        // Where nothing is encrypted, no certificates are looked for, and none need be there.
        let trust = if is_encrypted(&chosen.preference.base_url) {
            Trust::System
        } else {
            Trust::Only(Vec::new())
        };
        Self::with(chosen, Box::new(jitter), trust)
    }

    /// As [`Self::new`], with another spread and other certificates.
    pub(super) fn with(chosen: Chosen, jitter: Jitter, trust: Trust) -> Self {
        Self { facts: chosen.preference.facts(), chosen, jitter, trust, client: OnceLock::new() }
    }

    async fn converse(&self, prompt: &Prompt, deadline: Instant) -> Result<String, ModelFailure> {
        let FailedAttempt { failure, retry } = match self.attempt(prompt, Form::Full).await {
            Ok(text) => return Ok(text),
            Err(unanswered) => unanswered,
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
        self.attempt(prompt, form).await.map_err(|unanswered| unanswered.failure)
    }

    async fn attempt(&self, prompt: &Prompt, form: Form) -> Result<String, FailedAttempt> {
        let hopeless = |failure| FailedAttempt { failure, retry: None };
        let client = self.client.get_or_init(|| transport::client(&self.trust));
        let client = client.as_ref().map_err(|why| hopeless(self.unreachable(why)))?;
        let Chosen { preference, key } = &self.chosen;
        let request =
            protocol::request(preference, key.as_ref(), prompt, form).map_err(hopeless)?;
        match transport::send(client, request).await {
            Ok(response) => self.judge(&response, form),
            Err(TransportError::TooLong) => Err(hopeless(ModelFailure::TooLong)),
            Err(TransportError::Connection(why)) => Err(FailedAttempt {
                failure: self.unreachable(&why),
                retry: Some(Retry::Later(None)),
            }),
        }
    }

    fn judge(&self, response: &Response, form: Form) -> Result<String, FailedAttempt> {
        let Chosen { preference, key } = &self.chosen;
        let status = response.status;
        if status.is_success() {
            let text = if response.json {
                protocol::answer(preference.protocol, &response.body)
            } else {
                Err(ModelFailure::Garbled("its content type is not application/json".to_owned()))
            };
            // A server that says the key back does not get it into an answer.
            let text = text.map(|text| protocol::without(key.as_ref(), text));
            return text.map_err(|failure| FailedAttempt { failure, retry: None });
        }
        let mut message = protocol::complaint(&response.body, key.as_ref());
        if status.is_redirection() {
            let host = response.elsewhere.as_deref().unwrap_or("somewhere");
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
        // Of this call alone: what is left of it ends with it.
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| self.unreachable(&error.to_string()))?;
        let outcome = runtime.block_on(async {
            select! {
                biased;
                () = raised(cancelled) => Err(ModelFailure::Cancelled),
                () = time::sleep_until(deadline.into()) => Err(ModelFailure::TimedOut),
                outcome = self.converse(prompt, deadline) => outcome,
            }
        });
        // Connections are dropped, and closed with that; a name that is still being looked up is
        // not waited for.
        runtime.shutdown_background();
        outcome
    }
}

/// Whether certificates are needed to speak to an address, however its scheme is written.
pub(super) fn is_encrypted(base_url: &str) -> bool {
    !Url::parse(base_url).is_ok_and(|url| url.scheme() == "http")
}

/// Ends once one of the flags is up.
async fn raised(flags: &[&AtomicBool]) {
    while !flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
        time::sleep(LOOK).await;
    }
}
