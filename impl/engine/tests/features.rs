//! What a build has, and what one without features says when it is asked for more. Run with every
//! feature by the ordinary tests, and with none by `.ci/features`.

#![expect(clippy::disallowed_methods, reason = "tests start programs")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use forge_search_engine::{
    Config, ConfigError, Feature, IndexOptions, IndexUse, Preset, Sandbox, Service,
    requests::Builder,
};

/// Most crates of a build without any feature, ours among them.
const MOST_CRATES: usize = 80;

/// What of a configuration needs which feature.
const NEEDS: [(&str, Feature); 6] = [
    ("[tools.search_files]\nbackend = \"rg\"", Feature::Backends),
    ("[tools.search_files]\nbackend = \"ugrep\"", Feature::Backends),
    ("[tools.search]\nbackend = \"auto\"\nallow_native = false", Feature::Backends),
    ("[tools.agent]\ntokenizer = \"o200k_base\"", Feature::Tokens),
    ("[tools.keyword]\nmodel = \"gpt-5-mini\"", Feature::LanguageModel),
    (
        "[[tools.keyword.models]]\nname = \"own\"\nprotocol = \"openai\"\n\
         base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"",
        Feature::LanguageModel,
    ),
];

fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::write(tree.path().join("a.txt"), "one needle\n").unwrap();
    tree
}

fn service(root: &Path, config: Config, using: IndexUse) -> Result<Service, ConfigError> {
    let root = dunce::canonicalize(root).unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root)?;
    Service::with_index(config, sandbox, IndexOptions { using, ..IndexOptions::default() })
}

/// The error is that of the feature, and names it.
fn assert_refused(error: &ConfigError, feature: Feature) {
    assert!(matches!(error, ConfigError::Feature { feature: named, .. } if *named == feature));
    let quoted = format!("the feature `{}`", feature.name());
    assert!(error.to_string().contains(&quoted), "{error}");
}

#[test]
fn a_disabled_feature_is_refused_by_an_error_that_names_it() {
    for (text, feature) in NEEDS {
        match Config::from_toml(text, Preset::Agent) {
            Ok(_) => assert!(feature.is_on(), "{text}"),
            Err(error) if feature.is_on() => panic!("{text}: {error}"),
            Err(error) => assert_refused(&error, feature),
        }
    }
    let tree = tree();
    for using in [IndexUse::Existing, IndexUse::Background, IndexUse::Stepped] {
        match service(tree.path(), Config::preset(Preset::Agent), using) {
            Ok(_) => assert!(Feature::Index.is_on()),
            Err(error) if Feature::Index.is_on() => panic!("{error}"),
            Err(error) => assert_refused(&error, Feature::Index),
        }
    }
}

#[test]
fn every_preset_works_in_every_build() {
    for preset in [Preset::Documents, Preset::Agent] {
        let tree = tree();
        let service = service(tree.path(), Config::preset(preset), IndexUse::None).unwrap();
        if preset == Preset::Agent {
            let request = service.search_request("needle").build().unwrap();
            assert_eq!(service.search(&request).unwrap().content, "a.txt:1:5:one needle\n");
        }
    }
}

#[test]
fn without_features_the_library_has_few_dependencies() {
    let listed = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "forge-search-engine", "--no-default-features"])
        .args(["--edges", "normal", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let crates: BTreeSet<&str> = listed.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(crates.iter().any(|line| line.starts_with("forge-search-core ")));
    assert!(crates.len() <= MOST_CRATES, "{} crates: {crates:#?}", crates.len());
}

/// No client is set here, and without the feature there cannot be one.
mod without_models {
    use std::sync::Arc;

    use forge_search_engine::{
        Arguments, Call, Profile, ToolError, Toolbox,
        config::KeywordConfig,
        requests::{
            Caps, Defaults, Limits, find_files, grep, keyword, search, search_files, search_text,
        },
    };

    use super::*;

    /// A request of `keyword_search` that wants a model.
    struct Asking;

    impl Arguments for Asking {
        fn query(&self) -> Option<&str> {
            None
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn search(&self, _: &Limits) -> Result<search::Request, ToolError> {
            unreachable!()
        }
        fn search_files(&self, _: &Caps, _: bool) -> Result<search_files::Request, ToolError> {
            unreachable!()
        }
        fn search_text(&self, _: &Defaults) -> Result<search_text::Request, ToolError> {
            unreachable!()
        }
        fn grep(&self, _: &Defaults) -> Result<grep::Request, ToolError> {
            unreachable!()
        }
        fn find_files(&self, _: &Defaults) -> Result<find_files::Request, ToolError> {
            unreachable!()
        }
        fn keyword_search(
            &self,
            defaults: &Defaults,
            _: &KeywordConfig,
        ) -> Result<keyword::Request, ToolError> {
            let request = keyword::Request::builder("needle", defaults);
            request.search_terms(["needle"]).use_model(true).build()
        }
    }

    #[test]
    fn without_a_client_the_answer_names_the_feature_that_a_model_takes() {
        let tree = tree();
        let service = service(tree.path(), Config::preset(Preset::Agent), IndexUse::None).unwrap();
        let toolbox = Toolbox::new(Arc::new(service), Profile::Default);
        let answer = toolbox.call(&toolbox.session(), "keyword_search", &Asking, &Call::new());
        assert!(!answer.is_error && answer.text.contains("`language-model`"), "{}", answer.text);
    }
}
