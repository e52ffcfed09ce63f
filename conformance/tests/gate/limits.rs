//! Every number that a request or a configuration is held to, asked at its value and one beside it.
//!
//! Responsible for: the limits of `spec/`: the bounds of fields and keys, and the limits of each
//! tool that a request can reach. Not here: what happens within the limits; limits of
//! files, answers and scores, which the clauses and vectors of their rows decide; limits that no
//! row of `spec/` has, beside the code that has them. Invariants: no number stands here that
//! `spec/` has, so that neither a limit that moves nor a new one goes unnoticed.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, Preset, ToolContext};
use serde_json::{Value, json};
use touchstone::golden;
use touchstone_spec::{Field, FieldType, Key, KeyType, LimitId, Spec};

use crate::clauses_agent::asked::{Desk, text};

const FILES: &[(&str, &str)] = &[("a.rs", "foobarbaz\n")];

fn spec() -> Spec {
    Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"))
}

/// A request of a tool that is answered.
fn plain(tool: &str) -> Value {
    match tool {
        "Search" => json!({"pattern": "foobarbaz", "fixed_strings": true}),
        "search_files" => json!({"query": "foobarbaz", "mode": "exact", "path": "."}),
        "grep" => json!({"pattern": "foobarbaz"}),
        "find_files" => json!({"pattern": "*"}),
        "search_text" => json!({"query": "foobarbaz"}),
        "keyword_search" => {
            json!({"query": "what", "search_terms": ["foobarbaz"], "use_model": false})
        }
        _ => panic!("there is no request of `{tool}` here"),
    }
}

/// The tools over a small tree.
struct Tools(Desk);

impl Tools {
    fn new() -> Self {
        Self(Desk::over(FILES, "searches_per_minute = 100000"))
    }

    /// The field for which a request is refused; none if it is answered.
    fn refused(&self, tool: &str, request: &Value) -> Option<String> {
        let service = self.0.toolbox.service();
        match tool {
            "Search" => service.call(tool, request).err().and_then(|error| error.field),
            "search_files" => {
                let answer = service.call_files(&mut ToolContext::default(), request);
                answer.err().and_then(|error| error.field)
            }
            _ => {
                let answer = self.0.call(tool, request);
                answer.is_error.then(|| text(&answer.structured["field"]))
            }
        }
    }

    /// One value of a field is taken and the other is refused, for that field.
    fn parts(&self, tool: &str, field: &str, taken: &Value, refused: &Value, with: &Value) {
        for (value, because) in [(taken, None), (refused, Some(field.to_owned()))] {
            let mut request = plain(tool);
            let fields = request.as_object_mut().unwrap();
            fields.extend(with.as_object().cloned().unwrap_or_default());
            fields.insert(field.to_owned(), value.clone());
            let shown: String = value.to_string().chars().take(60).collect();
            assert_eq!(self.refused(tool, &request), because, "{tool}: {field} = {shown}");
        }
    }

    /// The bounds of a number in a request; `cap` is the value of the key that caps it.
    fn number(&self, tool: &str, field: &Field, cap: Option<u64>) {
        let name = &field.name.value;
        let least = field.minimum.unwrap_or_else(|| panic!("{tool}: {name} has no least value"));
        let most =
            field.maximum.or(cap).unwrap_or_else(|| panic!("{tool}: {name} has no greatest value"));
        let below = least.checked_sub(1).map_or(json!(-1), Value::from);
        self.parts(tool, name, &json!(least), &below, &json!({}));
        self.parts(tool, name, &json!(most), &json!(most + 1), &json!({}));
    }
}

/// The value that preset `agent` gives a key.
fn in_agent(key: Option<&Key>) -> Option<u64> {
    key.and_then(|key| key.agent.as_ref()).and_then(Value::as_u64)
}

#[test]
fn every_number_of_a_request_is_accepted_exactly_within_its_bounds() {
    touchstone::verifies!(
        "FR-LS-VAL-02",
        "FR-LS-VAL-08",
        "CFG-LS-04",
        "FR-SF-VAL-04",
        "FR-015b-17",
        "UT-015b-VAL-02"
    );
    let (spec, tools) = (spec(), Tools::new());
    let uncapped = limit(&spec, LimitId::IntegerMax);
    let numbers = |fields: &[Field]| -> Vec<Field> {
        fields.iter().filter(|field| field.kind == FieldType::Integer).cloned().collect()
    };
    let mut asked = 0;
    for field in numbers(&spec.search.request) {
        let key = field.maximum_from.as_ref().and_then(|key| spec.configuration.key(&key.value));
        tools.number("Search", &field, in_agent(key).or(Some(uncapped)));
        asked += 1;
    }
    for field in numbers(&spec.search_files.request) {
        let from = field.maximum_from.as_ref();
        let key = from.and_then(|key| spec.search_files_configuration.key(&key.value));
        tools.number("search_files", &field, in_agent(key).or(Some(uncapped)));
        asked += 1;
    }
    for row in spec.agent_tools.request.iter().filter(|row| row.field.kind == FieldType::Integer) {
        for tool in &row.tools {
            tools.number(tool.name(), &row.field, None);
            asked += 1;
        }
    }
    for field in numbers(&spec.keyword_search.request) {
        tools.number("keyword_search", &field, None);
        asked += 1;
    }
    assert!(asked > 15, "{asked} numbers");
}

fn limit(spec: &Spec, id: LimitId) -> u64 {
    spec.search.limits.iter().find(|limit| limit.id.value == id).unwrap().value
}

/// `count` times the same, joined.
fn times(what: &str, count: u64) -> Value {
    json!(what.repeat(usize::try_from(count).unwrap()))
}

/// A list of so many entries.
fn entries(count: u64) -> Value {
    json!((0..count).map(|_| "a.rs").collect::<Vec<_>>())
}

/// How a limit is reached by a request: the tool, the field, its value for a number, and what goes
/// with it.
type Reached = (&'static str, &'static str, fn(u64) -> Value, Value);

/// The requests that reach a limit of a tool; none if no request does.
fn reached(tool: &str, id: &str) -> Vec<Reached> {
    let globs = |value: fn(u64) -> Value| -> Vec<Reached> {
        ["include_glob", "exclude_glob", "glob"]
            .map(|field| ("Search", field, value, json!({})))
            .to_vec()
    };
    match (tool, id) {
        ("Search", "pattern_bytes") => {
            vec![("Search", "pattern", |count| times("x", count), json!({}))]
        }
        ("Search", "glob_entries") => globs(entries),
        ("Search", "glob_bytes") => globs(|count| json!([times("x", count)])),
        ("Search", "glob_expansions") => globs(|count| {
            json!([format!("{{{}}}", vec!["a"; usize::try_from(count).unwrap()].join(","))])
        }),
        ("search_files", "query_bytes") => {
            vec![("search_files", "query", |count| times("x", count), json!({}))]
        }
        ("search_files", "fuzzy_query_scalars") => {
            vec![(
                "search_files",
                "query",
                |count| times("\u{e9}", count),
                json!({"mode": "fuzzy"}),
            )]
        }
        ("agent", "query_bytes") => vec![
            ("search_text", "query", |count| times("x", count), json!({})),
            ("grep", "pattern", |count| times("x", count), json!({})),
        ],
        ("agent", "terms") => vec![("search_text", "query", distinct, json!({}))],
        ("agent", "texts") => ["search_text", "grep"]
            .into_iter()
            .flat_map(|tool| {
                ["include_path", "exclude_path"].map(|field| (tool, field, entries as _, json!({})))
            })
            .collect(),
        ("agent", "file_type_characters") => ["search_text", "grep"]
            .map(|tool| {
                (tool, "file_type", (|count| times("x", count)) as fn(u64) -> Value, json!({}))
            })
            .to_vec(),
        ("keyword_search", "query_bytes") => {
            vec![("keyword_search", "query", |count| times("x", count), json!({}))]
        }
        ("keyword_search", "terms") => vec![(
            "keyword_search",
            "search_terms",
            |count| json!((0..count).map(|number| format!("term{number}")).collect::<Vec<_>>()),
            json!({}),
        )],
        ("keyword_search", "term_bytes") => {
            vec![("keyword_search", "search_terms", |count| json!([times("x", count)]), json!({}))]
        }
        _ => Vec::new(),
    }
}

/// So many words, none of them twice.
fn distinct(count: u64) -> Value {
    json!((0..count).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" "))
}

#[test]
fn every_limit_of_a_request_has_the_specified_value() {
    touchstone::verifies!(
        "FR-LS-VAL-06",
        "E-F02",
        "E-B12",
        "FR-SF-VAL-02",
        "E-G09",
        "E-I19",
        "E-I24"
    );
    let (spec, tools) = (spec(), Tools::new());
    let of = |name: &'static str, id: &'static str, value: u64| (name, id, value);
    let limits =
        spec.search.limits.iter().map(|limit| of("Search", limit.id.value.name(), limit.value));
    let files = spec.search_files.limits.iter();
    let files = files.map(|limit| of("search_files", limit.id.value.name(), limit.value));
    let agent = spec.agent_tools.limits.iter();
    let agent = agent.map(|limit| of("agent", limit.id.value.name(), limit.value));
    let keyword = spec.keyword_search.limits.iter();
    let keyword = keyword.map(|limit| of("keyword_search", limit.id.value.name(), limit.value));
    let mut asked = 0;
    for (tool, id, value) in limits.chain(files).chain(agent).chain(keyword) {
        for (tool, field, of, with) in reached(tool, id) {
            tools.parts(tool, field, &of(value), &of(value + 1), &with);
            asked += 1;
        }
    }
    assert!(asked >= 22, "{asked} limits");
}

/// A configuration with one key is read, and with another value refused, which names the key.
fn configured(section: &str, key: &str, taken: &str, refused: &str) {
    let read = |value: &str| {
        let read = Config::from_toml(&format!("[{section}]\n{key} = {value}\n"), Preset::Agent);
        read.and_then(|config| config.validate().map(|()| config))
    };
    if let Err(error) = read(taken) {
        panic!("[{section}] {key} = {taken}: {error}");
    }
    let error =
        read(refused).map(drop).expect_err(&format!("[{section}] {key} = {refused} is taken"));
    assert!(error.to_string().contains(key), "[{section}] {key} = {refused}: {error}");
}

#[test]
fn every_number_of_the_configuration_is_accepted_exactly_within_its_bounds() {
    touchstone::verifies!("CFG-LS-02", "CFG-SF-02", "CFG-LSI-VAL-01", "E-D10", "E-H10", "AC-013");
    let spec = spec();
    let of = |section: &str, key: &Key| {
        let section = key.section.clone().unwrap_or_else(|| section.to_owned());
        (section, key.name.value.clone(), key.minimum, key.maximum, key.kind == KeyType::Integer)
    };
    let tools = spec.configuration.keys.iter().map(|key| of(&spec.configuration.section, key));
    let files = &spec.search_files_configuration;
    let agent = spec.agent_tools.keys.iter().map(|row| of(&spec.agent_tools.section, &row.key));
    let keyword = spec.keyword_search.keys.iter().map(|key| of(&spec.keyword_search.section, key));
    let index = spec.index.configuration.keys.iter().map(|key| {
        let whole = |bound: &Option<serde_json::Number>| {
            bound.as_ref().and_then(serde_json::Number::as_u64)
        };
        let section = spec.index.configuration.section.clone();
        let bounds =
            [&key.minimum, &key.maximum].map(|bound| whole(bound).filter(|_| !key.kind.is_list()));
        let is_whole = key.in_agent().is_some_and(Value::is_u64);
        (section, key.name.value.clone(), bounds[0], bounds[1], is_whole)
    });
    let files = files.keys.iter().map(|key| of(&files.section, key));
    let mut asked = 0;
    for (section, key, least, most, whole) in
        tools.chain(files).chain(agent).chain(keyword).chain(index)
    {
        if let Some(least) = least {
            let below = least.checked_sub(1).map_or("-1".to_owned(), |below| below.to_string());
            let below = if whole { below } else { format!("-{least}.0001") };
            configured(&section, &key, &least.to_string(), &below);
            asked += 1;
        }
        // The largest number that a file of this form can hold has none above it.
        if let Some(most) = most.filter(|most| *most < i64::MAX.unsigned_abs()) {
            let above = if whole { (most + 1).to_string() } else { format!("{most}.0001") };
            configured(&section, &key, &most.to_string(), &above);
            asked += 1;
        }
    }
    assert!(asked > 80, "{asked} bounds");
}
