//! Every flag of ripgrep 15 and what it does here: the table of docs/cli.md, the flags that are
//! taken without an effect, and what the error says of those that are not taken.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use self::How::{Differs, Idle, Same, Sub};

/// What a flag of ripgrep does here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// What it does in ripgrep.
    Same,
    /// That, but for what is said.
    Differs(&'static str),
    /// It is taken and changes nothing, for this reason.
    Idle(&'static str),
    /// It is refused; this does the work.
    Sub(&'static str),
}

/// Names as they are typed, parted by spaces, the negation last and in brackets; `=` follows one
/// that takes a value. Then what the flag does.
pub(crate) const FLAGS: [(&str, How); 103] = [
    ("-A --after-context=", Same),
    (
        "--auto-hybrid-regex [--no-auto-hybrid-regex]",
        Idle("a pattern that needs PCRE2 is an error"),
    ),
    ("-B --before-context=", Same),
    ("--binary [--no-binary]", Sub("-a searches binary files as text; use rg for --binary")),
    ("--block-buffered [--no-block-buffered]", Idle("output in a pipe is buffered")),
    ("-b --byte-offset [--no-byte-offset]", Same),
    ("-s --case-sensitive", Same),
    ("--color=", Same),
    ("--colors=", Same),
    ("--column --no-column", Same),
    ("-C --context=", Same),
    ("--context-separator= --no-context-separator", Same),
    ("-c --count", Same),
    ("--count-matches", Same),
    ("--crlf [--no-crlf]", Differs("without it, too, `$` matches before CR and LF")),
    ("--debug", Sub("forge-search doctor shows configuration and setup")),
    ("--dfa-size-limit=", Idle("a pattern that is too large is an error")),
    (
        "-E --encoding= [--no-encoding]",
        Differs("`auto` and `utf-8` only; use rg to read other encodings"),
    ),
    ("--engine=", Differs("`default` and `auto` only; use rg for --engine pcre2")),
    ("--field-context-separator=", Same),
    ("--field-match-separator=", Same),
    ("-f --file=", Differs("at most 4 MiB of patterns, which follow those of -e")),
    ("--files", Differs("files come sorted by path")),
    ("-l --files-with-matches", Same),
    ("--files-without-match", Same),
    ("-F --fixed-strings [--no-fixed-strings]", Same),
    ("-L --follow [--no-follow]", Differs("links are followed inside the roots only")),
    ("--generate=", Sub("forge-search completions SHELL and forge-search man print these")),
    (
        "-g --glob=",
        Differs("a glob brings files back, but not from directories that ignore files leave out"),
    ),
    ("--glob-case-insensitive [--no-glob-case-insensitive]", Same),
    ("--heading --no-heading", Same),
    ("-h --help", Differs("prints the help of this program")),
    ("-. --hidden [--no-hidden]", Same),
    ("--hostname-bin=", Sub("no program is run for a search, and no links are printed")),
    ("--hyperlink-format=", Sub("no links are printed; use rg for --hyperlink-format")),
    ("--iglob=", Same),
    ("-i --ignore-case", Same),
    ("--ignore-file=", Same),
    (
        "--ignore-file-case-insensitive [--no-ignore-file-case-insensitive]",
        Sub("ignore files tell letters apart; use rg for --ignore-file-case-insensitive"),
    ),
    ("--include-zero [--no-include-zero]", Same),
    ("-v --invert-match [--no-invert-match]", Same),
    (
        "--json [--no-json]",
        Differs("files without a match are not in the summary; `--json=response` is ours"),
    ),
    ("--line-buffered [--no-line-buffered]", Differs("output is written file by file")),
    ("-n --line-number", Same),
    ("-N --no-line-number", Same),
    ("-x --line-regexp", Same),
    ("-M --max-columns=", Same),
    ("--max-columns-preview [--no-max-columns-preview]", Same),
    ("-m --max-count=", Same),
    ("-d --max-depth= --maxdepth=", Same),
    ("--max-filesize=", Differs("1 byte to 1 GiB; 32 MiB if it is not given")),
    ("--mmap [--no-mmap]", Idle("files are never mapped into memory")),
    (
        "-U --multiline [--no-multiline]",
        Sub("lines are searched one by one; use rg for matches over several lines"),
    ),
    (
        "--multiline-dotall [--no-multiline-dotall]",
        Sub("lines are searched one by one; use rg for matches over several lines"),
    ),
    ("--no-config", Idle("ripgrep's configuration file is not read")),
    ("--no-ignore [--ignore]", Same),
    ("--no-ignore-dot [--ignore-dot]", Same),
    ("--no-ignore-exclude [--ignore-exclude]", Same),
    ("--no-ignore-files [--ignore-files]", Same),
    ("--no-ignore-global [--ignore-global]", Same),
    ("--no-ignore-messages [--ignore-messages]", Idle("no wrong rule is reported")),
    ("--no-ignore-parent [--ignore-parent]", Same),
    ("--no-ignore-vcs [--ignore-vcs]", Same),
    ("--no-messages [--messages]", Same),
    ("--no-pcre2-unicode [--pcre2-unicode]", Idle("there is no PCRE2")),
    ("--no-require-git", Idle("ignore files count without a repository, too")),
    (
        "--require-git",
        Sub("ignore files count without a repository, too; use rg for --require-git"),
    ),
    ("--no-unicode", Sub("patterns are in Unicode; write (?-u:\\w) for one part, or use rg")),
    ("--unicode", Idle("patterns are in Unicode")),
    ("-0 --null", Same),
    ("--null-data", Sub("lines end at LF; use rg for --null-data")),
    ("--one-file-system [--no-one-file-system]", Sub("-g '!DIR' leaves a mount point out")),
    ("-o --only-matching", Same),
    ("--path-separator=", Same),
    ("--passthru --passthrough", Sub("-C 1000000 shows all lines of each file with a match")),
    (
        "-P --pcre2 [--no-pcre2]",
        Sub("there is no look-around and no back-reference; use rg -P for these"),
    ),
    ("--pcre2-version", Sub("there is no PCRE2")),
    ("--pre= [--no-pre]", Sub("no program is run for a search; use rg --pre")),
    ("--pre-glob=", Sub("no program is run for a search; use rg --pre")),
    ("-p --pretty", Same),
    ("-q --quiet", Same),
    ("--regex-size-limit=", Idle("a pattern that is too large is an error")),
    ("-e --regexp=", Same),
    ("-r --replace=", Same),
    (
        "-z --search-zip [--no-search-zip]",
        Differs("compressed files are counted on standard error, not unpacked; use rg -z"),
    ),
    ("-S --smart-case", Same),
    ("--sort=", Differs("`path` and `none` only; use rg for other orders")),
    ("--sort-files [--no-sort-files]", Same),
    ("--sortr=", Sub("files come sorted by path; use rg for other orders")),
    ("--stats [--no-stats]", Differs("binary files are not counted as searched")),
    ("--stop-on-nonmatch", Sub("-m N ends each file after N lines")),
    ("-a --text [--no-text]", Same),
    ("-j --threads=", Idle("the number of threads never changes an answer")),
    ("--trace", Sub("forge-search doctor shows configuration and setup")),
    ("--trim [--no-trim]", Same),
    ("-t --type=", Differs("brings back no file whose name starts with a dot; --hidden does")),
    ("--type-add=", Same),
    ("--type-clear=", Same),
    ("-T --type-not=", Same),
    ("--type-list", Same),
    ("-u --unrestricted", Differs("once or twice; for the third, -uu -a")),
    ("-V --version", Differs("prints the version of this program")),
    ("--vimgrep", Same),
];

/// What does the work of a flag that is not taken, as it was typed.
pub(crate) fn advice(flag: &str) -> Option<&'static str> {
    FLAGS.iter().find_map(|(names, how)| match how {
        Sub(advice) if names.split(' ').any(|name| name.trim_end_matches('=') == flag) => {
            Some(*advice)
        }
        _ => None,
    })
}

/// The flags that change nothing, and the negations. None of them is in the help.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idles;

impl Args for Idles {
    fn augment_args(command: Command) -> Command {
        FLAGS.iter().fold(command, |command, (names, how)| {
            let (positive, negation) = match names.split_once(" [") {
                Some((positive, negation)) => (positive, Some(negation.trim_end_matches(']'))),
                None => (*names, None),
            };
            let (command, id) = match how {
                Idle(_) => idle(command, positive),
                _ => (command, long(positive).replace('-', "_")),
            };
            match negation.and_then(|negation| negation.strip_prefix("--")) {
                // What is refused has no flag to be turned off.
                Some(name) => command.arg(hidden(name, false).overrides_with(match how {
                    Sub(_) => name.to_owned(),
                    _ => id,
                })),
                None => command,
            }
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds a flag without an effect; its identifier.
fn idle(command: Command, names: &'static str) -> (Command, String) {
    let name = long(names);
    let mut arg = hidden(name, names.ends_with('='));
    let short = names.strip_prefix('-').and_then(|rest| rest.chars().next());
    if let Some(short) = short.filter(|short| *short != '-') {
        arg = arg.short(short);
    }
    (command.arg(arg), name.to_owned())
}

fn hidden(name: &'static str, takes_value: bool) -> Arg {
    let arg = Arg::new(name).long(name).hide(true);
    if takes_value {
        arg.num_args(1).action(ArgAction::Append).value_parser(value_parser!(std::ffi::OsString))
    } else {
        arg.action(ArgAction::SetTrue)
    }
}

/// The long name among the names of a flag, without its hyphens.
fn long(names: &'static str) -> &'static str {
    let name = names.split(' ').find_map(|name| name.strip_prefix("--"));
    name.unwrap_or_default().trim_end_matches('=')
}

impl FromArgMatches for Idles {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), Error> {
        Ok(())
    }
}

/// An error unless the value is one of those that change nothing.
pub(crate) fn one_of(
    values: &'static [&'static str],
    otherwise: &'static str,
) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync {
    move |given| {
        if values.contains(&given.to_ascii_lowercase().as_str()) {
            return Ok(given.to_owned());
        }
        Err(otherwise.to_owned())
    }
}
