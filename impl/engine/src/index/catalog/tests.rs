use super::*;

#[test]
fn a_directory_that_cannot_be_listed_is_on_record_with_its_last_error_only() {
    let error = |why| WalkError { path: "/r/d".into(), why, at: b"d".to_vec() };
    let mut catalog = Catalog::default();
    for why in ["first", "second"] {
        catalog.record_unreadable(b"d", error(why));
        assert_eq!(catalog.files().walk_errors(), [error(why)]);
    }
}
