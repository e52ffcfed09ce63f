use touchstone_spec::Spec;
use touchstone_spec::adapter::Adapter;

use super::*;
use crate::golden;
use crate::hunt::answer::{Answer, Status};
use crate::hunt::native::NativeSearcher;
use crate::hunt::question::{Case, Pack};
use crate::hunt::searcher::Laid;
use crate::hunt::subjects::Adapters;
use crate::hunt::verdict::NoAnswer;
use crate::hunt::watch::Nobody;

#[test]
fn a_command_makes_every_byte() {
    let question = Question { tree: Pack::of(&[("d/it's", "a%\\\r\né'\n")]), ask: Ask::new("a") };
    let made = laying(&question);
    assert_eq!(made, r"mkdir -p d && printf -- 'a%%\\\r\n\303\251'\''\n' > 'd/it'\''s' && ");
}

/// The service's matcher, which finds nothing: always, or where case does not count.
struct Losing {
    inner: NativeSearcher,
    name: String,
    always: bool,
}

impl Searcher for Losing {
    fn name(&self) -> &str {
        &self.name
    }

    fn adapter(&self) -> &Adapter {
        self.inner.adapter()
    }

    fn ask(&mut self, laid: Laid<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        let mut answer = self.inner.ask(laid, ask)?;
        if self.always || ask.case == Case::Insensitive {
            answer.files.clear();
            answer.status = Status::None;
        }
        Ok(answer)
    }

    fn shell(&self, _: Laid<'_>, _: &Ask) -> Option<String> {
        None
    }
}

#[test]
fn all_that_were_wrong_together_stay_wrong_while_a_case_is_made_small() {
    let groups = Groups::of(&Spec::load(&golden::workspace().join("spec")).unwrap());
    let adapter = Adapters::shipped().unwrap().get("native").unwrap();
    let open = |name: &str| -> Result<Box<dyn Searcher>, String> {
        let inner = NativeSearcher::new(adapter.clone());
        Ok(Box::new(Losing { inner, name: name.to_owned(), always: name == "one" }))
    };
    let release = |name: &str| (name.to_owned(), name.to_owned());
    let ask = Ask { case: Case::Insensitive, ..Ask::new("a") };
    let kind = Kind {
        program: "native".to_owned(),
        oracle: "model".to_owned(),
        aspect: Aspect::Files,
        group: Feature::Insensitive,
        wrong: vec!["one".to_owned(), "two".to_owned()],
    };
    let sighting = Sighting {
        place: (0, 0),
        subject: "one".to_owned(),
        right: None,
        aspect: Aspect::Files,
        group: Feature::Insensitive,
        oracle: "model".to_owned(),
        question: Question { tree: Pack::of(&[("h", "ab\ncd\n")]), ask },
        among: None,
        cpu_seconds: 0.0,
        met: 1,
    };
    let releases = |_: &str| vec![release("one"), release("two")];
    let budget = Budget { asks: 200, until: None };
    let found =
        investigate([(&kind, &sighting)], &groups, &open, &releases, budget, &Nobody).unwrap();
    let finding = found.findings.values().next().unwrap();
    assert_eq!(finding.question.ask.case, Case::Insensitive, "{:?}", finding.question);
    assert!(finding.releases.iter().all(|one| one.verdict.is_wrong(Aspect::Files)));
}
