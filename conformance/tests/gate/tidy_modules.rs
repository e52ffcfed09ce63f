//! The modules of each crate: every file is one, and those side by side depend on each other in one
//! direction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex_automata::meta::Regex;

use crate::tidy::{Source, expect_none, sources, workspace};

const CRATES: [&str; 15] = [
    "spec/src",
    "model/src",
    "impl/core/src",
    "impl/sys/src",
    "impl/engine/src",
    "impl/llm/src",
    "impl/cli/src",
    "conformance/src",
    "conformance/acts/src",
    "conformance/cases/src",
    "conformance/hunt/src",
    "conformance/index/src",
    "conformance/lives/src",
    "conformance/lockstep/src",
    "benches/src",
];

/// Circles that are left, by crate. An entry that is no circle any more fails the test.
const CIRCLES: &[(&str, &str)] = &[];

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Which top-level modules of a crate name which others, tests apart.
fn edges(root: &str, sources: &[Source]) -> Edges {
    let path = Regex::new(r"\bcrate::[a-z_]+").unwrap();
    let mut edges = Edges::new();
    for source in sources {
        let Some(below) = source.path.strip_prefix(root).and_then(|path| path.strip_prefix('/'))
        else {
            continue;
        };
        let module = below.split(['/', '.']).next().unwrap();
        if ["lib", "main"].contains(&module) {
            continue;
        }
        if source.path.contains("/tests/") || source.path.ends_with("/tests.rs") {
            continue;
        }
        let code = code(&source.text);
        let named = path.find_iter(&code).map(|found| code[found.range()][7..].to_owned());
        let grouped = code.split("crate::{").skip(1).flat_map(heads);
        edges.entry(module.to_owned()).or_default().extend(named.chain(grouped));
    }
    let modules: BTreeSet<String> = edges.keys().cloned().collect();
    for (module, used) in &mut edges {
        used.retain(|name| name != module && modules.contains(name));
    }
    edges
}

/// The text without comments, single items for tests, and the module of tests that ends a file.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            code.extend([line, " "]);
            continue;
        }
        let item = lines.find(|line| !line.starts_with("#[")).unwrap_or_default();
        if item.starts_with("mod ") && item.ends_with('{') {
            break;
        }
        if !item.ends_with(';') && !item.ends_with('}') {
            lines.find(|line| line.ends_with(';') || *line == "}");
        }
    }
    code
}

/// The first name of each path of a `use` group, whose text begins behind its brace.
fn heads(group: &str) -> Vec<String> {
    let (mut heads, mut head, mut depth) = (Vec::new(), String::new(), 0);
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(std::mem::take(&mut head)),
            character if depth == 0 => head.push(character),
            _ => {}
        }
    }
    heads.push(head);
    heads.iter().map(|head| head.trim().split([':', ' ']).next().unwrap().to_owned()).collect()
}

/// All modules that one leads to.
fn reached(edges: &Edges, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(module) = open.pop() {
        for next in edges.get(&module).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    reached
}

/// The largest sets of modules that all lead to each other, each as its names in order.
fn circles(edges: &Edges) -> BTreeSet<String> {
    let all: BTreeMap<&String, BTreeSet<String>> =
        edges.keys().map(|module| (module, reached(edges, module))).collect();
    let circle = |module: &String| -> Vec<String> {
        let both = |other: &&String| all[module].contains(*other) && all[*other].contains(module);
        edges.keys().filter(both).cloned().collect()
    };
    edges.keys().map(circle).filter(|circle| !circle.is_empty()).map(|one| one.join(" ")).collect()
}

#[test]
fn sibling_modules_depend_in_one_direction() {
    let sources = sources();
    let mut offences = Vec::new();
    for root in CRATES {
        let found = circles(&edges(root, &sources));
        let known: BTreeSet<String> = CIRCLES
            .iter()
            .filter(|(at, _)| *at == root)
            .map(|(_, circle)| (*circle).to_owned())
            .collect();
        offences.extend(found.difference(&known).map(|new| format!("{root}: {new}")));
        offences
            .extend(known.difference(&found).map(|gone| format!("{root}: not any more: {gone}")));
    }
    expect_none(&offences, "circles between modules of a crate");
}

#[test]
fn dependency_circles_are_found() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        source("x/src/a.rs", "use crate::{\n    b::{One, c},\n    d,\n};\n"),
        source("x/src/b/inner.rs", "fn f() { crate::a::g() }\n"),
        source("x/src/d.rs", "// crate::a\nuse crate::missing;\n#[cfg(test)]\nuse crate::a;\n"),
    ];
    assert_eq!(circles(&edges("x/src", &sources)), BTreeSet::from(["a b".to_owned()]));
}

/// The files that a module's file declares, where they may lie.
fn declared(source: &Source) -> Vec<PathBuf> {
    let path = Path::new(&source.path);
    let (directory, stem) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
    // The root of a crate, or of an executable beside it, declares its neighbours.
    let is_root = ["lib", "main", "mod"].contains(&stem)
        || !directory.components().any(|part| part.as_os_str() == "src")
        || directory.ends_with("src/bin");
    let below = if is_root { directory.to_owned() } else { directory.join(stem) };
    let mut files = Vec::new();
    let mut attribute = None;
    for line in source.text.lines().map(str::trim) {
        let quoted = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]"));
        if quoted.is_some() {
            attribute = quoted;
            continue;
        }
        let words: Vec<&str> = line.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        let module = words.iter().position(|word| *word == "mod").filter(|_| line.ends_with(';'));
        if let Some(name) = module.and_then(|at| words.get(at + 1)) {
            match attribute.take() {
                Some(path) => files.push(directory.join(path)),
                None => {
                    // A module in braces has its files one directory deeper; one name is enough.
                    for parent in [below.clone(), directory.to_owned()] {
                        files.push(parent.join(format!("{name}.rs")));
                        files.push(parent.join(name).join("mod.rs"));
                    }
                }
            }
        }
    }
    files
}

#[test]
fn every_file_is_part_of_a_crate() {
    let sources = sources();
    let root = workspace();
    let declared: BTreeSet<PathBuf> = sources
        .iter()
        .flat_map(declared)
        .filter_map(|path| root.join(path).canonicalize().ok())
        .collect();
    let offences: Vec<String> = sources
        .iter()
        .filter(|source| source.path.contains("/src/"))
        .filter(|source| {
            let name = source.path.rsplit('/').next().unwrap();
            !["lib.rs", "main.rs"].contains(&name) && !source.path.contains("/src/bin/")
        })
        .filter(|source| !declared.contains(&root.join(&source.path).canonicalize().unwrap()))
        .map(|source| source.path.clone())
        .collect();
    expect_none(&offences, "files that no module declares");
}
