use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchstone_spec::adapter::Adapter;

use super::messages::{Bytes, Command, Reply};
use super::*;
use crate::pack_directory::PackDirectory;
use crate::question::Pack;

/// As long as a program may take that does not hang; what is waited for comes at once, unless the
/// machine is busy.
const LONG: Duration = Duration::from_secs(60);
/// What one that hangs is given.
const SHORT: Duration = Duration::from_millis(400);

const READY: &str = r#"{"say":"ready","version":1,"name":"sh","release":"1","unsupported":{}}"#;

/// A program of the shell: each text is printed in answer to one line.
fn talker(replies: &[&str], after: &str) -> ProtocolSearcher {
    let script: Vec<String> = replies
        .iter()
        .map(|reply| format!("read -r line || exit 0; printf '%s\\n' '{reply}'; "))
        .collect();
    let script = script.concat();
    searcher(&format!("{script} {after}"), LONG)
}

fn searcher(script: &str, deadline: Duration) -> ProtocolSearcher {
    let text = "name: sh\nsays: a test\ndrive: protocol\ncommand: [sh]\nidentify: {args: [], pattern: '(1)'}\nprecise: [lines]\n";
    let adapter = Arc::new(Adapter::parse("sh.yaml", text).unwrap());
    let program = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    ProtocolSearcher::new(
        adapter,
        "sh".to_owned(),
        program,
        Limits { deadline, output_bytes: 1 << 20 },
    )
}

fn asked(searcher: &mut ProtocolSearcher, show: Show) -> Result<Answer, NoAnswer> {
    let pack = Pack::of(&[("a", "one\ntwo\n"), ("b", "")]);
    let mut packs = PackDirectory::new().unwrap();
    let written = packs.write(&pack).unwrap();
    searcher.ask(written.placed(), &Ask { show, ..Ask::new("o") })
}

fn reason(answered: Result<Answer, NoAnswer>) -> String {
    match answered {
        Err(NoAnswer::Garbled { reason, .. }) => reason,
        other => panic!("{other:?} is not unreadable"),
    }
}

#[test]
fn a_conversation_gives_answers_skips_and_errors() {
    let replies = [
        READY,
        r#"{"say":"answer","id":1,"haystacks":[{"lines":[{"number":2,"selected":true,"spans":[[2,3]],"line":{"text":"two"}}]},{"lines":[]}]}"#,
        r#"{"say":"skipped","id":2,"reason":"no such thing"}"#,
        r#"{"say":"errored","id":3,"context":"out of luck"}"#,
        r#"{"say":"answer","id":4,"haystacks":[{"count":2},{"count":0}]}"#,
        r#"{"say":"answer","id":5,"haystacks":[{"listed":false},{"listed":true}]}"#,
    ];
    let mut searcher = talker(&replies, "read -r line; exit 0");
    let answer = asked(&mut searcher, Show::Lines).unwrap();
    let line = Line {
        number: 2,
        selected: true,
        text: Some(Text(b"two".to_vec())),
        spans: Some(vec![(2, 3)]),
    };
    assert_eq!(answer.files[&Text(b"a".to_vec())].lines, [line]);
    assert_eq!((answer.files.len(), answer.status), (1, Status::Matched));
    assert_eq!(
        asked(&mut searcher, Show::Lines),
        Err(NoAnswer::Unsupported("no such thing".to_owned()))
    );
    assert_eq!(asked(&mut searcher, Show::Lines), Err(NoAnswer::Errored("out of luck".to_owned())));
    let counted = asked(&mut searcher, Show::Count).unwrap();
    assert_eq!(counted.files[&Text(b"a".to_vec())].count, Some(2));
    let without = asked(&mut searcher, Show::FilesWithout).unwrap();
    assert_eq!(without.files.keys().map(|path| path.0.as_slice()).collect::<Vec<_>>(), [b"b"]);
    assert_eq!(searcher.stop(), Some(0));
}

#[test]
fn a_message_that_violates_the_protocol_is_unreadable() {
    for (reply, why) in [
        ("hello", "expected value"),
        (r#"{"say":"answer","id":1}"#, "missing field"),
        (r#"{"say":"answer","id":1,"haystacks":[],"time":3}"#, "unknown field"),
        (r#"{"say":"answer","id":2,"haystacks":[{"lines":[]},{"lines":[]}]}"#, "the reply is to 2"),
        (r#"{"say":"answer","id":1,"haystacks":[{"lines":[]}]}"#, "2 haystacks were given"),
        (r#"{"say":"answer","id":1,"haystacks":[{"count":1},{"count":1}]}"#, "something else came"),
        (
            r#"{"say":"answer","id":1,"haystacks":[{"lines":[{"number":3,"selected":true}]},{"lines":[]}]}"#,
            "line 3 of 2",
        ),
        (
            r#"{"say":"answer","id":1,"haystacks":[{"lines":[{"number":1,"selected":true,"spans":[[2,1]]}]},{"lines":[]}]}"#,
            "from 2 to 1",
        ),
        (
            r#"{"say":"answer","id":1,"haystacks":[{"lines":[{"number":1,"selected":true,"line":{"base64":"?"}}]},{"lines":[]}]}"#,
            "base64",
        ),
        (r#"{"say":"done","id":1}"#, "unknown variant"),
        (READY, "said once"),
    ] {
        let told = reason(asked(&mut talker(&[READY, reply], ""), Show::Lines));
        assert!(told.contains(why), "{reply} is refused because {told}");
    }
    for (ready, why) in [
        (r#"{"say":"ready","version":2,"name":"sh","release":"1","unsupported":{}}"#, "version 2"),
        (r#"{"say":"ready","version":1,"name":"bash","release":"1","unsupported":{}}"#, "`bash`"),
        (
            r#"{"say":"ready","version":1,"name":"sh","release":"1","unsupported":{"nul":"no"}}"#,
            "`nul`",
        ),
        (r#"{"say":"skipped","id":1,"reason":"no"}"#, "`ready` was to come"),
    ] {
        let told = reason(asked(&mut talker(&[ready], "read -r line"), Show::Lines));
        assert!(told.contains(why), "{ready} is refused because {told}");
    }
    let twice = format!(
        "read -r line; echo '{READY}'; read -r line; printf '%s\\n%s\\n' '{0}' '{0}'; read -r line",
        r#"{"say":"skipped","id":1,"reason":"no"}"#
    );
    let mut searcher = searcher(&twice, LONG);
    // The second one has come by then or comes later; either way it is no answer to what is asked
    // next.
    let first = asked(&mut searcher, Show::Lines);
    let second = if matches!(first, Err(NoAnswer::Unsupported(_))) {
        asked(&mut searcher, Show::Lines)
    } else {
        first
    };
    assert!(matches!(second, Err(NoAnswer::Garbled { .. })), "{second:?}");
}

#[test]
fn a_broken_program_is_classified_and_restarted() {
    let hangs = format!("read -r line; echo '{READY}'; read -r line; sleep 600");
    let hangs = asked(&mut searcher(&hangs, SHORT), Show::Lines);
    assert_eq!(hangs, Err(NoAnswer::Hung { milliseconds: 400 }));
    let dies =
        asked(&mut talker(&[READY], "read -r line; echo gone >&2; kill -SEGV $$"), Show::Lines);
    assert_eq!(dies, Err(NoAnswer::Killed { signal: 11, stderr: "gone".to_owned() }));
    let ends = asked(&mut talker(&[READY], "read -r line; echo why >&2; exit 7"), Show::Lines);
    assert_eq!(ends, Err(NoAnswer::Failed { status: 7, stderr: "why".to_owned() }));
    let floods = asked(
        &mut talker(&[READY], "read -r line; while :; do printf 'flood flood flood flood'; done"),
        Show::Lines,
    );
    assert_eq!(floods, Err(NoAnswer::Flood { bytes: 1 << 20 }));
    let deaf = searcher("sleep 600", SHORT).release();
    assert_eq!(deaf, Err(NoAnswer::Hung { milliseconds: 400 }));
    let closed = asked(&mut talker(&[READY], "read -r line; exec >&-; sleep 600"), Show::Lines);
    assert!(matches!(closed, Err(NoAnswer::Garbled { .. })), "{closed:?}");
    assert!(matches!(searcher("exit 1", LONG).release(), Err(NoAnswer::Failed { status: 1, .. })));

    let place = tempfile::tempdir().unwrap();
    let been = place.path().join("been").display().to_string();
    let script = format!(
        "read -r line; echo '{READY}'; read -r line; if [ -e {been} ]; then echo '{}'; read -r line; else : >{been}; kill -KILL $$; fi",
        r#"{"say":"answer","id":2,"haystacks":[{"lines":[]},{"lines":[]}]}"#
    );
    let mut searcher = searcher(&script, LONG);
    assert!(matches!(asked(&mut searcher, Show::Lines), Err(NoAnswer::Killed { signal: 9, .. })));
    assert_eq!(asked(&mut searcher, Show::Lines), Ok(Answer::default()));
}

#[test]
fn a_large_question_is_sent_while_the_program_writes_to_standard_error() {
    let flood =
        "i=0; while [ $i -lt 2000 ]; do echo 'some words on standard error' >&2; i=$((i+1)); done;";
    let mut searcher = searcher(
        &format!(
            "read -r line; echo '{READY}'; {flood} read -r line; echo '{}'; read -r line",
            r#"{"say":"answer","id":1,"haystacks":[{"count":0}]}"#
        ),
        LONG,
    );
    let pack = Pack::of(&[("a", &"long line\n".repeat(50_000))]);
    let mut packs = PackDirectory::new().unwrap();
    let written = packs.write(&pack).unwrap();
    let answered = searcher.ask(written.placed(), &Ask { show: Show::Count, ..Ask::new("o") });
    assert_eq!(answered, Ok(Answer::default()));
}

#[test]
fn a_program_that_does_not_stop_is_killed_with_its_children() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("pids");
    let script =
        format!("sleep 600 & echo $! $$ >{}; read -r line; echo '{READY}'; wait", file.display());
    let mut searcher = searcher(&script, LONG);
    assert_eq!(searcher.release(), Ok("1".to_owned()));
    drop(searcher);
    // What was killed is gone as soon as the system gets round to it.
    let until = Instant::now() + LONG;
    for process in std::fs::read_to_string(&file).unwrap().split_whitespace() {
        let state = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let is_dead = |state: &str| {
            state.rsplit_once(')').is_none_or(|(_, rest)| rest.trim().starts_with('Z'))
        };
        while !is_dead(&state()) {
            assert!(Instant::now() < until, "{process} still runs: {}", state());
            std::thread::yield_now();
        }
    }
}

#[test]
fn an_unsupported_question_is_refused_before_it_is_sent() {
    let ready = r#"{"say":"ready","version":1,"name":"sh","release":"1","unsupported":{"word":"no words"}}"#;
    let mut searcher = talker(&[ready], "read -r line");
    let pack = Pack::of(&[("a", "x\n")]);
    let mut packs = PackDirectory::new().unwrap();
    let written = packs.write(&pack).unwrap();
    for (ask, why) in [
        (Ask { word: true, ..Ask::new("o") }, "word: no words"),
        (Ask { mmap: Some(true), ..Ask::new("o") }, "mmap: there are no files in the protocol"),
    ] {
        assert_eq!(
            searcher.ask(written.placed(), &ask),
            Err(NoAnswer::Unsupported(why.to_owned()))
        );
    }
}

#[test]
fn a_question_is_shown_as_a_shell_command() {
    let searcher = talker(&[], "");
    let pack = Pack::of(&[("a", "it's\n")]);
    let mut packs = PackDirectory::new().unwrap();
    let written = packs.write(&pack).unwrap();
    let told = searcher.shell(written.placed(), &Ask::new("o")).unwrap();
    assert!(told.ends_with("| sh"), "{told}");
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", told.trim_end_matches("| sh")])
        .output()
        .unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let commands: Vec<Command> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let haystacks = vec![Bytes::from(&b"it's\n"[..])];
    let run = Command::Run { id: 1, ask: Wanted::from(&Ask::new("o")), haystacks };
    assert_eq!(commands, [Command::Start { version: VERSION }, run, Command::Stop {}]);
}

#[test]
fn bytes_that_are_not_utf8_are_sent_as_base64() {
    for bytes in [&b"plain\n"[..], b"", b"\xff\0", "é".as_bytes()] {
        let message = serde_json::to_string(&Bytes::from(bytes)).unwrap();
        let read: Bytes = serde_json::from_str(&message).unwrap();
        assert_eq!(read.decode().unwrap(), bytes);
    }
    assert_eq!(
        serde_json::to_value(Bytes::from(&b"\xff\0"[..])).unwrap(),
        json!({"base64": "/wA="})
    );
}

/// The part of JSON Schema that the published schemas use; a keyword that is not known here fails.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let all = |list: &Value, test: &dyn Fn(&Value) -> bool| {
        list.as_array().unwrap().iter().filter(|one| test(one)).count()
    };
    schema.as_object().unwrap().iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "$defs" => true,
        "$ref" => {
            fits(root, root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), value)
        }
        "const" => value == rule,
        "enum" => all(rule, &|one| one == value) > 0,
        "oneOf" => all(rule, &|one| fits(root, one, value)) == 1,
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "null" => value.is_null(),
            other => panic!("type {other}"),
        },
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
        "minItems" => {
            value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap())
        }
        "maxItems" => {
            value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap())
        }
        "items" => {
            value.as_array().is_none_or(|items| items.iter().all(|item| fits(root, rule, item)))
        }
        "prefixItems" => value.as_array().is_none_or(|items| {
            items.iter().zip(rule.as_array().unwrap()).all(|(item, rule)| fits(root, rule, item))
        }),
        "required" => value.as_object().is_none_or(|fields| {
            all(rule, &|one| !fields.contains_key(one.as_str().unwrap())) == 0
        }),
        "properties" => value.as_object().is_none_or(|fields| {
            fields
                .iter()
                .all(|(name, field)| rule.get(name).is_none_or(|rule| fits(root, rule, field)))
        }),
        "propertyNames" => value
            .as_object()
            .is_none_or(|fields| fields.keys().all(|name| fits(root, rule, &json!(name)))),
        "additionalProperties" => value.as_object().is_none_or(|fields| {
            let known: BTreeSet<&String> = schema
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
                .map(|(name, _)| name)
                .collect();
            fields
                .iter()
                .filter(|(name, _)| !known.contains(name))
                .all(|(_, field)| rule != &json!(false) && fits(root, rule, field))
        }),
        other => panic!("`{other}` is not understood"),
    })
}

/// The message with one thing wrong or merely different, in every place.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(null),
        json!(-1),
        json!(1.5),
        json!("text"),
        json!(true),
        json!([]),
        json!({}),
        json!([1]),
        json!([1, 2, 3]),
    ];
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let mut less = fields.clone();
                less.remove(name);
                all.push(Value::Object(less));
                for other in changed(field) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), other);
                    all.push(Value::Object(fields));
                }
            }
            let mut more = fields.clone();
            more.insert("more".to_owned(), json!(1));
            all.push(Value::Object(more));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let mut less = items.clone();
                less.remove(at);
                all.push(Value::Array(less));
                for other in changed(item) {
                    let mut items = items.clone();
                    items[at] = other;
                    all.push(Value::Array(items));
                }
            }
        }
        _ => {}
    }
    all
}

fn schema(name: &str) -> Value {
    let path = touchstone_cases::golden::workspace().join("spec/protocol").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_published_schemas_accept_exactly_the_messages_that_are_read() {
    let ask = json!({"patterns": ["a"], "fixed": false, "case": "smart", "word": false, "line": false, "invert": false, "max_count": 1, "before": 0, "after": 2, "crlf": false, "show": "spans"});
    let told = [
        json!({"do": "start", "version": 1}),
        json!({"do": "run", "id": 1, "ask": ask, "haystacks": [{"text": "a"}, {"base64": "AA=="}]}),
        json!({"do": "stop"}),
    ];
    let said = [
        json!({"say": "ready", "version": 1, "name": "x", "release": "1", "unsupported": {"walk": "no", "regex": "no"}}),
        json!({"say": "answer", "id": 1, "haystacks": [{"lines": [{"number": 1, "selected": true, "spans": [[0, 1]], "line": {"base64": ""}}]}, {"count": 1}, {"listed": true}]}),
        json!({"say": "skipped", "id": 1, "reason": "x"}),
        json!({"say": "errored", "id": 1, "context": "x"}),
    ];
    let mut tried = [0, 0];
    let mut hold = |schema: &Value, message: &Value, read: &dyn Fn(Value) -> bool| {
        for one in std::iter::once(message.clone()).chain(changed(message)) {
            let accepted = fits(schema, schema, &one);
            assert_eq!(accepted, read(one.clone()), "{one}");
            tried[usize::from(accepted)] += 1;
        }
        assert!(fits(schema, schema, message), "{message}");
    };
    let (to, from) = (schema("to-program.schema.json"), schema("from-program.schema.json"));
    for message in &told {
        hold(&to, message, &|value| serde_json::from_value::<Command>(value).is_ok());
    }
    for message in &said {
        hold(&from, message, &|value| serde_json::from_value::<Reply>(value).is_ok());
    }
    assert!(tried[0] > 400 && tried[1] > 20, "{tried:?}");
}
