//! The example of the protocol, as it is shown and as it is used (docs/protocol.md).

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
use touchstone::hunt::subjects::read;
use touchstone::hunt::verdict::Verdict;

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
