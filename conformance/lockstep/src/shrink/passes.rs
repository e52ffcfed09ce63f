//! The passes of the shrinker, from the ones that take most to the ones that take least.

use serde_json::{Map, Value};
use touchstone_cases::case::{CallContext, Case, DEFAULT_TOOL, Keys, Node, Part, Text};
use touchstone_cases::family::Family;

use super::{Search, contents, contents_mut, default_config, part, set_part};

impl<P: FnMut(&Case) -> bool> Search<P> {
    /// Every pass once.
    pub(super) fn passes(&mut self) {
        self.thin(|case| case.tree.clone(), |case, tree| case.tree = tree);
        self.config();
        self.fields();
        self.nodes();
        self.files();
        self.names();
        self.texts();
        self.numbers();
    }

    /// The whole configuration at its preset's values, then each key.
    fn config(&mut self) {
        self.change(|case| case.config = default_config());
        self.change(|case| case.config.preset = default_config().preset);
        self.change(|case| case.config.enabled = None);
        self.change(|case| case.config.default_timeout_ms = None);
        self.change(|case| case.config.default_max_results = None);
        self.change(|case| case.config.max_matches_per_file = None);
        self.change(|case| case.config.max_files = None);
        self.change(|case| case.config.max_file_size_bytes = None);
        self.change(|case| case.config.max_output_bytes = None);
        self.change(|case| case.config.backend_available = None);
        self.change(|case| case.config.deadline_may_strike = false);
        self.change(|case| case.config.working_dir.clear());
        self.change(|case| case.context = CallContext::default());
        self.change(|case| case.context.max_output_bytes = None);
        self.change(|case| case.context.available_capacity_bytes = None);
        let keys = |case: &Case| -> Vec<(String, Value)> {
            case.config.search_files.0.clone().into_iter().collect()
        };
        self.thin(keys, |case, keys| case.config.search_files = Keys(keys.into_iter().collect()));
        let keys = |case: &Case| -> Vec<(String, Value)> {
            case.config.agent.0.clone().into_iter().collect()
        };
        self.thin(keys, |case, keys| case.config.agent = Keys(keys.into_iter().collect()));
        let keys = |case: &Case| -> Vec<(String, Value)> {
            case.config.keyword.0.clone().into_iter().collect()
        };
        self.thin(keys, |case, keys| case.config.keyword = Keys(keys.into_iter().collect()));
        self.change(|case| case.model = None);
        let keys = |case: &Case| -> Vec<(String, Value)> {
            case.config.keys.0.clone().into_iter().collect()
        };
        self.thin(keys, |case, keys| case.config.keys = Keys(keys.into_iter().collect()));
        self.thin(|case| case.config.deny.clone(), |case, deny| case.config.deny = deny);
        self.thin(
            |case| case.config.global_ignore.clone(),
            |case, files| case.config.global_ignore = files,
        );
    }

    /// Request fields go, then the items of those that are lists.
    fn fields(&mut self) {
        if self.best.family() == Family::Search {
            self.change(|case| DEFAULT_TOOL.clone_into(&mut case.tool));
        }
        let read = |case: &Case| -> Vec<(String, Value)> {
            let fields = case.request.as_object().into_iter().flatten();
            fields.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        self.thin(read, |case, fields| {
            if case.request.is_object() {
                case.request = Value::Object(fields.into_iter().collect::<Map<_, _>>());
            }
        });
        for (name, _) in read(&self.best) {
            let items = |case: &Case| -> Vec<Value> {
                case.request.get(&name).and_then(Value::as_array).cloned().unwrap_or_default()
            };
            self.thin(items, |case, items| {
                if let Some(value @ Value::Array(_)) = case.request.get_mut(&name) {
                    *value = Value::Array(items);
                }
            });
        }
    }

    /// What is odd becomes ordinary: unreadable readable, a link or a pipe an empty file.
    fn nodes(&mut self) {
        for index in 0..self.best.tree.len() {
            self.change(|case| match case.tree.get_mut(index).map(|entry| &mut entry.node) {
                Some(Node::File { readable, .. } | Node::Dir { readable }) => *readable = true,
                Some(node @ (Node::Link { .. } | Node::Fifo)) => {
                    *node = Node::File {
                        contents: touchstone_cases::case::Contents::default(),
                        readable: true,
                    };
                }
                None => {}
            });
        }
    }

    /// Contents: nothing, fewer parts, fewer repetitions, fewer lines, fewer bytes.
    fn files(&mut self) {
        for file in 0..self.best.tree.len() {
            self.change(|case| {
                if let Some(contents) = contents_mut(case, file) {
                    contents.parts.clear();
                }
            });
            let parts = |case: &Case| {
                contents(case, file).map(|contents| contents.parts.clone()).unwrap_or_default()
            };
            self.thin(parts, |case, parts| {
                if let Some(contents) = contents_mut(case, file) {
                    contents.parts = parts;
                }
            });
            for index in 0..parts(&self.best).len() {
                self.repetitions(file, index);
                self.lines(file, index);
                let bytes = |case: &Case| {
                    part(case, file, index).map(|part| part.bytes.0.clone()).unwrap_or_default()
                };
                self.thin(bytes, |case, bytes| set_part(case, file, index, bytes));
            }
            self.change(|case| merge(case, file));
        }
    }

    /// Halves how often a part stands, and then takes one off, as long as that goes.
    fn repetitions(&mut self, file: usize, index: usize) {
        let times = |case: &Case| part(case, file, index).map_or(0, |part| part.times);
        let put = |case: &mut Case, times: u64| {
            if let Some(part) =
                contents_mut(case, file).and_then(|contents| contents.parts.get_mut(index))
            {
                part.times = times;
            }
        };
        for smaller in [
            |times: u64| times / 2,
            |times: u64| times - times / 8,
            |times: u64| times.saturating_sub(1),
        ] {
            while times(&self.best) > 1 {
                let fewer = smaller(times(&self.best));
                if !self.change(|case| put(case, fewer)) {
                    break;
                }
            }
        }
    }

    fn lines(&mut self, file: usize, index: usize) {
        let lines = |case: &Case| -> Vec<Vec<u8>> {
            part(case, file, index)
                .map(|part| {
                    part.bytes
                        .0
                        .split_inclusive(|byte| *byte == b'\n')
                        .map(<[u8]>::to_vec)
                        .collect()
                })
                .unwrap_or_default()
        };
        self.thin(lines, |case, lines| set_part(case, file, index, lines.concat()));
    }

    /// Paths: fewer components, for everything below a directory at once, then fewer bytes in each.
    fn names(&mut self) {
        for entry in 0..self.best.tree.len() {
            let components = |case: &Case| -> Vec<Vec<u8>> {
                let path = case.tree.get(entry).map(|entry| entry.path.clone()).unwrap_or_default();
                path.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect()
            };
            for depth in (0..components(&self.best).len()).rev() {
                let above = components(&self.best).get(..=depth).unwrap_or_default().join(&b'/');
                let shorter = components(&self.best).get(..depth).unwrap_or_default().join(&b'/');
                self.change(|case| rename(case, &above, &shorter));
            }
            for depth in 0..components(&self.best).len() {
                self.one_name(&components(&self.best), depth);
            }
        }
    }

    /// Shorter spellings of one component, wherever it leads.
    fn one_name(&mut self, components: &[Vec<u8>], depth: usize) {
        let Some(name) = components.get(depth).filter(|name| *name != b"..") else { return };
        let old = components.get(..=depth).unwrap_or_default().join(&b'/');
        let above = components.get(..depth).unwrap_or_default().join(&b'/');
        let whole = |name: &[u8]| {
            if above.is_empty() { name.to_vec() } else { [&above, &b"/"[..], name].concat() }
        };
        let mut candidates: Vec<Vec<u8>> = vec![b"a".to_vec(), b"b".to_vec(), b"c".to_vec()];
        candidates.extend((0..name.len()).map(|at| {
            let kept = name.iter().enumerate().filter(|(index, _)| *index != at);
            kept.map(|(_, byte)| *byte).collect()
        }));
        for candidate in candidates {
            if candidate.len() < name.len()
                && self.change(|case| rename(case, &old, &whole(&candidate)))
            {
                return;
            }
        }
    }

    /// Strings of the request and the configuration, link targets: fewer characters.
    fn texts(&mut self) {
        for place in 0..strings(&mut self.best.clone()).len() {
            let read = |case: &Case| -> Vec<char> {
                let mut copy = case.clone();
                strings(&mut copy).get(place).map(|text| text.chars().collect()).unwrap_or_default()
            };
            let write = |case: &mut Case, characters: Vec<char>| {
                if let Some(text) = strings(case).into_iter().nth(place) {
                    *text = characters.into_iter().collect();
                }
            };
            self.thin(read, write);
            // What is bracketed cannot lose one bracket at a time.
            let mut at = 0;
            while let Some(character) = read(&self.best).get(at) {
                let smaller = unwrapped(&read(&self.best), at, *character);
                if !smaller.is_some_and(|smaller| self.change(|case| write(case, smaller))) {
                    at += 1;
                }
            }
        }
        for entry in 0..self.best.tree.len() {
            let read = |case: &Case| match case.tree.get(entry).map(|entry| &entry.node) {
                Some(Node::Link { target }) => target.clone(),
                _ => Vec::new(),
            };
            self.thin(read, |case, bytes| {
                if let Some(Node::Link { target }) =
                    case.tree.get_mut(entry).map(|entry| &mut entry.node)
                {
                    *target = bytes;
                }
            });
        }
        for index in 0..self.best.config.global_ignore.len() {
            let read = |case: &Case| {
                case.config.global_ignore.get(index).map(|text| text.0.clone()).unwrap_or_default()
            };
            self.thin(read, |case, bytes| {
                if let Some(text) = case.config.global_ignore.get_mut(index) {
                    *text = Text(bytes);
                }
            });
        }
    }

    /// Numbers: halved, then one less, as long as that goes.
    fn numbers(&mut self) {
        for place in 0..numbers(&mut self.best.clone()).len() {
            for smaller in [|number: u64| number / 2, |number: u64| number.saturating_sub(1)] {
                loop {
                    let mut candidate = self.best.clone();
                    let Some(number) = numbers(&mut candidate).into_iter().nth(place) else {
                        break;
                    };
                    let fewer = smaller(number.read());
                    if fewer == number.read() {
                        break;
                    }
                    number.write(fewer);
                    if !self.offer(candidate) {
                        break;
                    }
                }
            }
        }
    }
}

/// The text without the bracket at `at` and the one that closes it.
fn unwrapped(text: &[char], at: usize, opener: char) -> Option<Vec<char>> {
    let closer = match opener {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    let mut depth = 0_usize;
    let close = text.iter().enumerate().skip(at).find_map(|(index, character)| {
        depth = if *character == opener {
            depth + 1
        } else if *character == closer {
            depth.saturating_sub(1)
        } else {
            depth
        };
        (depth == 0).then_some(index)
    })?;
    let kept = text.iter().enumerate().filter(|(index, _)| *index != at && *index != close);
    Some(kept.map(|(_, character)| *character).collect())
}

/// Parts of a file joined into one, unless it would grow long.
fn merge(case: &mut Case, file: usize) {
    if let Some(contents) = contents_mut(case, file)
        && contents.len() <= 64
    {
        let bytes = contents.bytes();
        contents.parts = vec![Part { bytes: Text(bytes), times: 1 }];
    }
}

/// Moves `old` and everything below it to `new`; with an empty `new`, what lies below moves to the
/// root.
fn rename(case: &mut Case, old: &[u8], new: &[u8]) {
    for entry in &mut case.tree {
        let Some(rest) = entry.path.strip_prefix(old) else { continue };
        if rest.is_empty() && !new.is_empty() {
            entry.path = new.to_vec();
        } else if let Some(below) = rest.strip_prefix(b"/") {
            entry.path = if new.is_empty() { below.to_vec() } else { [new, b"/", below].concat() };
        }
    }
}

/// The strings of request and configuration, in a fixed order.
fn strings(case: &mut Case) -> Vec<&mut String> {
    let mut found = Vec::new();
    collect_strings(&mut case.request, &mut found);
    found.extend(case.config.deny.iter_mut());
    found.push(&mut case.config.working_dir);
    found.extend(case.model.as_mut().map(|script| &mut script.says));
    found
}

fn collect_strings<'a>(value: &'a mut Value, found: &mut Vec<&'a mut String>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter_mut().for_each(|item| collect_strings(item, found)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| collect_strings(field, found));
        }
        _ => {}
    }
}

/// A number of the request or the configuration.
enum Number<'a> {
    Json(&'a mut Value),
    Key(&'a mut u64),
}

impl Number<'_> {
    fn read(&self) -> u64 {
        match self {
            Number::Json(value) => value.as_u64().unwrap_or(0),
            Number::Key(number) => **number,
        }
    }

    fn write(self, number: u64) {
        match self {
            Number::Json(value) => *value = Value::from(number),
            Number::Key(key) => *key = number,
        }
    }
}

fn numbers(case: &mut Case) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    if let Some(fields) = case.request.as_object_mut() {
        found.extend(fields.values_mut().filter(|value| value.is_u64()).map(Number::Json));
    }
    let config = &mut case.config;
    found.extend(config.agent.0.values_mut().filter(|value| value.is_u64()).map(Number::Json));
    found.extend(config.keyword.0.values_mut().filter(|value| value.is_u64()).map(Number::Json));
    found.extend(
        config.search_files.0.values_mut().filter(|value| value.is_u64()).map(Number::Json),
    );
    let context = [&mut case.context.max_output_bytes, &mut case.context.available_capacity_bytes];
    found.extend(context.into_iter().flatten().map(Number::Key));
    let keys = [
        &mut config.default_timeout_ms,
        &mut config.default_max_results,
        &mut config.max_matches_per_file,
        &mut config.max_files,
        &mut config.max_file_size_bytes,
        &mut config.max_output_bytes,
    ];
    found.extend(keys.into_iter().flatten().map(Number::Key));
    found
}
