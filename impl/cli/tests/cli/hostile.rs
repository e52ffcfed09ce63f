//! Trees and requests that are as much as is allowed, drawn from a seed: each kind of tree, and each
//! field that the schemas of the tools have.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::Path,
    process::Command,
};

use serde_json::{Map, Value, json};

use crate::dice::Dice;

/// Fills the empty directory `root`.
type Maker = fn(&Path, &mut Dice);

/// Kinds of trees. An odd number, so that kinds in turn meet index and no index in turn.
pub(crate) const TREES: [(&str, Maker); 15] = [
    ("equal ignore files of 1 MiB", |root, _| nested(root, 16, |_| "?\n".repeat(1 << 19))),
    ("different ignore files of 1 MiB", |root, _| {
        nested(root, 8, |depth| numbered(90_000, |line| format!("{depth}{line:x}?\n")));
    }),
    ("ignore files of wildcards", |root, _| {
        let stars = "a*".repeat(20);
        nested(root, 4, |_| numbered(5_000, |rule| format!("**/{stars}{rule}*/**\n")));
    }),
    ("ignore files that are none", odd_ignore_files),
    ("long names in one directory", |root, _| {
        many(root, 4_000, |number| format!("{}{number}", "ab".repeat(100)), |_| "needle\n".into());
    }),
    ("one line of 7 MiB", |root, dice| {
        let word =
            *dice.one(&["needle ", "aaaaaaaa", "é ", "\u{301}", "a_b_c.", "key-0123456789 "]);
        fs::write(root.join("line.txt"), word.repeat((7 << 20) / word.len())).unwrap();
    }),
    ("400 levels", |root, _| {
        let mut directory = root.to_owned();
        directory.extend(["d"; 400]);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("needle.txt"), "needle\n").unwrap();
    }),
    ("links", |root, dice| {
        for number in 0..3_000 {
            let to = ["nowhere", ".", "..", "/etc/passwd", "/proc/self/mem"][dice.below(5)];
            symlink(to, root.join(format!("link{number}"))).unwrap();
        }
    }),
    ("millions of matches", |root, _| {
        let text = "needle\n".repeat(1 << 19);
        many(root, 8, |number| format!("many{number}.txt"), |_| text.clone().into());
    }),
    ("bytes", |root, dice| {
        let name = |number| format!("\u{1b}[2J\n{number}\u{202e}");
        many(root, 2_000, name, |_| bytes(dice, 300));
    }),
    ("encodings", encodings),
    ("no regular files", no_regular_files),
    ("settings of the tree", settings),
    ("characters of all kinds", |root, dice| {
        many(root, 6, |number| format!("{number}.txt"), |_| characters(dice, 1 << 20));
    }),
    ("secrets", |root, dice| {
        let words =
            ["password=", "key: ", "Bearer ", "://a:b@", "-----BEGIN PRIVATE KEY-----", "\""];
        let line =
            |dice: &mut Dice| (0..60).map(|_| *dice.one(&words)).collect::<String>() + "needle\n";
        many(
            root,
            40,
            |number| format!("{number}.env"),
            |_| (0..200).map(|_| line(dice)).collect::<String>().into(),
        );
    }),
];

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn many(
    root: &Path,
    count: usize,
    name: impl Fn(usize) -> String,
    mut content: impl FnMut(usize) -> Vec<u8>,
) {
    for number in 0..count {
        fs::write(root.join(name(number)), content(number)).unwrap();
    }
}

fn nested(root: &Path, depth: usize, rules: impl Fn(usize) -> String) {
    let mut directory = root.to_owned();
    for level in 0..depth {
        directory = directory.join("directory");
        fs::create_dir(&directory).unwrap();
        let mut text = rules(level);
        text.truncate(1 << 20);
        fs::write(directory.join(".gitignore"), text).unwrap();
        fs::write(directory.join("needle.txt"), "needle\n").unwrap();
    }
}

fn bytes(dice: &mut Dice, most: usize) -> Vec<u8> {
    (0..dice.below(most)).map(|_| u8::try_from(dice.below(256)).unwrap()).collect()
}

/// Scalars of all planes, of which an index has as many n-grams as can be.
fn characters(dice: &mut Dice, count: usize) -> Vec<u8> {
    let scalar =
        |dice: &mut Dice| u32::try_from(dice.below(0x3_0000)).ok().and_then(char::from_u32);
    (0..count).filter_map(|_| scalar(dice)).collect::<String>().into()
}

/// A directory, a pipe, a link or a flood in the place of an ignore file.
fn odd_ignore_files(root: &Path, dice: &mut Dice) {
    for name in [".gitignore", ".ignore", ".rgignore", ".git/info/exclude", ".git/config"] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match dice.below(5) {
            0 => fs::create_dir(&path).unwrap(),
            1 => pipe(&path),
            2 => symlink("/dev/zero", &path).unwrap(),
            3 => fs::write(&path, "!".repeat(1 << 20)).unwrap(),
            _ => fs::write(&path, format!("{}\n", "[".repeat(1 << 19))).unwrap(),
        }
    }
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Texts in UTF-16, with a mark or half a pair at the end, and in none.
fn encodings(root: &Path, dice: &mut Dice) {
    let text = "needle é \u{1f50e}\r\n".repeat(100_000);
    let units: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for (name, mark, body) in [
        ("little", &b"\xff\xfe"[..], &little[..]),
        ("big", b"\xfe\xff", &big),
        ("odd", b"\xff\xfe", &little[..little.len() - 1]),
        ("half", b"\xfe\xff\xd8\x3d", b""),
        ("marked", b"\xef\xbb\xbf", text.as_bytes()),
    ] {
        fs::write(root.join(name), [mark, body].concat()).unwrap();
    }
    many(root, 20, |number| format!("none{number}"), |_| bytes(dice, 100_000));
}

/// Pipes, sockets, holes, files without permission and hard links.
fn no_regular_files(root: &Path, _: &mut Dice) {
    pipe(&root.join("pipe"));
    drop(UnixListener::bind(root.join("socket")));
    for (name, length) in [("hole", 4 << 30), ("larger", (100 << 20) + 1)] {
        fs::File::create(root.join(name)).unwrap().set_len(length).unwrap();
    }
    fs::write(root.join("one"), "needle\n").unwrap();
    for number in 0..1_000 {
        fs::hard_link(root.join("one"), root.join(format!("link{number}"))).unwrap();
    }
    fs::write(root.join("closed"), "needle\n").unwrap();
    fs::set_permissions(root.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
}

/// The tree's own settings, as text without end.
fn settings(root: &Path, dice: &mut Dice) {
    let aliases = numbered(30, |n| {
        format!("a{}: &a{0} [{}]\n", n + 1, vec![format!("*a{n}"); 20].join(", "))
    });
    let text = match dice.below(4) {
        0 => format!("a0: &a0 [x]\n{aliases}"),
        1 => "[".repeat(60_000),
        2 => "tools: {search: {timeout_seconds: 0, default_max_results: 1e999}}".to_owned(),
        _ => "x: y\n".repeat(1 << 18),
    };
    fs::create_dir(root.join(".agent")).unwrap();
    fs::write(root.join(".agent/config.yml"), text).unwrap();
    fs::write(root.join("found.txt"), "needle\n").unwrap();
}

/// A call of one of the tools that a server lists: every argument that is needed, any of the others,
/// each at its limit or beyond it.
pub(crate) fn call(tools: &[Value], dice: &mut Dice, timeout_ms: u64) -> (String, Value) {
    let tool = dice.one(tools);
    let schema = &tool["inputSchema"];
    let needed = schema["required"].as_array().unwrap();
    let mut arguments = Map::new();
    for (field, of) in schema["properties"].as_object().unwrap() {
        if needed.contains(&json!(field)) || dice.below(3) == 0 {
            arguments.insert(field.clone(), value(field, of, dice));
        }
    }
    if schema["properties"]["timeout_ms"].is_object() {
        arguments.insert("timeout_ms".to_owned(), json!(timeout_ms));
    }
    (tool["name"].as_str().unwrap().to_owned(), Value::Object(arguments))
}

fn value(field: &str, schema: &Value, dice: &mut Dice) -> Value {
    if let Some(either) = schema["type"].as_array() {
        let mut one = schema.clone();
        one["type"] = dice.one(either).clone();
        return value(field, &one, dice);
    }
    if let Some(names) = schema["enum"].as_array() {
        return dice.one(names).clone();
    }
    match schema["type"].as_str() {
        Some("boolean") => json!(dice.below(2) == 0),
        Some("integer") => {
            let least = schema["minimum"].as_u64().unwrap_or(0);
            let most = schema["maximum"].as_u64().unwrap_or(100_000);
            json!(match dice.below(8) {
                0 => least,
                1 => most.saturating_add(1),
                2 => least + u64::try_from(dice.below(20)).unwrap(),
                _ => most,
            })
        }
        Some("array") => {
            let most = schema["maxItems"].as_u64().unwrap_or(256);
            let count = 1 + dice.below(usize::try_from(most).unwrap());
            let one = value(field, &schema["items"], dice);
            let differ = field == "search_terms";
            let items = (0..count)
                .map(|_| if differ { value(field, &schema["items"], dice) } else { one.clone() });
            items.collect()
        }
        Some("string") => json!(match field {
            "pattern" => pattern(dice),
            "path" | "directory" => place(dice),
            "query" =>
                if dice.below(2) == 0 {
                    pattern(dice)
                } else {
                    text(dice, 16 << 10)
                },
            "search_terms" => text(dice, 1 << 10),
            "file_type" => (*dice.one(&["txt", "env", "x", "é"])).to_owned(),
            _ => glob(dice),
        }),
        other => panic!("{field} is of the type {other:?}, of which nothing is drawn"),
    }
}

/// Mostly the tree.
fn place(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => "directory".to_owned(),
        1 => "found.txt".to_owned(),
        2 => "../tree".to_owned(),
        3 => "/etc".to_owned(),
        4 => "d/".repeat(2_000),
        5 => "link1".to_owned(),
        6 => "a\u{0}b".to_owned(),
        _ => ".".to_owned(),
    }
}

/// A text or an expression of which much can come.
fn pattern(dice: &mut Dice) -> String {
    match dice.below(17) {
        0 => "a".to_owned(),
        1 => ".".to_owned(),
        2 => "(a|b|c|d)*x{1,50}".to_owned(),
        3 => "(?:a+a+)+y".to_owned(),
        4 => r"\b\w+é\b".to_owned(),
        5 => r"(\w+\s){20}z".to_owned(),
        6 => "[a-z]{1,200}é".to_owned(),
        7 => "a".repeat(16_384),
        8 => format!("{}a{}", "(".repeat(240), ")".repeat(240)),
        9 => (0..1_500).map(|word| format!("w{word}")).collect::<Vec<_>>().join("|"),
        10 => "x*".repeat(2_000),
        11 => "(".repeat(5_000),
        12 => format!("{}{{3,9}}", "(?:a|é)".repeat(100)),
        13 => r"(?i)\p{L}{1,100}\p{Greek}".to_owned(),
        14 => "**/*".to_owned(),
        _ => "needle".to_owned(),
    }
}

fn glob(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => "{a,b}".repeat(10) + &"?".repeat(4_046),
        1 => "**/".repeat(1_300) + "*",
        2 => "*a".repeat(2_000),
        3 => format!("{{{}}}", vec!["*.x"; 1_000].join(",")),
        4 => "[".repeat(10),
        5 => "**/*needle*".to_owned(),
        _ => "*".to_owned(),
    }
}

fn text(dice: &mut Dice, most: usize) -> String {
    let words = [
        "needle ",
        "a",
        "\u{fffd}",
        "é ",
        "(",
        "\u{1b}[2J",
        "word_and_word ",
        "File \"a.py\", line 3, in b\n",
    ];
    let word = *dice.one(&words);
    word.repeat(1 + dice.below(most / word.len()))
}
