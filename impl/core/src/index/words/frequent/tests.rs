use super::*;

#[test]
fn a_list_being_gathered_has_at_most_1024_pairs_more_than_twice_its_files() {
    let mut list = List::default();
    for number in 0..30_000 {
        list.add(&[Pair { file: number / 10, count: 1, level: (number % 3) as u8 }]);
        let files = number as usize / 10 + 1;
        assert!(list.pairs.len() <= 2 * files + 1_024, "{number}");
    }
    list.tidy();
    let whole: Vec<Pair> = (0..3_000).map(|file| Pair { file, count: 10, level: 2 }).collect();
    assert_eq!(list.pairs, whole);
}
