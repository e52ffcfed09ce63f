//! The gate finds every simulated production bug, and makes it small enough to be read.
//!
//! `sabotage.rs` shows that each bug does what it says; here random cases have to come across it,
//! within the number of cases that a run of the gate draws, and the shrunk case must still tell the
//! bugged service from the sound one.

use touchstone::case::Node;
use touchstone::gate::findings::{FindingOptions, collect, judge_alone};
use touchstone::gate::{DEFAULT_SEED, Failure, Judge, ModelJudge};
use touchstone::generate::{Generator, Mix};
use touchstone::report::Problem;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, SubjectSpec, Verdict};
use touchstone::subjects::sabotage::Sabotage;

/// Cases within which a bug must be found.
const CASES: u64 = 3_000;

/// Files that a shrunk case may have.
const FILES: usize = 3;

fn finds(bug: Sabotage) {
    let worker = env!("CARGO_BIN_EXE_touchstone").into();
    let runner =
        Runner::new(RunnerOptions { worker: Some(worker), ..RunnerOptions::default() }).unwrap();
    let sound = SubjectSpec::forge(Backend::Native);
    let bugged = ModelJudge { runner: &runner, subject: sound.clone().with_sabotage(bug) };
    let sound = ModelJudge { runner: &runner, subject: sound };

    let generator = Generator::of(Mix::Of(bug.family()), DEFAULT_SEED);
    // A case on which the sound service errs as well shows nothing about the bug.
    let caught = (0..CASES).find_map(|number| {
        let case = generator.case(number);
        let verdict = judge_alone(&bugged, &case);
        let wrong = matches!(verdict, Verdict::Diverge(_)) && judge_alone(&sound, &case).is_fine();
        wrong.then_some(Failure { number, judge: 0, case, verdict })
    });
    let Some(failure) = caught else {
        panic!("`{}` was not found within {CASES} cases", bug.name())
    };

    let judges: [&dyn Judge; 1] = [&bugged];
    let settling = FindingOptions { store: None, findings: 1, budget: 1_500 };
    let finding =
        collect("detection", &[failure], &judges, &settling, &|_| None).unwrap().remove(0);
    let yaml = finding.case.to_yaml();
    assert!(matches!(finding.what, Problem::Differs(_)), "{:?}\n{yaml}", finding.what);
    let files =
        finding.case.tree.iter().filter(|entry| matches!(entry.node, Node::File { .. })).count();
    assert!(files <= FILES, "{files} files\n{yaml}");
    assert_eq!(
        judge_alone(&sound, &finding.case),
        Verdict::Agree,
        "the sound service errs on\n{yaml}"
    );
}

macro_rules! every_bug {
    ($($name:ident: $bug:ident,)+) => {
        $(
            #[test]
            fn $name() {
                finds(Sabotage::$bug);
            }
        )+

        #[test]
        fn every_sabotage_has_a_test_here() {
            let tested = [$(Sabotage::$bug),+];
            let forgotten: Vec<&str> =
                Sabotage::ALL.iter().filter(|bug| !tested.contains(bug)).map(|bug| bug.name()).collect();
            assert!(forgotten.is_empty(), "{forgotten:?}");
        }
    };
}

every_bug! {
    sorting_by_path_component_is_found: ComponentSort,
    one_event_too_many_is_found: TruncationOffByOne,
    truncation_assumed_without_a_look_is_found: NoPeek,
    folding_beyond_ascii_is_found: UnicodeFolding,
    forgotten_rules_above_the_search_root_are_found: ForgetParentIgnore,
    context_not_counted_towards_the_limit_is_found: ContextNotCounted,
    columns_in_characters_are_found: ColumnInCharacters,
    followed_links_out_of_the_sandbox_are_found: FollowSymlinkOut,
    a_lost_last_line_is_found: DropLastLineWithoutNewline,
    a_kept_carriage_return_is_found: KeepCr,
    one_file_too_many_is_found: MaxFilesOffByOne,
    a_lost_last_match_is_found: FilesLastMatchLost,
    one_match_per_line_in_search_files_is_found: FilesLinesCounted,
    search_files_columns_in_characters_are_found: FilesColumnInCharacters,
    a_missing_binary_file_error_is_found: FilesBinaryForgotten,
    an_answer_one_byte_too_long_is_found: FilesOneByteMore,
    scores_by_the_query_length_alone_are_found: FilesScoreOff,
    a_lost_last_result_is_found: AgentLastResultLost,
    a_total_of_the_shown_results_only_is_found: AgentTotalOfPage,
    too_low_scores_are_found: AgentScoreOff,
    a_forgotten_file_type_filter_is_found: AgentTypeForgotten,
    a_missing_context_line_is_found: AgentContextShort,
    unreported_cut_lines_are_found: AgentCutUnsaid,
    a_page_that_begins_too_late_is_found: AgentPageTooFar,
    a_path_search_that_always_recurses_is_found: AgentAlwaysRecursive,
    an_unreported_budget_cut_is_found: AgentBudgetUnsaid,
    results_in_the_wrong_order_are_found: AgentOrderSwapped,
    a_page_reported_as_complete_is_found: AgentCompleteSaid,
    a_sent_secret_is_found: KeywordSecretSent,
    too_low_keyword_scores_are_found: KeywordScoreOff,
    kept_too_broad_terms_are_found: KeywordTermKept,
    an_ignored_repository_root_is_found: KeywordRootForgotten,
    unreported_dropped_files_are_found: KeywordDropUnsaid,
    a_lost_order_of_the_model_is_found: KeywordOrderLost,
}
