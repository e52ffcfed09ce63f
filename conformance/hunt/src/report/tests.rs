//! What stands on the page, whatever the results hold.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Limits, Report, groups, page, sample};
use crate::question::Feature;
use crate::results::Results;

fn html(results: &Results) -> String {
    Report::new(results, &groups().unwrap()).html()
}

/// The values of an attribute, in order.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(start.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The page without its style sheet and script.
fn body(page: &str) -> &str {
    let (_, rest) = page.split_once("</style></head>").unwrap();
    rest.rsplit_once("<script nonce=").unwrap().0
}

#[test]
fn a_page_loads_no_external_resource() {
    let page = html(&sample::big());
    for word in [
        "http:", "https:", "//cdn", "url(", "@import", "<link", "<iframe", " src=", "fetch(",
        "XMLHttp", "import(",
    ] {
        let code = page.replace("&lt;img src=x", "");
        assert!(!code.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn text_of_a_finding_is_neither_markup_nor_hidden_in_the_page() {
    let page = html(&sample::big());
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(page.contains("&lt;/script&gt;&lt;img"), "the hostile text is not shown");
    assert!(!page.contains("<img"));
    let hidden = |c: char| {
        c != '\n'
            && (c.is_control()
                || ('\u{200b}'..='\u{200f}').contains(&c)
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2060}'..='\u{2069}').contains(&c))
    };
    if let Some(at) = page.find(|c| hidden(c) || c == '\u{fffe}') {
        panic!("a hidden character after {:?}", page.get(at.saturating_sub(80)..at));
    }
    // What is copied is exactly what was meant.
    assert!(page.contains("data-copy=\"rg%20%27%3C/script%3E"), "the exact command is not there");
}

#[test]
fn every_opened_html_tag_is_closed() {
    let page = html(&sample::big());
    let mut open: Vec<&str> = Vec::new();
    for tag in body(&page).split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        match tag {
            _ if ["input", "meta"].contains(&name) => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "in {tag}"),
            _ => open.push(name),
        }
    }
    assert_eq!(open, ["body"]);
}

#[test]
fn every_finding_is_opened_by_a_cell_and_listed_with_its_case() {
    let results = sample::big();
    let page = html(&results);
    let opened: BTreeSet<&str> =
        values(&page, "data-f").into_iter().flat_map(|list| list.split(' ')).collect();
    assert_eq!(opened.len(), results.findings.len());
    let ids: BTreeSet<&str> = values(&page, "id").into_iter().collect();
    for link in values(&page, "href") {
        assert!(ids.contains(link.strip_prefix('#').unwrap()), "{link}");
    }
    for finding in &results.findings {
        assert!(ids.contains(format!("f-{}", finding.id).as_str()), "{}", finding.id);
    }
}

#[test]
fn a_finding_without_a_cell_can_still_be_opened() {
    let mut results = sample::small();
    results.cells.clear();
    let page = html(&results);
    let opened: BTreeSet<&str> =
        values(&page, "data-f").into_iter().flat_map(|list| list.split(' ')).collect();
    assert_eq!(opened, ["0", "1"].into());
    // And an id that is no anchor has one.
    results.findings.first_mut().unwrap().id = sample::HOSTILE.to_owned();
    assert!(html(&results).contains("href=\"#f.0\""));
}

#[test]
fn the_matrix_is_first_with_sorted_rows_and_columns() {
    let mut results = sample::big();
    results.subjects.reverse();
    results.cells.reverse();
    let page = html(&results);
    assert!(page.find("<table class=\"matrix").unwrap() < page.find("<h2>").unwrap());
    let (head, rest) = page.split_once("<tbody id=\"groups\">").unwrap();
    let places = [
        "ripgrep@11.0.2\"",
        "ripgrep@14.0.0\"",
        "ripgrep@15.2.0\"",
        "ugrep@3.3.3\"",
        "ugrep@3.11.2\"",
    ]
    .map(|subject| head.find(&format!("title=\"{subject}")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    let rows = ["max_filesize", "walk", "word", "alternation", "regex"]
        .map(|group| rest.find(&format!("\">{group}<small>")).unwrap());
    assert!(rows.is_sorted(), "{rows:?}");
    assert_eq!(rest.split("</tbody>").next().unwrap().matches("<tr>").count(), Feature::ALL.len());
}

#[test]
fn a_cell_shows_its_worst_verdict_by_sign_and_count() {
    let page = html(&sample::small());
    assert!(
        page.contains(
            "class=\"c4\" data-p=\"0\" data-s=\"5000000000004\" data-n=\"0,0,4,0,0,40,0\""
        ),
        "{}",
        body(&page)
    );
    assert!(page.contains("<b>✗</b>4</a><small><span>✓40</span></small>"));
    assert!(page.contains("data-r=\"it has no such option\""));
}

#[test]
fn equal_results_give_equal_reports() {
    let (first, second) = (sample::big(), sample::big());
    let groups = groups().unwrap();
    let (first, second) = (Report::new(&first, &groups), Report::new(&second, &groups));
    assert_eq!(first.html(), second.html());
    assert_eq!(first.markdown(), second.markdown());
    assert_eq!(first.junit(), second.junit());
}

#[test]
fn a_page_is_bounded_and_reports_what_it_omits() {
    let results = sample::big();
    let groups = groups().unwrap();
    let report = Report::new(&results, &groups);
    let whole = report.html();
    assert!(whole.len() < 4 << 20 && !whole.contains("class=\"note\""), "{}", whole.len());
    let page =
        page::render(&report, &Limits { columns: 30, releases: 7, findings: 300, cases: 200_000 });
    assert!(page.len() < 900_000, "{}", page.len());
    assert!(
        page.contains("10 of 40 columns; 100 of 400 findings; the cases of "),
        "{:?}",
        page.find("class=\"note\"")
    );
    let ids: BTreeSet<&str> = values(&page, "id").into_iter().collect();
    for link in values(&page, "href") {
        assert!(ids.contains(link.strip_prefix('#').unwrap()), "{link} leads nowhere");
    }
}

#[test]
fn a_clause_is_shown_with_what_it_says() {
    let (results, groups) = (sample::small(), groups().unwrap());
    let says = [("E-E09".to_owned(), format!("says {}", sample::HOSTILE))].into();
    let page = Report::new(&results, &groups).with_clauses(says).html();
    let told = "<code>FR-LS-04c</code> <div><code>E-E09</code> says &lt;/script&gt;&lt;img src=x";
    assert_eq!(page.matches(told).count(), results.findings.len(), "{}", body(&page));
}

#[test]
fn empty_results_yield_a_page() {
    let mut results = sample::small();
    results.cells.clear();
    results.findings.clear();
    results.subjects.clear();
    let groups = groups().unwrap();
    let report = Report::new(&results, &groups);
    assert!(report.html().contains("<b>0</b> new"));
    assert!(report.markdown().contains("0 new findings"), "{}", report.markdown());
    assert!(report.junit().contains("tests=\"0\""));
}

#[test]
fn a_comment_fits_and_lists_new_findings_before_known_ones() {
    let results = sample::big();
    let groups = groups().unwrap();
    let text = Report::new(&results, &groups).markdown();
    assert!(text.len() < 64_000, "{}", text.len());
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    assert!(text.contains("more new findings, for the size of this comment"), "{text}");
    let small = sample::small();
    let text = Report::new(&small, &groups).markdown();
    assert!(
        text.starts_with("### Hunt: 1 new finding, 1 known; 0 cases unexplained in 0 places\n"),
        "{text}"
    );
    assert!(text.find("marks other bytes").unwrap() < text.find("| --- |").unwrap());
    assert!(text.find("<summary>1 known</summary>").unwrap() > text.find("| --- |").unwrap());
    assert!(text.contains("| `ripgrep@14.1.0` | 40 | 0 | 0 | **4** | 0 | 0 | 0 |"), "{text}");
}

#[test]
fn junit_fails_for_a_new_finding_and_gives_the_command() {
    let small = sample::small();
    let groups = groups().unwrap();
    let text = Report::new(&small, &groups).junit();
    assert!(
        text.contains(
            "<testsuite name=\"ripgrep@14.1.0\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">"
        ),
        "{text}"
    );
    assert!(text.contains("marks other bytes than those that match\" type=\"spans\">"), "{text}");
    assert!(text.contains("rg --json -e "), "{text}");
    assert!(text.contains("name=\"fixed\"><skipped message=\"it has no such option\">"), "{text}");
    let big = sample::big();
    let text = Report::new(&big, &groups).junit();
    assert!(text.chars().all(|c| c == '\n' || u32::from(c) >= 0x20 && c != '\u{fffe}'));
    assert!(!text.contains("<img"));
}

#[test]
fn an_issue_text_is_complete_and_a_variant_follows_its_finding() {
    let mut results = sample::small();
    let mut variant = sample::finding(3);
    let root = results.findings.iter().find(|finding| finding.is_new()).unwrap().clone();
    variant.variant_of = Some(root.id.clone());
    results.findings.insert(0, variant.clone());
    assert_eq!((results.outcome().new, results.outcome().variants), (1, 1));
    let groups = groups().unwrap();
    let report = Report::new(&results, &groups);
    let ids: Vec<&str> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
    assert_eq!(ids.get(..2).unwrap(), [root.id.as_str(), variant.id.as_str()]);
    let text = report.issue(&root, Some("its manual says so"));
    for part in [
        &root.command,
        &variant.command,
        "Expected:\n\n```text\na\n1:",
        "Actual:\n\n```text\na\n1:",
        "Wrong in 14.1.0; right in 13.0.0.",
        "The rule: ",
        "its manual says so.",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    let page = report.html();
    assert!(page.contains("↳ variant") && page.contains("<dt>variants</dt>"));
}

#[test]
fn a_sample_page_is_written_to_the_build_directory() {
    // Asked now and not when it was built, for an archive of tests runs elsewhere.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let directory = Path::new(&manifest).join("../../target/touchstone/sample");
    std::fs::create_dir_all(&directory).unwrap();
    let results = sample::big();
    results.write(&directory.join("results.json")).unwrap();
    let documents = [("before", sample::small()), ("now", results.clone())]
        .map(|(name, results)| (name.to_owned(), results));
    let says = [("FR-LS-04c".to_owned(), "It says so.".to_owned())].into();
    let groups = groups().unwrap();
    let report = Report::new(&results, &groups).with_clauses(says).with_trend(&documents);
    std::fs::write(directory.join("page.html"), report.html()).unwrap();
    // What was written is what was meant, hostile text and all.
    let told = Results { outcome: results.outcome(), ..results };
    assert_eq!(Results::read(&directory.join("results.json")).unwrap(), told);
}
