//! Searches of a life: what is asked, of which services, and what is wrong with the answers.

use serde_json::Value;
use touchstone_cases::case::Case;

use super::Player;
use crate::life::{Crowd, Use};
use crate::played::Problem;
use crate::searches::{self, Answered};
use crate::{contents, crowd, world};

impl Player {
    pub(super) fn search(&mut self, request: &Value) -> Result<(), Problem> {
        let mut case = Case::new("life", "life", request.clone());
        case.config = self.now.config.clone();
        let root = self.root.to_string_lossy().into_owned();
        let seen = |case: &Case| {
            let tree = world::read(&self.root, &self.closed);
            let tree =
                tree.map_err(|error| Problem::new("the tree cannot be read", error.to_string()))?;
            Ok::<Case, Problem>(Case { tree, ..case.clone() })
        };
        let mut cases = vec![seen(&case)?];
        self.faults.take_edited();
        let answered = searches::ask(self.service()?, &case, &root);
        let answered =
            answered.map_err(|error| Problem::new("a search did not end in an answer", error))?;
        let edited = self.faults.take_edited();
        if edited {
            cases.push(seen(&case)?);
        }
        let permitted = self.follow()?;
        self.count(&answered);
        let shown = || format!("request {request}\nstats {}\n", shown(&answered));
        let wrong =
            |what: &str, told: String| Err(Problem::new(what, format!("{}{told}", shown())));
        if !(self.now.falls_back() || edited && searches::met_a_gap(&answered))
            && let Some(told) = searches::against_model(&answered, &cases)
        {
            return wrong("an answer is not the model's", told);
        }
        if !edited && let Some(plain) = &self.plain {
            let plain = searches::ask(plain, &case, &root);
            let plain =
                plain.map_err(|error| Problem::new("a search without index failed", error))?;
            if let Some(told) = searches::against_plain(&answered, &plain) {
                return wrong("an answer is not that of a search without index", told);
            }
        }
        if !edited && let Some(other) = &self.other {
            let other = searches::ask(other, &case, &root);
            let other = other.map_err(|error| Problem::new("a search beside failed", error))?;
            if !self.now.falls_back()
                && let Some(told) = searches::against_model(&other, &cases)
            {
                return wrong("the answer of the service beside is not the model's", told);
            }
        }
        if let Some(what) = searches::stats(&answered) {
            return wrong(what, String::new());
        }
        if let Some(told) = self.state_differs(&answered)? {
            return wrong("stats tell of another state than the index is in", told);
        }
        if answered.narrowed() && !permitted {
            return wrong("files could be excluded, and no step permitted it", String::new());
        }
        if answered.narrowed() && self.is_off {
            return wrong("files could be excluded although the index is off", String::new());
        }
        self.last = Some(answered);
        self.contents(request, &root)
    }

    /// Asks `search_files` and the agent's tools with and without the index; nothing goes wrong
    /// meanwhile.
    fn contents(&mut self, search: &Value, root: &str) -> Result<(), Problem> {
        let (Some(service), Some(plain)) = (&self.service, &self.plain) else { return Ok(()) };
        let armed = self.faults.put_aside();
        let files = contents::differs(service, plain, search, root);
        let agents = contents::agents_differ(service, plain, search, root);
        self.faults.put_back(armed);
        match files.map(|told| ("search_files", told)).or(agents) {
            Some((tool, told)) => {
                Err(Problem::new(&format!("{tool} answers otherwise with an index"), told))
            }
            None => self.follow().map(drop),
        }
    }

    /// Judges what was answered at points during the last act; the tree is as it was then, the
    /// service perhaps another.
    pub(super) fn meanwhile(&mut self) -> Result<(), Problem> {
        for meanwhile in self.faults.take_meanwhile() {
            let answered = meanwhile.answer;
            let answered = answered
                .map_err(|error| Problem::new("a search at a point of the indexer", error))?;
            let mut case = meanwhile.case;
            let tree = world::read(&self.root, &self.closed);
            case.tree =
                tree.map_err(|error| Problem::new("the tree cannot be read", error.to_string()))?;
            self.count(&answered);
            if !meanwhile.falls_back
                && let Some(told) = searches::against_model(&answered, std::slice::from_ref(&case))
            {
                let told = format!("request {}\nstats {}\n{told}", case.request, shown(&answered));
                return Err(Problem::new(
                    "an answer given while the indexer was at work is not the model's",
                    told,
                ));
            }
        }
        Ok(())
    }

    pub(super) fn crowd(&mut self, wanted: &Crowd) -> Result<(), Problem> {
        let mut case = Case::new("life", "life", Value::Null);
        case.config = self.now.config.clone();
        let tree = world::read(&self.root, &self.closed);
        case.tree =
            tree.map_err(|error| Problem::new("the tree cannot be read", error.to_string()))?;
        let Some(service) = self.service.clone() else { return Ok(()) };
        let stepped = self.now.using == Use::Stepped;
        let answered =
            crowd::gather(&service, &case, &self.root.to_string_lossy(), wanted, stepped);
        self.is_off |= wanted.switched_off;
        let answered = answered
            .map_err(|told| Problem::new("one of many searches at once went wrong", told))?;
        for one in &answered {
            self.count(one);
        }
        Ok(())
    }

    fn count(&mut self, answered: &Answered) {
        self.tally.searches += 1;
        self.tally.narrowed += u64::from(answered.narrowed());
        self.tally.excluding += u64::from(answered.excluded() > 0);
        self.tally.excluded += answered.excluded();
        if let Some(reason) = answered.word("exclusion_bypass_reason") {
            *self.tally.bypasses.entry(reason.to_owned()).or_default() += 1;
        }
    }
}

pub(super) fn shown(answered: &Answered) -> String {
    answered
        .stats
        .as_ref()
        .map_or_else(|| "none".to_owned(), |stats| Value::Object(stats.clone()).to_string())
}
