//! The examples of the protocol, as they are shown and as they are used (docs/protocol.md).

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;
use touchstone::case::{Entry, Node};
use touchstone::hunt::command::Limits;
use touchstone::hunt::draw::{Batch, Theme};
use touchstone::hunt::features::content_features;
use touchstone::hunt::judge::judge;
use touchstone::hunt::pack_directory::PackDirectory;
use touchstone::hunt::protocol::ProtocolSearcher;
use touchstone::hunt::question::{Pack, Question};
use touchstone::hunt::searcher::Searcher as _;
use touchstone::hunt::smoke::smoke;
use touchstone::hunt::subjects::{Adapters, Unresolved, checked, read};
use touchstone::hunt::verdict::Verdict;
use touchstone_spec::adapter::{Adapter, Drive};

fn docs() -> PathBuf {
    touchstone::golden::workspace().join("docs")
}

fn example() -> ProtocolSearcher {
    let adapter =
        read(&docs().join("examples/python-re.yaml")).expect("the example's adapter is read");
    let program = vec![adapter.command.first().expect("a command").into()];
    ProtocolSearcher::new(Arc::new(adapter), "python-re".to_owned(), program, Limits::default())
}

#[test]
fn the_documented_conversation_is_the_real_one() {
    let text = std::fs::read_to_string(docs().join("protocol.md")).unwrap();
    let lines = |mark: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(mark)).map(str::to_owned).collect()
    };
    let (told, said) = (lines("> {"), lines("< {"));
    assert!(told.len() == 6 && said.len() == 5);
    let mut child = Command::new(docs().join("examples/python_re.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is there");
    let mut input = child.stdin.take().unwrap();
    for line in &told {
        writeln!(input, "{{{line}").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed: Vec<Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    for (shown, mut really) in said.iter().zip(printed.clone()) {
        let mut shown: Value = serde_json::from_str(&format!("{{{shown}")).unwrap();
        for one in [&mut shown, &mut really] {
            one.as_object_mut().unwrap().remove("release");
        }
        assert_eq!(shown, really);
    }
    assert_eq!(printed.len(), said.len());
}

#[test]
fn the_example_program_agrees_with_the_model_within_its_declarations() {
    let mut example = example();
    let mut packs = PackDirectory::new().unwrap();
    let (mut agree, mut declared, mut skipped) = (0, 0, 0);
    for number in 0..60 {
        let batch = Batch::draw(7, number, Theme::Listed);
        for ask in batch.asks {
            // A few files a question, so that one that is wrong can be told; those that it cannot
            // be asked about are left out.
            let fits = |entry: &&Entry| match &entry.node {
                Node::File { contents, .. } => content_features(&entry.path, &contents.bytes())
                    .iter()
                    .all(|feature| !example.adapter().unsupported.contains_key(feature)),
                _ => true,
            };
            let tree = batch.pack.tree.iter().filter(fits).take(16).cloned().collect();
            let question = Question { tree: Pack { tree }, ask };
            match judge(&mut example, &mut packs, &question).unwrap() {
                judged if judged.verdict == Verdict::Agree => agree += 1,
                judged => match judged.verdict {
                    Verdict::Declared(_) => declared += 1,
                    Verdict::Unsupported(_) => skipped += 1,
                    verdict => {
                        let small = touchstone::hunt::shrink::shrink(&question, 300, |question| {
                            judge(&mut example, &mut packs, question)
                                .is_ok_and(|judged| judged.verdict == verdict)
                        });
                        panic!("{verdict:?}: {}", serde_json::to_string(&small.question).unwrap());
                    }
                },
            }
        }
    }
    assert!(agree > 200, "{agree} agree, {declared} are declared, {skipped} were not asked");
    assert!(skipped < 400, "{agree} agree, {declared} are declared, {skipped} were not asked");
}

/// What a program prints whose engine is not on this machine.
const ABSENT: [&str; 3] =
    ["ModuleNotFoundError", "cannot open shared object file", "No such file or directory"];

fn is_absent(adapter: &Adapter) -> bool {
    let mut command = Command::new(adapter.command.first().expect("a command"));
    let output = command.args(&adapter.identify.args).env_clear().output().expect("it is there");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ABSENT.iter().any(|sign| said.contains(sign))
}

#[test]
fn every_library_of_the_examples_that_is_here_passes_its_smoke_test() {
    let (mut passed, mut left_out) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(docs().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let adapter = read(&path).unwrap_or_else(|error| panic!("{error}"));
        if adapter.drive != Drive::Protocol {
            continue;
        }
        assert_eq!(path.file_stem().unwrap(), adapter.name.as_str());
        match checked(path.to_str().unwrap(), &Adapters::default()) {
            Ok((mut searcher, _)) => {
                smoke(searcher.as_mut()).unwrap_or_else(|failure| {
                    panic!("{}: {failure}", adapter.name);
                });
                passed.push(adapter.name);
            }
            Err(Unresolved::Unusable { .. }) if is_absent(&adapter) => left_out.push(adapter.name),
            Err(error) => panic!("{error}"),
        }
    }
    println!("passed: {passed:?}; left out, for their engines are not here: {left_out:?}");
    assert!(passed.iter().any(|name| name == "python-re"));
    assert_eq!(passed.len() + left_out.len(), 9);
}

#[test]
fn an_example_has_at_most_60_lines() {
    for entry in std::fs::read_dir(docs().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.lines().count() <= 60, "{}", path.display());
        }
    }
}
