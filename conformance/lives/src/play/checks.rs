//! What a life has checked besides its answers: `stats` against the index, the index against the
//! tree, and what its author expects.

use super::super::life::{Expected, Use};
use super::super::played::Problem;
use super::searching::shown;
use super::{Answered, Player};

impl Player {
    /// State and reason as `stats` has them, and as the index has, where they differ. Not asked of
    /// an index that a thread works at meanwhile, nor of one that was narrowed by: what such a call
    /// held is given back by now.
    pub(super) fn state_differs(&self, answered: &Answered) -> Result<Option<String>, Problem> {
        let all = self.service()?.index_status();
        let comparable =
            self.now.using != Use::Background && !answered.narrowed() && answered.stats.is_some();
        let Some(now) = all.first().filter(|_| comparable) else {
            return Ok(None);
        };
        let told = (answered.word("index_safety_state"), answered.word("index_uncertain_reason"));
        let now = (Some(now.state), now.reason);
        Ok((told != now).then(|| format!("stats {told:?}\nindex {now:?}\n")))
    }

    /// Compares the index with the tree, if it claims to cover it. Nothing goes wrong meanwhile,
    /// and what went wrong before is taken up first.
    pub(super) fn verify(&mut self) -> Result<(), Problem> {
        let armed = self.faults.put_aside();
        let settled = if self.now.using == Use::Stepped { self.settle() } else { Ok(()) };
        let compared = settled.and_then(|()| self.compare());
        self.faults.put_back(armed);
        compared
    }

    fn compare(&self) -> Result<(), Problem> {
        let service = self.service()?;
        let claims = |status: &forge_search_engine::IndexStatus| {
            status.state == "COMPLETE" && status.pending == 0
        };
        if self.damaged || !service.index_status().iter().all(claims) {
            return Ok(());
        }
        let checks = service.index_verify();
        let checks = checks
            .map_err(|error| Problem::new("the index cannot be verified", format!("{error:?}")))?;
        match checks.iter().find(|check| !check.findings.is_empty()) {
            None => Ok(()),
            Some(check) => Err(Problem::new(
                "the index does not agree with the tree",
                check.findings.join("\n"),
            )),
        }
    }

    pub(super) fn expect(&self, expected: &Expected) -> Result<(), Problem> {
        let statuses = self.service()?.index_status();
        let status = statuses.first();
        let last = self.last.as_ref();
        let found = [
            ("state", expected.state.clone(), status.map(|status| status.state.to_owned())),
            (
                "reason",
                expected.reason.clone(),
                status.and_then(|status| status.reason).map(str::to_owned),
            ),
            ("storage", expected.storage.clone(), status.map(|status| status.storage.to_owned())),
            (
                "excludes",
                expected.excludes.map(|excludes| excludes.to_string()),
                last.map(|last| (last.excluded() > 0).to_string()),
            ),
            (
                "bypass",
                expected.bypass.clone(),
                last.and_then(|last| last.word("exclusion_bypass_reason")).map(str::to_owned),
            ),
        ];
        for (what, expected, found) in found {
            if expected.is_some() && expected != found {
                let told = format!(
                    "{what}: expected {expected:?}, found {found:?}\n{status:?}\n{}",
                    last.map_or_else(String::new, shown)
                );
                return Err(Problem::new("something is not as it has to be here", told));
            }
        }
        Ok(())
    }
}
