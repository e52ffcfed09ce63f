//! The first draft of an adapter, from what a program says of itself.
//!
//! Responsible for: asking a program for its `--help` and its release ([`ask_itself`]), the options
//! found in it (`Options`), and the file with every key explained ([`draft`]).
//! Not here: whether the draft is right ([`super::smoke`]); what the keys do
//! ([`touchstone_spec::adapter`]).
//! Invariants: a draft is an adapter without defects; an option that the help does not name is
//! unsupported, with that as its reason.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use touchstone_cases::place::on_path;
use touchstone_spec::adapter::Feature;

use super::command::{Limits, release_in, run};
use super::verdict::NoAnswer;

/// What finds a release in what a program says.
const RELEASE: &str = r"(\d+\.\d+(?:\.\d+)*)";

/// The options of a search, each by the words that ask for it, the best known first. A word with a
/// value is followed by `=` and the value.
const KNOWN: [(Feature, &[&str]); 10] = [
    (Feature::Fixed, &["--fixed-strings", "-F"]),
    (Feature::Insensitive, &["--ignore-case", "-i"]),
    (Feature::Smart, &["--smart-case"]),
    (Feature::Word, &["--word-regexp", "-w"]),
    (Feature::Line, &["--line-regexp", "-x"]),
    (Feature::Invert, &["--invert-match", "-v"]),
    (Feature::Crlf, &["--crlf"]),
    (Feature::Mmap, &["--mmap"]),
    (Feature::NoMmap, &["--no-mmap"]),
    (Feature::Several, &["-e"]),
];

/// Those that have a number.
const COUNTED: [(Feature, &[&str]); 3] = [
    (Feature::MaxCount, &["--max-count", "-m"]),
    (Feature::Before, &["--before-context", "-B"]),
    (Feature::After, &["--after-context", "-A"]),
];

/// What a program says of itself.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its `--help`.
    pub help: String,
    /// The arguments by which it names its release, if it does, and the release.
    pub release: Option<(Vec<String>, String)>,
}

/// Asks a program for its help and its release.
///
/// # Errors
/// It is not on PATH, or cannot be run.
pub fn ask_itself(command: &[String]) -> Result<Said, String> {
    let (name, words) = command.split_first().ok_or("no program is named")?;
    let program = if name.contains('/') { Some(PathBuf::from(name)) } else { on_path(&[name]) };
    let program = program.filter(|path| path.is_file());
    let program = program.ok_or_else(|| format!("there is no program `{name}`"))?;
    let say = |argument: &str| -> Result<String, NoAnswer> {
        let mut command = Command::new(&program);
        command.args(words).arg(argument).env_clear().env("PATH", super::command::PATH);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = run(&mut command, Limits::default())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &output.stderr)
    };
    let help = say("--help").map_err(|error| format!("`{name} --help`: {error}"))?;
    let release = ["--version", "--help"].into_iter().find_map(|argument| {
        let release = release_in(RELEASE, &say(argument).ok()?)?;
        let words = words.iter().cloned().chain([argument.to_owned()]);
        Some((words.collect(), release))
    });
    Ok(Said { help, release })
}

/// The options that a help names.
#[derive(Debug, Clone, Default)]
struct Options(BTreeSet<String>);

impl Options {
    fn of(help: &str) -> Self {
        let mut options = BTreeSet::new();
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        for (at, _) in help.match_indices('-') {
            let before = help.get(..at).and_then(|before| before.chars().next_back());
            if before.is_some_and(|letter| is_name(letter) || letter == '_') {
                continue;
            }
            let rest = help.get(at..).unwrap_or_default();
            let word: String = rest.chars().take_while(|letter| is_name(*letter)).collect();
            let letters = word.trim_start_matches('-');
            // `[-abc]` in a line of usage is three options.
            if before == Some('[') && !word.starts_with("--") && letters.len() > 1 {
                options.extend(letters.chars().map(|letter| format!("-{letter}")));
            } else if !letters.is_empty() {
                options.insert(word);
            }
        }
        Self(options)
    }

    fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }

    /// The first of these that there is.
    fn first<'a>(&self, options: &[&'a str]) -> Option<&'a str> {
        options.iter().copied().find(|option| self.has(option))
    }
}

/// The words of a list, in YAML.
fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| {
            let plain = word.chars().all(|letter| {
                letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '=')
            });
            if plain { (*word).to_owned() } else { format!("'{}'", word.replace('\'', "''")) }
        })
        .collect();
    format!("[{}]", quoted.join(", "))
}

/// The draft of an adapter: every key with a word on what it means, and what the help names filled
/// in.
pub fn draft(name: &str, command: &[String], said: &Said) -> String {
    let options = Options::of(&said.help);
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let (identify, is_found) = match &said.release {
        Some((arguments, release)) => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            (list(&arguments), format!("it says {release}"))
        }
        None => (list(&["--version"]), "NOT FOUND: neither --version nor --help names it".into()),
    };
    let extended = options.first(&["--extended-regexp", "-E"]);
    let mut out = format!(
        "# A draft from `{} --help`. `touchstone adapter check` says what does not fit yet.\n\
         name: {name}\n\
         says: {name}, in a sentence\n\
         # The program and words that always follow it; `./mine` written beside this file.\n\
         command: {}\n\
         # Words before the program, where something has to be done first: sh with a script.\n\
         # wrapper: [sh, -c, 'prepare; \"$@\"', sh]\n\
         # What makes it name its release, and an expression with one group for it: {is_found}.\n\
         identify: {{args: {identify}, pattern: '{RELEASE}'}}\n\
         # Where other releases come from; spec/backends has examples.\n\
         # releases: [{{from: debian, package: {name}, bin: usr/bin/{name}, versions: {{}}}}]\n",
        words.join(" "),
        list(&words),
    );
    out.push_str(&asking(&options, extended));
    out.push_str(&showing(&options));
    let syntax = if extended.is_some() {
        "ere"
    } else if said.help.contains("PCRE") || said.help.contains("Perl") {
        "perl"
    } else {
        "rust"
    };
    let _ = write!(
        out,
        "# What exit statuses mean. `harmless`: an expression for complaints that are no failure;\n\
         # `remarks`: one for lines beside them that are never a reason to fail;\n\
         # `refused`: one for those that say that it does not have what it was asked.\n\
         statuses: {{matched: 0, none: 1, failed: 2}}\n\
         # What patterns are written in: rust, perl, ere (POSIX extended), reflex, literal.\n\
         syntax: {syntax}\n"
    );
    out.push_str(&unsupported(&options));
    out.push_str(
        "# The first release that has an option, where older ones have not.\n\
         # since: {max_count: '2.38'}\n\
         # Options that only come with others: a walk that ignores nothing.\n\
         # needs: {walk: [hidden, no_ignore]}\n\
         # Where it means something else on purpose, as its manual says; what is not listed is as\n\
         # docs/hunt.md has it. fold: ascii|unicode, word and classes: unicode|ascii,\n\
         # cr: dropped|kept|end, bom: decoded|stripped|kept, spans: first|longest,\n\
         # empty: shown|hidden|everywhere, after_max: stops|window|context|none.\n\
         # `adapter check` says what its answers look like.\n\
         # dialect: {cr: kept, bom: kept}\n\
         # Differences without an exact rule, each with what the manual says; docs/adapters.md\n\
         # lists them.\n\
         # declared: {patterns_on_invalid_utf8: 'its manual leaves it open'}\n\
         # In what its answers can be read exactly; `order` besides, if it can sort.\n",
    );
    let spans = if spans_are_told(&options) { "spans, " } else { "" };
    let context =
        if options.first(&["--after-context", "-A"]).is_some() { "context, " } else { "" };
    let _ = writeln!(out, "precise: [files, lines, text, {spans}{context}count, status]");
    out
}

fn asking(options: &Options, extended: Option<&str>) -> String {
    let always = [
        options.has("--color").then_some("--color=never"),
        options.has("--no-config").then_some("--no-config"),
        options.has("--no-heading").then_some("--no-heading"),
        options.first(&["--text", "-a"]),
    ];
    let always: Vec<&str> = always.into_iter().flatten().collect();
    let pattern = if options.has("-e") { list(&["-e", "{pattern}"]) } else { list(&["{pattern}"]) };
    let mut out = format!(
        "# The words of a search, in the order always, show, options, pattern, files; no\n\
         # shell reads them.\n\
         ask:\n  \
           # Always given: no colours, no configuration, files with NUL read as text.\n  \
           always: {}\n  \
           # The environment, which is empty but for PATH.\n  \
           env: {{LC_ALL: C.UTF-8}}\n  \
           # Once for each pattern.\n  \
           pattern: {pattern}\n  \
           # Files that are named one by one.\n  \
           files: [--, '{{files}}']\n  \
           # In place of `files`, where it finds the files itself.\n  \
           # walk: [-r, --, .]\n  \
           # The words for each option; `{{n}}` is a number. `regex` is there unless `fixed`.\n  \
           options:\n",
        list(&always),
    );
    if let Some(extended) = extended {
        let _ = writeln!(out, "    regex: {}", list(&[extended]));
    }
    for (feature, spelled) in KNOWN {
        if let Some(option) = options.first(spelled) {
            let words = if feature == Feature::Several { Vec::new() } else { vec![option] };
            let _ = writeln!(out, "    {}: {}", feature.name(), list(&words));
        }
    }
    for (feature, spelled) in COUNTED {
        if let Some(option) = options.first(spelled) {
            let words = if option.starts_with("--") {
                list(&[&format!("{option}={{n}}")])
            } else {
                list(&[option, "{n}"])
            };
            let _ = writeln!(out, "    {}: {words}", feature.name());
        }
    }
    out
}

/// The option that puts a NUL behind the path, if there is one that is called so.
fn null(options: &Options) -> Option<&'static str> {
    options.first(&["--null"])
}

fn spans_are_told(options: &Options) -> bool {
    options.has("-o") && options.has("-b")
}

fn showing(options: &Options) -> String {
    let null = null(options);
    // In YAML only double quotes know `\0`.
    let behind = if null.is_some() { "\\0" } else { ":" };
    let line = |words: &[&str]| {
        let words: Vec<&str> = words.iter().copied().chain(null).collect();
        list(&words)
    };
    let context = if null.is_some() { "{path}\\0{line}-{text}" } else { "{path}-{line}-{text}" };
    let end = if null.is_some() { "\\0" } else { "\\n" };
    let mut out = format!(
        "# How each kind of answer is asked for and read: `record` is a record, `context`\n\
         # the same for a line of context, `skip` records without meaning, `end` what ends one (a\n\
         # line feed), `open_end` whether the last may lack it, `json` pointers into JSON lines.\n\
         # Fields: path line text count offset column end. A NUL behind the path is best.\n\
         show:\n  \
           lines: {{args: {}, record: \"{{path}}{behind}{{line}}:{{text}}\", \
           context: \"{context}\", skip: [--]}}\n",
        line(&["-n", "-H"])
    );
    if spans_are_told(options) {
        let _ = writeln!(
            out,
            "  # Each match by itself: {{offset}} in the file from 0, or {{column}} from 1.\n  \
             spans: {{args: {}, record: \"{{path}}{behind}{{line}}:{{offset}}:{{text}}\"}}",
            line(&["-n", "-H", "-o", "-b"])
        );
    }
    if options.has("-c") {
        let _ = writeln!(
            out,
            "  count: {{args: {}, record: \"{{path}}{behind}{{count}}\"}}",
            line(&["-c", "-H"])
        );
    }
    for (show, option) in [("files", "-l"), ("files_without", "-L")] {
        if options.has(option) {
            let _ = writeln!(
                out,
                "  {show}: {{args: {}, record: '{{path}}', end: \"{end}\"}}",
                line(&[option])
            );
        }
    }
    out
}

fn unsupported(options: &Options) -> String {
    let mut out = "# What it cannot be asked, each with a reason; an option is here or in \
                   `ask.options`. `utf16`,\n# `nul` and other contents keep files from it.\n\
                   unsupported:\n"
        .to_owned();
    let asked = |feature: Feature| {
        let spelled = KNOWN.iter().chain(&COUNTED).find(|(one, _)| *one == feature);
        spelled.is_some_and(|(_, spelled)| options.first(spelled).is_some())
    };
    for feature in Feature::ALL.iter().filter(|feature| feature.is_option() && !asked(**feature)) {
        let is_of_walks = *feature <= Feature::Sort;
        let reason =
            if is_of_walks { "not yet: walks come last" } else { "its help names no such option" };
        let _ = writeln!(out, "  {}: '{reason}'", feature.name());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchstone_spec::Adapter;

    fn said(help: &str) -> Said {
        let release = Some((vec!["--version".to_owned()], "1.2".to_owned()));
        Said { help: help.to_owned(), release }
    }

    #[test]
    fn options_are_read_from_lists_and_from_clusters() {
        let options =
            Options::of("usage: x [-Fiv] [-m N]\n  -w, --word-regexp  a well-known -e.g\n");
        for there in ["-F", "-i", "-v", "-m", "-w", "--word-regexp"] {
            assert!(options.has(there), "{there} in {options:?}");
        }
        for not in ["-Fiv", "-known", "-k"] {
            assert!(!options.has(not), "{not} in {options:?}");
        }
    }

    #[test]
    fn every_scaffold_is_an_adapter_without_defects() {
        let grep = "-E, --extended-regexp -F, --fixed-strings -e, -i -v -m, --max-count=NUM -A -B \
                    -c -l -L -o -b --null --color --text";
        for help in ["", "[-Fivwx] [-m N] -c -l", grep] {
            let text = draft("mine", &["mine".to_owned(), "grep".to_owned()], &said(help));
            let adapter = Adapter::parse("mine.yaml", &text).unwrap_or_else(|error| {
                panic!("{error}\n{text}");
            });
            assert_eq!(adapter.defects(), [""; 0], "{text}");
            assert!(text.lines().all(|line| line.len() <= 120), "{text}");
        }
    }

    #[test]
    fn every_key_of_a_scaffold_is_explained() {
        let text = draft("mine", &["mine".to_owned()], &said("-e -o -b -c -l -L"));
        for key in [
            "name",
            "says",
            "command",
            "wrapper",
            "identify",
            "releases",
            "ask",
            "always",
            "env",
            "pattern",
            "files",
            "walk",
            "options",
            "show",
            "record",
            "context",
            "skip",
            "end",
            "open_end",
            "json",
            "statuses",
            "harmless",
            "remarks",
            "refused",
            "syntax",
            "unsupported",
            "since",
            "needs",
            "dialect",
            "declared",
            "precise",
        ] {
            assert!(text.contains(key), "{key}");
        }
    }
}
