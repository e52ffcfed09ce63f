//! Generated configuration files.

use super::{Config, ConfigError, Preset};
use crate::soup;

const WORDS: &[&str] = &[
    "[tools.search]\n",
    "[tools.search_files]\n",
    "[tools.agent]\n",
    "[tools.keyword]\n",
    "[sandbox]\n",
    "[[tools.keyword.models]]\n",
    "\n",
    " = ",
    "deny",
    "enabled",
    "threads",
    "max_files",
    "binary",
    "index_mode",
    "bloom_target_fp_rate",
    "global_ignore_files",
    "model",
    "name",
    "base_url",
    "term_bytes = 1024\n",
    "threads = 2\n",
    "deny = [\"*.key\"]\n",
    "deny = [\"[\"]\n",
    "0",
    "1",
    "-1",
    "9223372036854775807",
    "1e999",
    "nan",
    "true",
    "\"a\"",
    "\"http://[::1]\"",
    "[",
    "]",
    "{",
    "}",
    ".",
    "#",
    "'",
    "\"",
    "\\",
    "1979-05-27",
    "backend = \"native\"\n",
    "protocol = \"ollama\"\n",
    "max_file_size_bytes = 1\n",
    "unheard_of = 1\n",
    "timeout_seconds = 0\n",
    "[tools]\nsearch = 1\n",
];

#[test]
fn a_configuration_file_is_valid_or_refused_with_the_key_at_fault() {
    let input = soup::text(WORDS, 16);
    bolero::check!().with_iterations(2_500).with_generator(input).for_each(|text| {
        for preset in [Preset::Documents, Preset::Agent] {
            match Config::from_toml(text, preset) {
                Ok(config) => {
                    config.validate().unwrap();
                    // Infinities and NaN are outside every range, so values can be compared.
                    assert_eq!(Config::from_toml(text, preset).unwrap(), config);
                }
                Err(ConfigError::Syntax(_)) => {}
                Err(ConfigError::UnknownKey { key, known }) => {
                    assert!(
                        !known.split(", ").any(|known| key.ends_with(&format!(".{known}"))),
                        "{key}"
                    );
                    assert!(text.contains(key.rsplit('.').next().unwrap_or_default()), "{key}");
                }
                Err(ConfigError::Invalid { key, allowed, .. }) => {
                    assert!(!allowed.is_empty());
                    assert!(
                        ["tools", "sandbox"].iter().any(|table| key.starts_with(table)),
                        "{key}"
                    );
                }
                Err(other) => panic!("{other}: reading a text touches no file"),
            }
        }
    });
}

#[test]
fn a_deeply_nested_configuration_file_is_refused() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let depth = 10_000;
        let text = format!("a = {}1{}", open.repeat(depth), close.repeat(depth));
        assert!(matches!(Config::from_toml(&text, Preset::Agent), Err(ConfigError::Syntax(_))));
    }
    let dotted = format!("a{} = 1", ".a".repeat(10_000));
    assert!(Config::from_toml(&dotted, Preset::Agent).is_err());
}
