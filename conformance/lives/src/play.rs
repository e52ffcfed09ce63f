//! A life, played on the real service.
//!
//! Responsible for: carrying out acts one after the other in a scratch directory, and saying what
//! was wrong first. Not here: one search (`searches`), one edit (`edits`), steps of the
//! state machine (`cells`), files of the store (`damage` below). Invariants: nothing goes on after
//! the first thing that is wrong; the service ends before the directory is left, unless
//! it was to be killed.
//!
//! ```text
//! SCRATCH/tree/root     the sandbox root            SCRATCH/cache    the stored indexes
//! SCRATCH/tree/other    what lies beside it         SCRATCH/global   global ignore files
//! ```

mod checks;
mod searching;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use forge_search_engine::{Config, IndexMode, IndexOptions, IndexUse, Sandbox, Service};
use serde_json::Value;
use touchstone_cases::case::{Case, CaseConfig, Text, escape};
use touchstone_cases::materialise::Tree;
use touchstone_lockstep::subject::Backend;
use touchstone_lockstep::subjects::forge::{ServiceBackend, engine_config};

use super::cells::Follower;
use super::clock::ManualClock;
use super::disk::Disk;
use super::faults::{FaultInjector, SearchTarget};
use super::life::{Act, Damage, Edit, Life, Use};
use super::played::{Played, Problem};
use super::searches::Answered;
use super::tally::Tally;
use super::world::UnreadableDirs;
use super::{damage, setting};

/// Turns after which an indexer that still finds something to do is taken to go round in circles.
const MAX_TURNS: u32 = 2_000;

/// Longest wait for the background thread.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays a life in `scratch`, on a new tree if it is `fresh`, or else on what another life left
/// there.
pub fn play(life: &Life, scratch: &Path, fresh: bool) -> Played {
    let mut tally = Tally { lives: 1, ..Tally::default() };
    let problem = match Player::new(life, scratch, fresh) {
        Ok(mut player) => {
            let problem = player.all(&life.damage, &life.acts).err();
            player.tally.changes.add(&player.faults.acts());
            tally.add(&player.tally);
            problem
        }
        Err(problem) => Some(problem),
    };
    Played { tally, problem }
}

/// Settings that change between two services of a life.
#[derive(Debug, Clone)]
struct Circumstances {
    config: CaseConfig,
    settings: BTreeMap<String, Value>,
    using: Use,
}

impl Circumstances {
    /// Whether fuzzy passes may be made besides, which are no part of what the model means by an
    /// answer.
    fn falls_back(&self) -> bool {
        self.settings.get("fuzzy_fallback") == Some(&Value::Bool(true))
    }
}

struct Player {
    scratch: PathBuf,
    root: PathBuf,
    disk: Arc<Disk>,
    now: Circumstances,
    next: Circumstances,
    service: Option<Arc<Service>>,
    plain: Option<Arc<Service>>,
    /// Another on the same index, if the life has one.
    other: Option<Service>,
    beside: bool,
    faults: Arc<FaultInjector>,
    clock: Arc<ManualClock>,
    follower: Follower,
    tally: Tally,
    last: Option<Answered>,
    is_off: bool,
    closed: UnreadableDirs,
    /// What is stored was damaged on purpose, which a comparison may tell.
    damaged: bool,
}

impl Player {
    fn new(life: &Life, scratch: &Path, fresh: bool) -> Result<Self, Problem> {
        let mut case = Case::new("life", "life", Value::Null);
        case.config = life.config.clone();
        let root = if fresh {
            case.tree.clone_from(&life.tree);
            Tree::build(&case, scratch, None)
                .map_err(|error| Problem::new("the tree cannot be built", error.to_string()))?
                .root
        } else {
            fs::canonicalize(scratch.join("tree/root"))
                .map_err(|error| Problem::new("the tree is gone", error.to_string()))?
        };
        let closed = UnreadableDirs::of(&root, &case.tree);
        let clock: Arc<ManualClock> = Arc::default();
        let disk = Arc::new(Disk::new(root.clone(), life.own_mounts, Arc::clone(&clock)));
        let now = Circumstances {
            config: life.config.clone(),
            settings: life.settings.clone(),
            using: life.using,
        };
        Ok(Self {
            scratch: scratch.to_owned(),
            faults: Arc::new(FaultInjector::new(Arc::clone(&disk), life.sabotage.clone())),
            root,
            disk,
            next: now.clone(),
            now,
            service: None,
            plain: None,
            other: None,
            beside: life.beside,
            clock,
            follower: Follower::new()
                .map_err(|error| Problem::new("the vocabularies differ", error))?,
            tally: Tally::default(),
            last: None,
            is_off: false,
            closed,
            damaged: !life.damage.is_empty(),
        })
    }

    fn all(&mut self, damage: &[Damage], acts: &[Act]) -> Result<(), Problem> {
        for what in damage {
            damage::inflict(&self.cache(), *what);
        }
        self.start()?;
        for (at, act) in acts.iter().enumerate() {
            let done = self
                .act(act)
                .and_then(|()| self.follow().map(drop))
                .and_then(|()| self.meanwhile());
            self.tally.acts += 1;
            done.map_err(|problem| Problem { at: Some(at), ..problem })?;
        }
        self.stop(true)?;
        self.tally.passed = self.faults.passed();
        self.tally.struck = self.faults.struck();
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Result<(), Problem> {
        match act {
            Act::Edit(edit) => {
                self.edit(edit);
            }
            Act::Search(request) => return self.search(request),
            Act::Turns(turns) => {
                self.turns(*turns)?;
            }
            Act::Settle => self.settle()?,
            Act::Advance(milliseconds) => self.clock.advance(*milliseconds),
            Act::Restart { clean } => {
                self.stop(*clean)?;
                self.now = self.next.clone();
                return self.start();
            }
            Act::Use(using) => self.next.using = *using,
            Act::Deny(deny) => self.next.config.deny.clone_from(deny),
            Act::GlobalIgnore(text) => self.next.config.global_ignore = vec![text.clone()],
            Act::Set(key, value) => {
                self.next.settings.insert(key.clone(), value.clone());
            }
            Act::Mode(mode) => {
                let known = IndexMode::named(mode);
                let mode = known.ok_or_else(|| Problem::new("no such mode", mode.clone()))?;
                self.is_off = mode == IndexMode::Off;
                self.service()?.index_set_mode(mode);
            }
            Act::Evict => self.service()?.index_evict(),
            Act::Rebuild => self.service()?.index_rebuild(),
            // Refused while another process uses the index; then nothing has to be different.
            Act::Clear => drop(self.service()?.index_clear()),
            Act::Verify => return self.verify(),
            Act::Arm(trap) => self.faults.arm(trap.clone()),
            Act::Disarm => self.faults.disarm(),
            Act::Damage(what) => {
                self.damaged = true;
                damage::inflict(&self.cache(), *what);
            }
            Act::Crowd(wanted) => return self.crowd(wanted),
            Act::Forgotten(texts) => return self.stored(texts, false),
            Act::Remembered(texts) => return self.stored(texts, true),
            Act::Expect(expected) => return self.expect(expected),
        }
        Ok(())
    }

    /// Carries out an edit, and counts it by the state that the index is in.
    fn edit(&mut self, edit: &Edit) {
        if let Some(directory) = self.disk.closes(edit) {
            self.closed.close(&self.root, &directory);
        }
        let state = self
            .service
            .as_ref()
            .and_then(|service| service.index_status().first().map(|one| one.state));
        let applied = self.disk.apply(edit);
        if let (Some(act), Some(state)) = (&applied.act, state) {
            self.tally.changes.count(act, state);
        }
        if let Some(act) = applied.unsupported {
            *self.tally.unsupported.entry(act).or_default() += 1;
        }
    }

    fn cache(&self) -> PathBuf {
        self.scratch.join("cache")
    }

    fn service(&self) -> Result<&Service, Problem> {
        self.service.as_deref().ok_or_else(|| Problem::new("there is no service", ""))
    }

    fn start(&mut self) -> Result<(), Problem> {
        let using = match self.now.using {
            Use::Stepped => IndexUse::Stepped,
            Use::Background => IndexUse::Background,
            Use::Existing => IndexUse::Existing,
        };
        if self.now.using == Use::Background {
            self.clock.run();
        }
        self.follower.begin();
        self.is_off = self.now.settings.get("index_mode") == Some(&Value::from("off"));
        let config = self.config()?;
        let mut without = config.clone();
        without.index.index_mode = IndexMode::Off;
        let refused =
            |error: &dyn std::fmt::Display| Problem::new("no service comes up", error.to_string());
        let sandbox = self.sandbox()?;
        let plain = Service::new(without, sandbox.clone()).map_err(|error| refused(&error))?;
        self.plain = Some(Arc::new(plain));
        let options = IndexOptions {
            using,
            faults: Arc::clone(&self.faults) as _,
            clock: Arc::clone(&self.clock) as _,
            trace: true,
        };
        let other = IndexOptions {
            using: IndexUse::Stepped,
            clock: Arc::clone(&self.clock) as _,
            ..IndexOptions::default()
        };
        let with_index = |options| Service::with_index(config.clone(), sandbox.clone(), options);
        let service = Arc::new(with_index(options).map_err(|error| refused(&error))?);
        self.other = None;
        if self.beside {
            self.other = Some(with_index(other).map_err(|error| refused(&error))?);
        }
        let mut case = Case::new("life", "life", Value::Null);
        case.config = self.now.config.clone();
        let root = self.root.to_string_lossy().into_owned();
        let falls_back = self.now.falls_back();
        self.faults.asks(SearchTarget {
            service: Arc::downgrade(&service),
            case,
            root,
            falls_back,
        });
        self.service = Some(service);
        self.follow().map(drop)
    }

    fn sandbox(&self) -> Result<Sandbox, Problem> {
        let working_dir = self.root.join(&self.now.config.working_dir);
        let sandbox = Sandbox::new(std::slice::from_ref(&self.root), &working_dir);
        sandbox.map_err(|error| Problem::new("there is no sandbox", error.to_string()))
    }

    fn config(&self) -> Result<Config, Problem> {
        let mut case = Case::new("life", "life", Value::Null);
        case.config = self.now.config.clone();
        let mut global_ignore = Vec::new();
        for (number, text) in self.now.config.global_ignore.iter().enumerate() {
            let path = self.scratch.join("global").join(number.to_string());
            let written = fs::create_dir_all(self.scratch.join("global"))
                .and_then(|()| fs::write(&path, &text.0));
            written.map_err(|error| Problem::new("no global ignore file", error.to_string()))?;
            global_ignore.push(path);
        }
        let tree = Tree { root: self.root.clone(), global_ignore };
        let over = ServiceBackend {
            backend: Backend::Native,
            executable: None,
            threads: 2,
            indexed: false,
        };
        let config = engine_config(&case, &tree, over);
        let mut config =
            config.map_err(|error| Problem::new("no configuration", error.to_string()))?;
        config.emit_stats = true;
        config.index.index_mode = IndexMode::On;
        config.index.index_path = self.cache().to_string_lossy().into_owned();
        config.index.index_build_throttle_ms = 0;
        let place = |text: &str| {
            text.replace("{root}", &self.root.to_string_lossy())
                .replace("{scratch}", &self.scratch.to_string_lossy())
        };
        for (key, value) in &self.now.settings {
            let given = setting::given(value, &place)
                .ok_or_else(|| Problem::new("no setting", key.clone()))?;
            let set = config.index.set(key, given);
            set.map_err(|error| Problem::new("a setting is refused", format!("{key}: {error}")))?;
        }
        Ok(config)
    }

    fn stop(&mut self, clean: bool) -> Result<(), Problem> {
        if clean && let Some(service) = &self.service {
            service.index_shutdown();
        }
        self.follow()?;
        (self.service, self.other) = (None, None);
        Ok(())
    }

    /// Holds the steps that were taken against the table.
    fn follow(&mut self) -> Result<bool, Problem> {
        let Some(service) = &self.service else { return Ok(false) };
        let followed = self.follower.follow(&service.index_trace(), &mut self.tally.cells);
        followed.map_err(|(what, told)| Problem::new(&what, told))
    }

    fn turns(&self, turns: u32) -> Result<u32, Problem> {
        let service = self.service()?;
        match self.now.using {
            Use::Stepped => {
                if let Some(other) = &self.other {
                    (0..turns).take_while(|_| other.index_turn()).for_each(drop);
                }
                Ok((0..turns)
                    .take_while(|_| service.index_turn())
                    .zip(1..)
                    .last()
                    .map_or(0, |(_, n)| n))
            }
            // There is nothing to be waited for.
            Use::Existing => Ok(0),
            Use::Background => {
                if service.index_wait(PATIENCE) {
                    Ok(0)
                } else {
                    Err(Problem::new(
                        "the background does not come to rest",
                        format!("{:?}", service.index_status()),
                    ))
                }
            }
        }
    }

    fn settle(&self) -> Result<(), Problem> {
        for _ in 0..2 {
            if self.turns(MAX_TURNS)? >= MAX_TURNS {
                let told = format!("after {MAX_TURNS} turns: {:?}", self.service()?.index_status());
                return Err(Problem::new("the indexer goes round in circles", told));
            }
            // What only waits for time gets it.
            self.clock.advance(5_000);
        }
        Ok(())
    }

    /// Looks for texts in the stored files.
    fn stored(&self, texts: &[Text], wanted: bool) -> Result<(), Problem> {
        for text in texts {
            let found = damage::holding(&self.cache(), &text.0);
            if found.is_empty() == wanted {
                let what =
                    if wanted { "something is not stored" } else { "something was not forgotten" };
                return Err(Problem::new(what, format!("`{}` in {found:?}", escape(&text.0))));
            }
        }
        Ok(())
    }
}
