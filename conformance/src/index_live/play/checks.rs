//! What a life has checked besides its answers: the index against the tree, and what its author expects.

use super::super::life::{Expected, Use};
use super::super::played::Problem;
use super::{Player, shown};

impl Player {
    /// Compares the index with the tree, if it claims to cover it. Nothing goes wrong meanwhile, and what went wrong before is taken up first.
    pub(super) fn verify(&mut self) -> Result<(), Problem> {
        let armed = self.mishaps.put_aside();
        let settled = if self.now.using == Use::Stepped { self.settle() } else { Ok(()) };
        let compared = settled.and_then(|()| self.compare());
        self.mishaps.put_back(armed);
        compared
    }

    fn compare(&self) -> Result<(), Problem> {
        let service = self.service()?;
        let claims =
            |status: &forge_search_engine::IndexStatus| status.state == "COMPLETE" && status.pending == 0;
        if self.damaged || !service.index_status().iter().all(claims) {
            return Ok(());
        }
        let checks = service.index_verify();
        let checks =
            checks.map_err(|error| Problem::new("the index cannot be verified", format!("{error:?}")))?;
        match checks.iter().find(|check| !check.findings.is_empty()) {
            None => Ok(()),
            Some(check) => {
                Err(Problem::new("the index does not agree with the tree", check.findings.join("\n")))
            }
        }
    }

    pub(super) fn expect(&self, expected: &Expected) -> Result<(), Problem> {
        let statuses = self.service()?.index_status();
        let status = statuses.first();
        let last = self.last.as_ref();
        let found = [
            ("state", expected.state.clone(), status.map(|status| status.state.to_owned())),
            ("reason", expected.reason.clone(), status.and_then(|status| status.reason).map(str::to_owned)),
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
