//! A changelog to the entries of its versions, whichever of the usual shapes it has.

use super::version::Version;

/// The changes of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Its points, cleaned, nested ones within those above them.
    pub(crate) points: Vec<String>,
}

/// The releases of a changelog, in its order.
pub(crate) fn releases(text: &str) -> Vec<Release> {
    let mut releases: Vec<Release> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut open = false;
    let mut fenced = false;
    for (at, line) in lines.iter().enumerate() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence {
            continue;
        }
        let underlined = lines.get(at + 1).is_some_and(|next| {
            next.len() >= 3 && (next.chars().all(|c| c == '-') || next.chars().all(|c| c == '='))
        });
        if (line.starts_with('#') || underlined) && !line.trim().is_empty() {
            open = false;
            if let Some(version) = heading(line) {
                releases.push(Release { version, points: Vec::new() });
            }
            continue;
        }
        let Some(release) = releases.last_mut() else { continue };
        let indent = line.len() - line.trim_start().len();
        let rest = line.trim_start();
        let point = ["- ", "* ", "+ "].iter().find_map(|mark| rest.strip_prefix(mark));
        match point {
            Some(first) if indent < 2 || release.points.is_empty() => {
                release.points.push(first.to_owned());
                open = true;
            }
            _ if rest.is_empty() || (rest.starts_with('[') && rest.contains("]: ")) => {}
            Some(more) if open => append(release, more),
            None if open && indent > 0 => append(release, rest),
            None if open
                && at > 0
                && lines.get(at - 1).is_some_and(|above| !above.trim().is_empty()) =>
            {
                append(release, rest);
            }
            _ => open = false,
        }
    }
    for release in &mut releases {
        release.points = release
            .points
            .iter()
            .map(|point| cleaned(point))
            .filter(|point| !point.is_empty())
            .collect();
    }
    releases
}

fn append(release: &mut Release, more: &str) {
    if let Some(last) = release.points.last_mut() {
        last.push(' ');
        last.push_str(more);
    }
}

/// The version that a heading names.
fn heading(line: &str) -> Option<Version> {
    let words = line
        .split(|c: char| c.is_whitespace() || "[]()`*,:#".contains(c))
        .filter(|word| !word.is_empty());
    words.take(4).find_map(Version::parse)
}

/// Words without links, numbers of issues, and names of people.
pub(crate) fn cleaned(point: &str) -> String {
    let mut text = String::new();
    let mut rest = point;
    // `[words](address)` and `[words][name]` become words.
    while let Some(open) = rest.find('[') {
        let (before, behind) = rest.split_at(open);
        text.push_str(before);
        let Some(close) = behind.find(']') else {
            rest = behind;
            break;
        };
        text.push_str(behind.get(1..close).unwrap_or_default());
        rest = behind.get(close + 1..).unwrap_or_default();
        for (from, to) in [('(', ')'), ('[', ']')] {
            if rest.starts_with(from) {
                rest = rest.find(to).and_then(|end| rest.get(end + 1..)).unwrap_or_default();
                break;
            }
        }
    }
    text.push_str(rest);
    let noise = |word: &&str| {
        let bare = word.trim_matches(|c: char| "()[]{},.;:<>".contains(c));
        let number = bare.trim_start_matches("GH").trim_start_matches("gh").trim_start_matches('-');
        bare.starts_with("http")
            || bare.starts_with('@')
            || bare.starts_with('#')
            || (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) && bare.len() > 2)
            || bare.contains('#') && bare.chars().last().is_some_and(|c| c.is_ascii_digit())
    };
    let words: Vec<&str> = text.split_whitespace().filter(|word| !noise(word)).collect();
    let text = words.join(" ");
    text.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace()).replace(" ()", "")
}

#[cfg(test)]
mod tests {
    use super::{cleaned, releases};

    fn read(text: &str) -> Vec<(String, Vec<String>)> {
        releases(text)
            .into_iter()
            .map(|release| (release.version.to_string(), release.points))
            .collect()
    }

    #[test]
    fn every_version_has_its_points_with_any_headings_between() {
        let text = "# Changelog\n\n## [1.2.0] - 2024-01-01\n\n### Added\n\n- one\n  goes on\n  * nested\n- two\n\n1.1.9 / 2023\n============\n* three\n\nSome prose.\n\n[1.2.0]: elsewhere\n";
        assert_eq!(
            read(text),
            [
                ("1.2.0".to_owned(), vec!["one goes on nested".to_owned(), "two".to_owned()]),
                ("1.1.9".to_owned(), vec!["three".to_owned()])
            ]
        );
    }

    #[test]
    fn fenced_code_is_no_changelog_point() {
        assert_eq!(
            read("## v0.1.1\n- one\n```\n- code\n## 9.9.9\n```\n"),
            [("0.1.1".to_owned(), vec!["one".to_owned()])]
        );
    }

    #[test]
    fn links_numbers_and_names_are_removed_from_a_point() {
        assert_eq!(
            cleaned(
                "Fix [`Codec`](https://example.invalid/x) in [#12][12] by @someone (#345, GH-6)"
            ),
            "Fix `Codec` in by"
        );
    }
}
