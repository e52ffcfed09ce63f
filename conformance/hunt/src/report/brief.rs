//! A finding in two lines: what should have come, and what came.

use super::contrast::{Row, Side, contrast};
use super::written::beginning;
use crate::results::Finding;

/// Longest line, in characters.
const MOST: usize = 200;

/// What only the model says, and what only the program says, each in one line.
pub fn brief(finding: &Finding) -> (String, String) {
    let rows =
        contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
    (line(&rows, Side::Want), line(&rows, Side::Got))
}

fn line(rows: &[Row<'_>], side: Side) -> String {
    let mine = rows.iter().filter(|row| row.side == side).map(Row::plain);
    let told: Vec<String> =
        mine.map(|row| row.get(1..).unwrap_or_default().trim().to_owned()).collect();
    let told = if told.is_empty() { "nothing".to_owned() } else { told.join("; ") };
    beginning(&told, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn each_side_of_a_finding_is_one_line() {
        let finding = sample::finding(0);
        assert_eq!(
            brief(&finding),
            ("1:xab ab  at 1..2".to_owned(), "1:xab ab  at 1..3; 2:zz  at 0..2".to_owned())
        );
        let silent = Finding { actual: None, broken: Some("killed\nhard".to_owned()), ..finding };
        assert_eq!(brief(&silent).1, "no answer: killed\\nhard");
    }
}
