//! The command line of an ask.
//!
//! Responsible for: which options an ask needs, placeholders, the names of the files, and the
//! reason where a program cannot be asked.
//! Not here: patterns in another syntax ([`super::syntax`]); starting the program
//! ([`crate::command`]).
//! Invariants: an option that is not set leaves no trace on the command line; whatever cannot be
//! asked is refused before anything is started.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use super::syntax;
use crate::features::content_features;
use crate::question::{Ask, Feature, Pack};
use touchstone_cases::case::Node;
use touchstone_spec::Adapter;
use touchstone_spec::adapter::{Asking, Drive, Shown};

/// Longest command line that is built, in bytes; Linux takes 2 MiB with the environment.
const MAX_COMMAND_BYTES: usize = 1 << 20;

/// The arguments after the program, in the order that [`Asking`] promises.
///
/// # Errors
/// Why the program cannot be asked this.
pub fn arguments(
    adapter: &Adapter,
    release: Option<&str>,
    pack: &Pack,
    ask: &Ask,
) -> Result<Vec<OsString>, String> {
    let features = ask.features();
    refuse(adapter, release, &features)?;
    let Some(shown) = adapter.show.get(&ask.show) else {
        return Err(format!("`{}` cannot be asked for", ask.show.name()));
    };
    go_together(shown, ask, &features)?;
    let mut arguments: Vec<OsString> = Vec::new();
    arguments.extend(adapter.ask.always.iter().map(OsString::from));
    arguments.extend(shown.args.iter().map(OsString::from));
    options(&adapter.ask, ask, &features, &mut arguments)?;
    for pattern in &ask.patterns {
        let written = syntax::translate(pattern, ask.fixed, adapter)?;
        arguments.extend(
            adapter
                .ask
                .pattern
                .iter()
                .map(|word| OsString::from(word.replace("{pattern}", &written))),
        );
    }
    if ask.walk.is_some() {
        arguments.extend(walked(adapter, ask)?);
    } else {
        // Without a file most programs read their input or walk.
        let mut files: Vec<&[u8]> = named(adapter, pack).collect();
        if files.is_empty() {
            return Err(no_file(adapter, pack));
        }
        files.extend(pack.inaccessible());
        if pack.inaccessible().next().is_some() && adapter.statuses.harmless.is_none() {
            return Err("the adapter does not say how an inaccessible file is reported".to_owned());
        }
        let files: Vec<OsString> =
            files.into_iter().map(|path| OsString::from_vec(path.to_vec())).collect();
        for word in &adapter.ask.files {
            if word == "{files}" {
                arguments.extend(files.iter().cloned());
            } else {
                arguments.push(word.into());
            }
        }
    }
    let length: usize = arguments.iter().map(|word| word.len() + 1).sum();
    if length > MAX_COMMAND_BYTES {
        return Err(format!(
            "a command line of {length} bytes; at most {MAX_COMMAND_BYTES} are given"
        ));
    }
    if arguments.iter().any(|word| word.as_bytes().contains(&0)) {
        return Err("a NUL cannot stand on a command line".to_owned());
    }
    Ok(arguments)
}

/// The words of a walk: `{roots}` stands for the directories to begin at.
///
/// # Errors
/// If there are such, and no word for them.
fn walked(adapter: &Adapter, ask: &Ask) -> Result<Vec<OsString>, String> {
    const ROOTS: &str = "{roots}";
    let roots = ask.walk.iter().flat_map(|walk| &walk.roots);
    let words = &adapter.ask.walk;
    if roots.clone().next().is_some() && !words.iter().any(|word| word == ROOTS) {
        return Err("roots: the adapter does not say how to name them".to_owned());
    }
    let named: Vec<OsString> = roots.map(OsString::from).collect();
    let at = if named.is_empty() { vec![OsString::from(".")] } else { named };
    let words = words.iter().map(|word| if word == ROOTS { at.clone() } else { vec![word.into()] });
    Ok(words.flatten().collect())
}

/// The files of a listed question that are named to the program: those that hold what it cannot be
/// asked about are left out.
pub fn named<'a>(adapter: &'a Adapter, pack: &'a Pack) -> impl Iterator<Item = &'a [u8]> {
    let refused: BTreeSet<Feature> =
        adapter.unsupported.keys().copied().filter(|feature| feature.is_content()).collect();
    pack.tree.iter().filter_map(move |entry| match &entry.node {
        Node::File { contents, readable: true } if !entry.path.starts_with(b"../") => {
            let fits = refused.is_empty()
                || content_features(&entry.path, &contents.bytes()).is_disjoint(&refused);
            fits.then_some(entry.path.as_slice())
        }
        _ => None,
    })
}

/// Why no file is left to be named.
fn no_file(adapter: &Adapter, pack: &Pack) -> String {
    let refused = pack.files().find_map(|(path, bytes)| {
        let content = content_features(path, &bytes);
        adapter.unsupported.iter().find(|(feature, _)| content.contains(feature))
    });
    refused.map_or_else(
        || "no file is named".to_owned(),
        |(feature, reason)| format!("{}: {reason}", feature.name()),
    )
}

/// Says no where the adapter does.
///
/// # Errors
/// Why.
pub fn refuse(
    adapter: &Adapter,
    release: Option<&str>,
    features: &BTreeSet<Feature>,
) -> Result<(), String> {
    if features.contains(&Feature::Word) && features.contains(&Feature::Line) {
        return Err("whole words and whole lines at once: one of the two has no effect".to_owned());
    }
    for feature in features {
        let name = feature.name();
        if let Some(reason) = adapter.unsupported.get(feature) {
            return Err(format!("{name}: {reason}"));
        }
        let asked = *feature == Feature::Walk || adapter.ask.options.contains_key(feature);
        if feature.is_option() && !asked {
            return Err(format!("the adapter does not say how to ask for `{name}`"));
        }
        for needed in adapter.needs.get(feature).into_iter().flatten() {
            if !features.contains(needed) {
                return Err(format!("{name}: only with {}", needed.name()));
            }
        }
        if let (Some(since), Some(release)) = (adapter.since.get(feature), release)
            && numbers(release) < numbers(since)
        {
            return Err(format!("{name}: since {since} only"));
        }
    }
    if features.contains(&Feature::Walk)
        && adapter.ask.walk.is_empty()
        && adapter.drive == Drive::Command
    {
        return Err("the adapter does not say how to ask for a walk".to_owned());
    }
    Ok(())
}

/// A release as numbers, which are compared one by one.
fn numbers(release: &str) -> Vec<u64> {
    release
        .split(|other: char| !other.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// Options that do not go with what is to be shown.
///
/// # Errors
/// Why.
fn go_together(shown: &Shown, ask: &Ask, features: &BTreeSet<Feature>) -> Result<(), String> {
    match shown.unsupported.iter().find(|(feature, _)| features.contains(feature)) {
        Some((feature, reason)) => {
            Err(format!("{} with {}: {reason}", feature.name(), ask.show.name()))
        }
        None => Ok(()),
    }
}

/// The options, in the order of the list of features.
fn options(
    asking: &Asking,
    ask: &Ask,
    features: &BTreeSet<Feature>,
    arguments: &mut Vec<OsString>,
) -> Result<(), String> {
    let walk = ask.walk.clone().unwrap_or_default();
    for (feature, words) in asking.options.iter().filter(|(feature, _)| features.contains(feature))
    {
        let number = match feature {
            Feature::MaxCount => ask.max_count,
            Feature::Before => Some(ask.before),
            Feature::After => Some(ask.after),
            Feature::MaxFilesize => walk.max_filesize,
            Feature::MaxDepth => walk.max_depth,
            _ => None,
        };
        if *feature == Feature::Globs {
            for glob in &walk.globs {
                arguments
                    .extend(words.iter().map(|word| OsString::from(word.replace("{glob}", glob))));
            }
            continue;
        }
        for word in words {
            match number {
                Some(number) => arguments.push(word.replace("{n}", &number.to_string()).into()),
                None if word.contains("{n}") => {
                    return Err(format!("`{}` has no number for `{word}`", feature.name()));
                }
                None => arguments.push(word.into()),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use touchstone_cases::case::Entry;

    use super::*;
    use crate::question::Walk;
    use crate::subjects::Adapters;

    fn words(name: &str, pack: &Pack, ask: &Ask) -> Result<Vec<String>, String> {
        let adapter = Adapters::shipped().unwrap().get(name).unwrap();
        let words = arguments(&adapter, None, pack, ask)?;
        Ok(words.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn a_walk_names_its_roots_or_the_directory_itself() {
        let walk = |roots: &[&str]| {
            let roots = roots.iter().map(|root| (*root).to_owned()).collect();
            let walk = Walk { hidden: true, no_ignore: true, roots, ..Walk::default() };
            words("grep", &Pack::default(), &Ask { walk: Some(walk), ..Ask::new("a") }).unwrap()
        };
        assert!(walk(&[]).ends_with(&["-r", "--", "."].map(str::to_owned)));
        assert!(walk(&["d", "e/f"]).ends_with(&["-r", "--", "d", "e/f"].map(str::to_owned)));
    }

    #[test]
    fn an_inaccessible_file_is_named_to_programs_whose_report_of_it_is_known() {
        let mut pack = Pack::of(&[("h", "a\n")]);
        let node = Node::Link { target: b"nowhere".to_vec() };
        pack.tree.push(Entry { path: b"gone".to_vec(), node });
        let ask = Ask::new("a");
        assert!(words("grep", &pack, &ask).unwrap().ends_with(&["h", "gone"].map(str::to_owned)));
        assert!(words("git-grep", &pack, &ask).unwrap_err().contains("inaccessible file"));
        pack.tree.push(Entry::file("closed", "a").unreadable());
        let named = ["h", "gone", "closed"].map(str::to_owned);
        assert!(words("grep", &pack, &ask).unwrap().ends_with(&named));
    }
}
