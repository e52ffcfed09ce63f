use std::{
    fs::{self, File, FileTimes},
    path::Path,
    time::{Duration, SystemTime},
};

use proptest::prelude::*;
use tempfile::TempDir;

use super::{MOST_BYTES, Overlay, PLACE, file::OverlayFile};
use crate::config::{AgentConfig, Preset};

fn base() -> AgentConfig {
    AgentConfig::preset(Preset::Agent)
}

/// A working directory whose file has this text, written long enough ago to be believed.
fn tree(text: &str) -> (TempDir, Overlay) {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join(".agent")).unwrap();
    write(directory.path(), text);
    let overlay = Overlay::new(directory.path().to_owned());
    (directory, overlay)
}

fn write(directory: &Path, text: &str) {
    fs::write(directory.join(PLACE), text).unwrap();
}

const ALL: &str = "\
# .agent/config.yml
tools:
  search:
    # Default max results
    default_max_results: 10

    # Rate limits
    rate_limit:
      searches_per_minute: 30

    timeout_seconds: 5
    default_context_lines: 1
";

fn lowered() -> AgentConfig {
    AgentConfig {
        default_max_results: 10,
        searches_per_minute: 30,
        timeout_seconds: 5,
        default_context_lines: 1,
        ..base()
    }
}

/// UT-015b-RL-06, FR-015b-29.
#[test]
fn the_example_of_the_document_sets_the_limits() {
    let (_tree, overlay) = tree(ALL);
    assert_eq!(overlay.current(&base()), (lowered(), None));
}

#[test]
fn without_a_file_or_settings_the_configured_values_apply() {
    let directory = TempDir::new().unwrap();
    let overlay = Overlay::new(directory.path().to_owned());
    assert_eq!(overlay.current(&base()), (base(), None));
    fs::write(directory.path().join(".agent"), "a file").unwrap();
    assert_eq!(overlay.current(&base()), (base(), None));
    for text in [
        "",
        "\n  \n",
        "# nothing\n",
        "---\n",
        "tools:\n",
        "tools:\n  search:\n",
        "null\n",
        "tools: {search: {rate_limit: }}",
    ] {
        let (_tree, overlay) = tree(text);
        assert_eq!(overlay.current(&base()), (base(), None), "{text:?}");
    }
}

#[test]
fn a_changed_file_applies_from_the_next_call_on() {
    let (directory, overlay) = tree(ALL);
    assert_eq!(overlay.current(&base()).0.searches_per_minute, 30);
    // Same length, same inode, and mostly within one tick of the file system's clock.
    for limit in (10..=99).rev() {
        write(directory.path(), &ALL.replace("minute: 30", &format!("minute: {limit}")));
        assert_eq!(overlay.current(&base()).0.searches_per_minute, limit);
    }
    fs::remove_file(directory.path().join(PLACE)).unwrap();
    assert_eq!(overlay.current(&base()), (base(), None));
    write(directory.path(), ALL);
    assert_eq!(overlay.current(&base()), (lowered(), None));
}

#[test]
fn an_unchanged_file_is_not_read_again() {
    let (directory, overlay) = tree(ALL);
    let file = File::options().write(true).open(directory.path().join(PLACE)).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(3_600);
    file.set_times(FileTimes::new().set_modified(long_ago)).unwrap();
    overlay.current(&base());
    let cached = |overlay: &Overlay| overlay.cached.lock().fingerprint;
    // Attributes have been changed just now, so nothing is believed yet.
    assert_eq!(cached(&overlay), None);
    let settled = loop {
        overlay.current(&base());
        if let Some(fingerprint) = cached(&overlay) {
            break fingerprint;
        }
    };
    // Only a reading could tell that this is not what the file holds.
    overlay.cached.lock().content = Ok(OverlayFile::empty());
    assert_eq!(overlay.current(&base()), (base(), None));
    write(directory.path(), ALL);
    assert_eq!(overlay.current(&base()), (lowered(), None));
    assert_ne!(cached(&overlay), Some(settled));
}

#[test]
fn a_value_above_the_configured_one_has_no_effect_and_no_warning() {
    let (_tree, overlay) =
        tree("tools: {search: {rate_limit: {searches_per_minute: 100000}, timeout_seconds: 600}}");
    assert_eq!(overlay.current(&base()), (base(), None));
}

#[test]
fn a_wrong_value_is_reported_with_its_range_and_the_others_apply() {
    for (value, shown) in [
        ("0", "0"),
        ("-3", "-3"),
        ("100001", "100001"),
        ("fast", "\"fast\""),
        ("2.5", "2.5"),
        ("[1]", "[1]"),
        ("true", "true"),
    ] {
        let (_tree, overlay) = tree(&ALL.replace("minute: 30", &format!("minute: {value}")));
        let (config, wrong) = overlay.current(&base());
        assert_eq!(config, AgentConfig { searches_per_minute: 120, ..lowered() });
        let expected = format!(
            "`.agent/config.yml`: `tools.search.rate_limit.searches_per_minute` is `{shown}`; allowed: 1 to 100000; 120 is used. \
             Correct or remove what is wrong; no restart is needed."
        );
        assert_eq!(wrong, Some(expected));
    }
    let (_tree, overlay) = tree("tools: {search: {timeout_seconds: 0, default_context_lines: 21}}");
    let wrong = overlay.current(&base()).1.unwrap();
    assert!(wrong.contains("`tools.search.timeout_seconds` is `0`; allowed: 1 to 600"), "{wrong}");
    assert!(
        wrong.contains("`tools.search.default_context_lines` is `21`; allowed: 0 to 20"),
        "{wrong}"
    );
}

#[test]
fn a_wrong_value_is_shown_shortened_and_without_control_characters() {
    let (_tree, overlay) =
        tree(&format!("tools: {{search: {{timeout_seconds: \"\\e[31m{}\"}}}}", "x".repeat(9_000)));
    let wrong = overlay.current(&base()).1.unwrap();
    assert!(wrong.len() < 400 && wrong.contains('…') && !wrong.contains('\u{1b}'), "{wrong:?}");
}

#[test]
fn an_unusable_file_changes_nothing_and_is_reported_until_it_is_fixed() {
    let unusable = [
        ("tools: [", "not the YAML that is expected"),
        ("tools: 7", "not the YAML that is expected"),
        (
            "tools: {search: {timeout_seconds: 1}}\ntools: {search: {timeout_seconds: 2}}",
            "not the YAML that is expected",
        ),
        (&format!("{ALL}# {}", "x".repeat(64 << 10)), "larger than 65536 bytes"),
    ];
    for (text, why) in unusable {
        let (directory, overlay) = tree(text);
        for _ in 0..2 {
            let (config, wrong) = overlay.current(&base());
            let wrong = wrong.unwrap();
            assert_eq!(config, base());
            assert!(
                wrong.starts_with("`.agent/config.yml` cannot be used: ") && wrong.contains(why),
                "{wrong}"
            );
            assert!(wrong.lines().count() == 1 && wrong.len() < 400, "{wrong:?}");
        }
        write(directory.path(), ALL);
        assert_eq!(overlay.current(&base()), (lowered(), None));
    }
    let (directory, overlay) = tree("");
    fs::write(directory.path().join(PLACE), b"tools: \xff").unwrap();
    assert!(overlay.current(&base()).1.unwrap().contains("not UTF-8"));
}

#[test]
fn a_file_of_exactly_the_largest_size_is_read() {
    let filler = usize::try_from(MOST_BYTES).unwrap() - ALL.len() - 2;
    let (_tree, overlay) = tree(&format!("{ALL}# {}", "x".repeat(filler)));
    assert_eq!(overlay.current(&base()), (lowered(), None));
}

#[test]
fn unknown_keys_are_ignored_with_any_value() {
    let (_tree, overlay) = tree(&format!(
        "model: {{name: x, 1: [2, ~]}}\n2: true\n{ALL}    speed: {{~: !custom 4}}\n  shell: no\n"
    ));
    assert_eq!(overlay.current(&base()), (lowered(), None));
}

#[test]
fn a_file_whose_aliases_would_grow_without_bound_is_refused() {
    let mut text = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..60 {
        let below = level - 1;
        text = format!("{text}a{level}: &a{level} [*a{below}, *a{below}]\n");
    }
    let (_tree, overlay) = tree(&format!("{text}tools: {{search: {{timeout_seconds: *a59}}}}\n"));
    let (config, wrong) = overlay.current(&base());
    assert_eq!(config, base());
    assert!(wrong.unwrap().contains("cannot be used"));
}

#[cfg(unix)]
#[test]
fn symbolic_links_to_the_file_or_its_directory_are_not_followed() {
    use std::os::unix::fs::symlink;
    let (elsewhere, _) = tree(ALL);
    for (target, link) in
        [(elsewhere.path().join(".agent"), ".agent"), (elsewhere.path().join(PLACE), PLACE)]
    {
        let directory = TempDir::new().unwrap();
        if link == PLACE {
            fs::create_dir(directory.path().join(".agent")).unwrap();
        }
        symlink(target, directory.path().join(link)).unwrap();
        let (config, wrong) = Overlay::new(directory.path().to_owned()).current(&base());
        assert_eq!(config, base());
        assert!(wrong.unwrap().contains("behind a symbolic link"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_regular_is_reported_without_blocking() {
    let (directory, overlay) = tree("");
    let place = directory.path().join(PLACE);
    fs::remove_file(&place).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &place, 0o600.into()).unwrap();
    assert!(overlay.current(&base()).1.unwrap().contains("not a regular file"));
    fs::remove_file(&place).unwrap();
    fs::create_dir(&place).unwrap();
    assert!(overlay.current(&base()).1.is_some());
}

proptest! {
    #[test]
    fn no_content_of_the_file_raises_a_value(
        text in prop_oneof![any::<String>(), "(tools|search|rate_limit|timeout_seconds|: |\n|  |[0-9]{1,6}|\\{|\\}|&a |\\*a|- ){0,30}"],
        values in prop::array::uniform4(0_u64..200_000),
    ) {
        let [results, lines, minute, seconds] = values;
        let cached = format!(
            "tools:\n  search:\n    default_max_results: {results}\n    default_context_lines: {lines}\n    timeout_seconds: {seconds}\n    \
             rate_limit: {{searches_per_minute: {minute}}}\n"
        );
        for text in [&text, &cached] {
            if let Ok(content) = OverlayFile::parse(text) {
                let (config, _) = content.lower(&base());
                for (lowered, own) in config.ranges().iter().zip(base().ranges()) {
                    prop_assert!(lowered.1 <= own.1 && (own.2..=own.3).contains(&lowered.1));
                }
                prop_assert!(config.enabled == base().enabled && config.tokenizer == base().tokenizer);
            }
        }
    }
}
