//! The window of a line that is most similar to a query (section 4; FR-SF-SRC-03, CFG-SF-04,
//! E-G09).
//!
//! Characters are Unicode scalar values. Every window that could reach the threshold is examined
//! with the whole distance table.

/// Start, end and score of the window of `line` with the highest score; of equal ones the leftmost,
/// then the shortest. `None` if the score is below `threshold`.
///
/// With `fold_ascii` an ASCII letter equals its other case.
pub fn best_window(
    query: &str,
    threshold: f64,
    fold_ascii: bool,
    line: &str,
) -> Option<(usize, usize, f64)> {
    let query = scalars(query, fold_ascii);
    let text = scalars(line, fold_ascii);
    let mut best: Option<(usize, usize, f64)> = None;
    for start in 0..text.len() {
        let rest = text.get(start..).unwrap_or_default();
        for (length, distance) in distances(&query, threshold, rest) {
            let score = score(query.len(), length, distance);
            // Windows come from left to right and from short to long, so the first of equal score
            // stays.
            if best.is_none_or(|(_, _, highest)| score > highest) {
                best = Some((start, length, score));
            }
        }
    }
    let (start, length, score) = best.filter(|(_, _, score)| *score >= threshold)?;
    let bytes = |count: usize| line.chars().take(count).map(char::len_utf8).sum();
    Some((bytes(start), bytes(start + length), score))
}

fn scalars(text: &str, fold_ascii: bool) -> Vec<char> {
    let fold =
        |character: char| if fold_ascii { character.to_ascii_lowercase() } else { character };
    text.chars().map(fold).collect()
}

/// `(M - d) / M`, where `d` is the distance and `M` the larger of the two lengths, rounded to the
/// nearest double.
fn score(query: usize, window: usize, distance: usize) -> f64 {
    let larger = query.max(window);
    number(larger.saturating_sub(distance)) / number(larger)
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The lengths of the windows at the start of `text`, each with its distance to the query.
fn distances(query: &[char], threshold: f64, text: &[char]) -> Vec<(usize, usize)> {
    // Distances of the query's prefixes, from the empty one to the whole, to the text read so far.
    let mut column: Vec<usize> = (0..=query.len()).collect();
    let mut found = Vec::new();
    for (character, length) in text.iter().zip(1..) {
        // A window longer than the query by n has distance at least n, so its score is at most the
        // ratio of the two lengths. Once that is below the threshold, so are those of all longer
        // windows. At threshold 0 it never is.
        if length > query.len() && score(query.len(), length, length - query.len()) < threshold {
            break;
        }
        column = next_column(query, &column, *character);
        found.extend(column.last().map(|distance| (length, *distance)));
    }
    found
}

/// The next column of the table: insertion, deletion, substitution, or an equal character.
fn next_column(query: &[char], column: &[usize], character: char) -> Vec<usize> {
    let mut next: Vec<usize> = column.iter().take(1).map(|distance| distance + 1).collect();
    let pairs = column.iter().zip(column.iter().skip(1));
    for (wanted, (diagonal, left)) in query.iter().zip(pairs) {
        let substituted = diagonal + usize::from(*wanted != character);
        let above = next.last().copied().unwrap_or_default();
        next.push(substituted.min(left + 1).min(above + 1));
    }
    next
}

#[cfg(test)]
mod tests;
