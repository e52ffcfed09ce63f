//! Checks of adapters, alone and together, and of the groups of the hunt.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapter::{Adapter, Drive, Feature, Show, Statuses};
use crate::checks;
use crate::files;
use crate::place::Finding;
use crate::specification::Spec;

/// The fields of records.
const FIELDS: [&str; 7] = ["path", "line", "offset", "column", "end", "count", "text"];

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for adapter in &spec.adapters {
        let mut wrong = |message: String| findings.push(Finding::of(&adapter.file, message));
        for defect in adapter.defects() {
            wrong(defect);
        }
        if adapter.file != format!("backends/{}.yaml", adapter.name) {
            wrong(format!("`{}` belongs into `backends/{}.yaml`", adapter.name, adapter.name));
        }
        if let Some(first) = names.insert(&adapter.name, &adapter.file) {
            wrong(format!("`{}` is the name of `{first}` too", adapter.name));
        }
    }
    groups(spec, findings);
}

/// Every feature has one group, and cites existing clauses.
fn groups(spec: &Spec, findings: &mut Vec<Finding>) {
    let mut wrong = |message: String| findings.push(Finding::of(files::HUNT, message));
    let known = checks::clauses(spec);
    let mut seen = BTreeSet::new();
    for group in &spec.hunt.groups {
        let name = group.feature.name();
        if !seen.insert(group.feature) {
            wrong(format!("`{name}` is a group twice"));
        }
        for clause in group.clauses.iter().filter(|clause| !known.contains(clause.as_str())) {
            wrong(format!("`{clause}` of `{name}` is neither a requirement nor an erratum"));
        }
    }
    for missing in Feature::ALL.iter().filter(|feature| !seen.contains(feature)) {
        wrong(format!("`{}` is no group", missing.name()));
    }
    let last: Vec<Feature> =
        spec.hunt.groups.iter().rev().take(2).map(|group| group.feature).collect();
    if last != [Feature::Regex, Feature::Fixed] {
        wrong("`fixed` and `regex` come last, so that every case has a group".to_owned());
    }
}

impl Adapter {
    /// The defects of an adapter, in sentences; empty if it can be used.
    pub fn defects(&self) -> Vec<String> {
        let mut defects = Vec::new();
        let named = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
        if self.name.is_empty() || !self.name.chars().all(named) {
            defects.push(format!(
                "the name `{}` is not of lower-case letters, digits and hyphens",
                self.name
            ));
        }
        match regex_syntax::parse(&self.identify.pattern) {
            Ok(pattern) if pattern.properties().explicit_captures_len() == 1 => {}
            Ok(_) => defects.push("`identify.pattern` needs one group, the release".to_owned()),
            Err(error) => {
                defects.push(format!("`identify.pattern` is no expression: {error}"));
            }
        }
        let Statuses { harmless, remarks, refused, .. } = &self.statuses;
        for (name, expression) in
            [("harmless", harmless), ("remarks", remarks), ("refused", refused)]
        {
            if let Some(Err(error)) = expression.as_deref().map(regex_syntax::parse) {
                defects.push(format!("`statuses.{name}` is no expression: {error}"));
            }
        }
        self.options(&mut defects);
        self.reasons(&mut defects);
        if self.drive == Drive::Command {
            self.placeholders(&mut defects);
            self.records(&mut defects);
        }
        defects
    }

    /// Every option is either supported or declared unsupported.
    fn options(&self, defects: &mut Vec<String>) {
        for feature in Feature::ALL.iter().filter(|feature| feature.is_option()) {
            let asked = self.ask.options.contains_key(feature)
                || (*feature == Feature::Walk && !self.ask.walk.is_empty());
            match (asked, self.unsupported.contains_key(feature)) {
                (true, true) => {
                    defects.push(format!("`{}` is both asked for and unsupported", feature.name()));
                }
                // A program with the protocol states itself what it lacks.
                (false, false) if self.drive != Drive::Protocol => {
                    defects.push(format!(
                        "`{}` is neither in `ask` nor in `unsupported`",
                        feature.name()
                    ));
                }
                _ => {}
            }
        }
        for (feature, release) in &self.since {
            if *feature != Feature::Walk && !self.ask.options.contains_key(feature) {
                defects.push(format!("`since` names `{}`, which is not asked for", feature.name()));
            }
            if release.split('.').any(|number| number.parse::<u64>().is_err()) {
                defects.push(format!("`{release}` is no release"));
            }
        }
        for (feature, needed) in &self.needs {
            if needed.is_empty() || needed.contains(feature) {
                defects.push(format!("`needs` of `{}` names nothing else", feature.name()));
            }
        }
    }

    fn reasons(&self, defects: &mut Vec<String>) {
        let unsupported = self.unsupported.iter().map(|(feature, reason)| (feature.name(), reason));
        let declared = self.declared.iter().map(|(difference, reason)| (difference.name(), reason));
        for (name, reason) in unsupported.chain(declared) {
            if reason.trim().len() < 5 || reason.ends_with('.') {
                defects
                    .push(format!("the reason for `{name}` is no sentence without its full stop"));
            }
        }
        if self.says.trim().is_empty() {
            defects.push("`says` says nothing".to_owned());
        }
    }

    fn placeholders(&self, defects: &mut Vec<String>) {
        let ask = &self.ask;
        if self.command.is_empty() {
            defects.push("`command` names no program".to_owned());
        }
        if !ask.pattern.iter().any(|word| word.contains("{pattern}")) {
            defects.push("no word of `ask.pattern` holds `{pattern}`".to_owned());
        }
        if ask.files.iter().filter(|word| *word == "{files}").count() != 1 {
            defects.push("`ask.files` needs `{files}` as a word of its own, once".to_owned());
        }
        let numbered = [
            Feature::MaxCount,
            Feature::Before,
            Feature::After,
            Feature::MaxFilesize,
            Feature::MaxDepth,
        ];
        for (feature, words) in &ask.options {
            let placeholder = if *feature == Feature::Globs { "{glob}" } else { "{n}" };
            let wanted = *feature == Feature::Globs || numbered.contains(feature);
            if wanted != words.iter().any(|word| word.contains(placeholder)) {
                let verb = if wanted { "lacks" } else { "has no use for" };
                defects.push(format!("`{}` {verb} `{placeholder}`", feature.name()));
            }
        }
    }

    fn records(&self, defects: &mut Vec<String>) {
        if self.show.is_empty() {
            defects.push("`show` shows nothing".to_owned());
        }
        for (show, shown) in &self.show {
            let name = show.name();
            let fields: &[&str] = match show {
                Show::Lines | Show::Spans => &["path", "line"],
                Show::Count => &["path", "count"],
                Show::Files | Show::FilesWithout => &["path"],
            };
            match (&shown.record, &shown.json) {
                (Some(record), None) => {
                    for field in
                        fields.iter().filter(|field| !record.contains(&format!("{{{field}}}")))
                    {
                        defects.push(format!("the record of `{name}` lacks `{{{field}}}`"));
                    }
                    let templates = [Some(record), shown.context.as_ref()].into_iter().flatten();
                    defects.extend(templates.filter_map(|template| unknown_field(template)));
                    let place = record.contains("{column}") || record.contains("{offset}");
                    if *show == Show::Spans && !place {
                        defects.push(
                            "the record of `spans` lacks `{column}` and `{offset}`".to_owned(),
                        );
                    }
                }
                (None, Some(_)) if matches!(show, Show::Lines | Show::Spans) => {}
                _ => defects.push(format!(
                    "`{name}` needs either `record` or, for lines and spans, `json`"
                )),
            }
            if shown.end.is_empty() {
                defects.push(format!("nothing ends a record of `{name}`"));
            }
        }
    }
}

/// An unknown field of a template.
fn unknown_field(template: &str) -> Option<String> {
    let mut rest = template;
    while let Some((_, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else {
            return Some(format!("a brace of `{}` is not closed", template.escape_debug()));
        };
        if !FIELDS.contains(&name) {
            return Some(format!("`{{{name}}}` is no field of a record"));
        }
        rest = after;
    }
    None
}
