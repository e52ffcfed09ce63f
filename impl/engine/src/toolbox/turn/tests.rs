use std::sync::Arc;

use forge_search_core::request::Builder;

use super::*;
use crate::{
    config::{Config, Preset},
    sandbox::Sandbox,
    service::Service,
    toolbox::{Profile, Toolbox},
};

#[test]
fn the_files_of_an_answer_by_terms_are_counted_and_those_of_a_prompt_are_not() {
    let tree = tempfile::tempdir().unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::write(tree.path().join(name), "needle\n").unwrap();
    }
    let root = dunce::canonicalize(tree.path()).unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
    let service = Service::new(Config::preset(Preset::Agent), sandbox).unwrap();
    let toolbox = Toolbox::new(Arc::new(service), Profile::Default);
    for (dry_run, results) in [(false, 2), (true, 0)] {
        let request = keyword::Request::builder("needle", &toolbox.defaults());
        let request = request.search_terms(["needle"]).use_model(false).dry_run(dry_run);
        let request = request.build().unwrap();
        let answer = toolbox.keyword_search(&toolbox.session(), &request, &Call::new()).unwrap();
        assert_eq!(answer.results(), results, "{dry_run}");
    }
}
