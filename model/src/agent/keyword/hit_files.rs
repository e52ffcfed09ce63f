//! Hit files: files of kept terms, files that skipped terms add, and which terms count (section 3).
//!
//! Invariants: every file with a hit of a kept term is a hit file, and every kept term counts.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct HitFiles {
    /// By eligible file.
    pub(super) hit_files: Vec<bool>,
    /// By term, whether it counts.
    pub(super) counts: Vec<bool>,
}

/// Selects the hit files. `kept` has a flag for each term, `holding` the files with a hit of it, in
/// path order. Skipped terms add at most `broad_files` files together.
pub(super) fn select(
    files: usize,
    kept: &[bool],
    holding: &[Vec<usize>],
    broad_files: u64,
) -> HitFiles {
    let both = || kept.iter().zip(holding);
    let by_kept =
        |file: usize| both().any(|(is_kept, holding)| *is_kept && holding.contains(&file));
    let mut hit_files: Vec<bool> = (0..files).map(by_kept).collect();
    let mut left = broad_files;
    let mut counts = Vec::new();
    for (is_kept, holding) in both() {
        let mut all_are_hit_files = true;
        for file in holding.iter().filter(|_| !is_kept) {
            let Some(is_hit_file) = hit_files.get_mut(*file) else { continue };
            if !*is_hit_file && left > 0 {
                *is_hit_file = true;
                left -= 1;
            }
            all_are_hit_files &= *is_hit_file;
        }
        counts.push(*is_kept || broad_files > 0 && all_are_hit_files);
    }
    HitFiles { hit_files, counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(kept: &[bool], holding: &[&[usize]], broad_files: u64) -> (Vec<bool>, Vec<bool>) {
        let holding: Vec<Vec<usize>> = holding.iter().map(|files| files.to_vec()).collect();
        let HitFiles { hit_files, counts } = select(4, kept, &holding, broad_files);
        (hit_files, counts)
    }

    #[test]
    fn kept_terms_add_all_of_their_files_and_count() {
        assert_eq!(
            selected(&[true, true], &[&[1], &[]], 0),
            (vec![false, true, false, false], vec![true, true])
        );
    }

    #[test]
    fn skipped_terms_together_add_a_limited_number_of_files() {
        let holding: [&[usize]; 3] = [&[0, 1, 2], &[3], &[1]];
        let kept = [false, false, true];
        assert_eq!(
            selected(&kept, &holding, 1),
            (vec![true, true, false, false], vec![false, false, true])
        );
        assert_eq!(
            selected(&kept, &holding, 2),
            (vec![true, true, true, false], vec![true, false, true])
        );
        assert_eq!(selected(&kept, &holding, 3), (vec![true; 4], vec![true; 3]));
    }

    #[test]
    fn a_skipped_term_counts_only_if_all_of_its_files_are_added() {
        // The second term adds the file at which the first was cut.
        let holding: [&[usize]; 2] = [&[0, 1], &[0]];
        assert_eq!(
            selected(&[false, false], &holding, 1),
            (vec![true, false, false, false], vec![false, true])
        );
    }
}
