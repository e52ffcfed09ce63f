//! Changes that no case can show, each with the reason.
//!
//! Invariants: the list is closed. A change that is noticed after all, or that does not exist,
//! fails the run.

use super::Equivalent;

const ONE_PROBLEM: &str = "no entry has two problems at one place, so that messages never decide";

const APART: &str = "they count different things, at different times";
const ONE_EACH: &str =
    "each match counts as one, so that all behind the first are left out either way";
const ONE_STOP: &str =
    "an answer stops at max_results or at max_files, so that it never has both reasons";
const ONE_END: &str = "an answer ends at one cap, so that it never has both notes";
const NO_FAILURE: &str =
    "the model knows of no backend that fails, so that no answer of its says so";

const NOT_ENTERED: &str = "a directory that is not entered has nothing behind it to be left out";

const BY_ITSELF: &str = "levels are no sum: a directory's are asked of a cap that counted nothing";

const A_SET: &str = "asked for whether it holds a text, and never in order";
const NO_FIELDS: &str = "a request that is no object has no fields";
const NO_ROW: &str = "a call of another name is no call of this tool";
const NO_CHANGE: &str = "no file of the model changes or fails while it is searched";
const NO_CLOCK: &str = "the model has no clock";
const NO_SLASH: &str = "no name holds a slash, so that nothing lies between";
const ONE_MODE: &str = "a query is fuzzy or a regular expression";
const UNORDERED: &str =
    "fields of a JSON object are compared by name; a test of the model holds the text";
const ONE_ROOT: &str =
    "below one search root paths and entries differ by a common beginning, so that both sort alike";
const NO_ANSWER: &str = "the budget is asked of an answer, and without a backend there is none";
const NO_TOOL: &str = "no tool has both";
const FOUND_OR_NOT: &str = "a name that holds the pattern is that of a file that is eligible";
const LEAST: &str = "of the places that a file is in the least weight counts";
const ONE_FAMILY: &str = "an ending, and a name, stand in one family";
const OWN_BLOCK: &str = "what stands behind the name ends in the brace that the block begins with";
const ONE_OUTCOME: &str =
    "an answer of a model that is no list, an empty list and a list are apart";
const NOT_ASKED: &str = "without an eligible file no model is asked";
const UNION: &str = "what any form finds is redacted";
const TWO_LETTERS: &str = "a pair is two letters, and the sign that is added is none";
const HIGHEST: &str = "of the shapes that a line has the highest level counts";
const BY_NAME: &str = "a row is looked up by what it is about, which stands in it once";

/// Equivalent mutants, with reasons.
pub(super) const EQUIVALENT: Equivalent<'static> = &[
    ("search.orders.problems: without 2", ONE_PROBLEM),
    ("search.orders.problems[2].by Path", ONE_PROBLEM),
    ("search.orders.problems[2].by Entry", ONE_PROBLEM),
    ("search.orders.problems[2].by Place", ONE_PROBLEM),
    ("search.orders.problems[2].by Line", ONE_PROBLEM),
    ("search.orders.problems[2].by Column", ONE_PROBLEM),
    ("search.orders.problems[2].by Score", ONE_PROBLEM),
    ("search.orders.problems[2].by Terms", ONE_PROBLEM),
    ("search.orders.problems[2].by Units", ONE_PROBLEM),
    ("search.orders.problems[2].descending true", ONE_PROBLEM),
    ("search.orders.problems[2].form Nfc", ONE_PROBLEM),
    ("search.aliases: # and # exchanged", A_SET),
    ("search.problems: # and # exchanged", BY_NAME),
    ("search.escaped: # and # exchanged", A_SET),
    ("search.fields[#].kind: # and # exchanged", A_SET),
    ("files.fields[#].kind: # and # exchanged", A_SET),
    ("search.fields[18].when_absent Nothing", NO_CLOCK),
    ("search.fields[18].when_absent DefaultMaxResults", NO_CLOCK),
    ("search.fields[18].when_absent MaxMatchesPerFile", NO_CLOCK),
    ("search.fields[18].when_absent MaxFiles", NO_CLOCK),
    ("search.fields[18].when_absent MaxFileSizeBytes", NO_CLOCK),
    ("search.checks: 3 and 4 exchanged", NO_FIELDS),
    ("search.orders.files[2].by Path", ONE_ROOT),
    ("search.problems: without 2", NO_CHANGE),
    ("search.problems[2].problem PermissionDenied", NO_CHANGE),
    ("search.problems[2].problem ReadError", NO_CHANGE),
    ("search.problems[2].text with another end", NO_CHANGE),
    ("search.problems: without 3", NO_CHANGE),
    ("search.problems[3].problem PermissionDenied", NO_CHANGE),
    ("search.problems[3].problem NotFound", NO_CHANGE),
    ("search.problems[3].text with another end", NO_CHANGE),
    ("search.orders.suffixes.directory with another end", NO_SLASH),
    ("files.checks: without 1", NO_ROW),
    ("files.checks[1].class with another end", NO_ROW),
    ("files.checks[1].field with another end", NO_ROW),
    ("files.checks[1].field the offender", NO_ROW),
    ("files.checks: 1 and 2 exchanged", NO_ROW),
    ("files.checks: 2 and 3 exchanged", NO_FIELDS),
    ("files.checks: 10 and 11 exchanged", ONE_MODE),
    ("files.checks: 14 and 15 exchanged", NO_ANSWER),
    ("files.incomplete_because: 7 and 8 exchanged", NO_FAILURE),
    ("files.incomplete_because: without 8", NO_FAILURE),
    ("files.incomplete_because: 8 and 9 exchanged", NO_FAILURE),
    ("files.incomplete_because[8].truncates false", NO_FAILURE),
    ("files.truncated_reasons: 2 and 3 exchanged", ONE_STOP),
    ("files.answer: # and # exchanged", UNORDERED),
    ("files.matches: # and # exchanged", UNORDERED),
    ("files.stats: # and # exchanged", UNORDERED),
    ("files.errors: # and # exchanged", UNORDERED),
    ("agent.definitions.families[#].comments: # and # exchanged", A_SET),
    ("agent.definitions.families[#].endings: # and # exchanged", A_SET),
    ("agent.definitions.families[#].names: # and # exchanged", A_SET),
    ("agent.definitions.families[#].shapes: # and # exchanged", HIGHEST),
    ("agent.definitions.places[#].words: # and # exchanged", A_SET),
    ("agent.definitions.places[#].endings: # and # exchanged", A_SET),
    ("agent.fields[#].tools: # and # exchanged", A_SET),
    ("agent.fields[#].field.kind: # and # exchanged", A_SET),
    ("agent.fields: 1 and 2 exchanged", NO_TOOL),
    ("agent.reasons: 3 and 4 exchanged", NO_TOOL),
    ("agent.notices: 3 and 4 exchanged", NO_TOOL),
    ("agent.notices: 10 and 11 exchanged", FOUND_OR_NOT),
    ("agent.definitions.places: # and # exchanged", LEAST),
    ("agent.definitions.families: # and # exchanged", ONE_FAMILY),
    ("agent.definitions.families[13].shapes[5].body true", OWN_BLOCK),
    ("keyword.everyday: # and # exchanged", A_SET),
    ("keyword.notices: 1 and 2 exchanged", ONE_OUTCOME),
    ("keyword.notices: 2 and 3 exchanged", ONE_OUTCOME),
    ("keyword.notices: 3 and 4 exchanged", NOT_ASKED),
    ("keyword.words: # and # exchanged", BY_NAME),
    ("keyword.harmless: # and # exchanged", BY_NAME),
    ("keyword.secrets: # and # exchanged", UNION),
    ("keyword.secrets[#].unless: # and # exchanged", A_SET),
    ("keyword.usual_pairs[#] with another end", TWO_LETTERS),
    ("search.caps.search: 2 and 3 exchanged", APART),
    ("search.caps.search: 3 and 4 exchanged", APART),
    ("search.caps.search_files: 2 and 3 exchanged", APART),
    ("search.caps.search_files: 3 and 4 exchanged", APART),
    ("search.caps.search_files: 4 and 5 exchanged", APART),
    ("search.caps.search_files[3].then Skip", ONE_EACH),
    ("search.caps.search_files[5].within Answer", BY_ITSELF),
    ("search.caps.search_files[5].within File", BY_ITSELF),
    ("search.caps.search_files[5].then Stop", NOT_ENTERED),
    ("search.caps.agent: 2 and 3 exchanged", APART),
    ("search.caps.agent: 3 and 4 exchanged", APART),
    ("search.notes: 3 and 4 exchanged", ONE_END),
    ("search.notes: 4 and 5 exchanged", ONE_END),
    ("search.notes: 9 and 10 exchanged", NO_FAILURE),
    ("search.notes: without 10", NO_FAILURE),
    ("search.notes[10].text with another end", NO_FAILURE),
    ("search.notes[10].because none", NO_FAILURE),
    ("search.notes[10].because with another end", NO_FAILURE),
    ("search.notes[10].truncates false", NO_FAILURE),
];
