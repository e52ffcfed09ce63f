use super::{Absent, Node, TooManyLinks, World};
use crate::place::{self, Name, Place};

/// The key of the place that a path from the sandbox root leads to, and whether it exists.
fn lead(world: &World, path: &str) -> Result<(String, bool), TooManyLinks> {
    let (start, names) = place::start(path.as_bytes(), &Place::root());
    let resolved = world.resolve(start, names, 40)?;
    let key = world.key(&resolved.place).map_or("elsewhere".to_owned(), |key| place::lossy(&key));
    Ok((key, resolved.node.is_ok()))
}

#[test]
fn a_path_is_resolved_through_links_to_its_end_or_the_first_missing_name() {
    let world = World::new()
        .file("a/b/c.txt", "")
        .link("to_a", "a")
        .link("abs", "{root}/a/b")
        .link("a/up", "../to_a/b")
        .link("out", "../../far/x")
        .link("sibling", "../outside")
        .link("etc", "/etc/passwd")
        .link("gone", "nowhere/at/all")
        .link("through_file", "a/b/c.txt/../c.txt")
        .file("../outside/o.txt", "");
    let rows = [
        ("a/b/c.txt", "a/b/c.txt", true),
        ("to_a/b/c.txt", "a/b/c.txt", true),
        ("abs/c.txt", "a/b/c.txt", true),
        ("to_a/up/c.txt", "a/b/c.txt", true),
        ("to_a/../to_a", "a", true),
        ("a/x/y", "a/x/y", false),
        ("a/b/c.txt/d", "a/b/c.txt/d", false),
        ("gone/x", "nowhere/at/all/x", false),
        ("through_file", "a/b/c.txt", false),
        ("out", "elsewhere", false),
        ("sibling/o.txt", "../outside/o.txt", true),
        ("etc", "elsewhere", false),
        ("", "", true),
        ("{root}/a", "a", true),
    ];
    for (path, key, exists) in rows {
        let led = lead(&world, path).expect("few links");
        assert_eq!(led, (key.to_owned(), exists), "{path}");
    }
}

#[test]
fn at_most_forty_links_are_followed() {
    let chain = |count: usize| {
        (0..count).fold(World::new().file("l0", ""), |world, step| {
            world.link(format!("l{}", step + 1), format!("l{step}"))
        })
    };
    assert_eq!(lead(&chain(40), "l40").expect("forty are allowed"), ("l0".to_owned(), true));
    assert!(lead(&chain(41), "l41").is_err());
    assert!(lead(&World::new().link("l", "l"), "l").is_err());
}

#[test]
fn entries_below_an_unreadable_directory_are_invisible() {
    let world = World::new().unreadable_dir("closed").file("closed/a", "");
    let look = |path: &str| world.look(&Place::inside(place::names(path.as_bytes())));
    assert_eq!(look("closed"), Ok(&Node::Dir { readable: false }));
    assert_eq!(look("closed/a"), Err(Absent::Unseen));
    assert_eq!(look("closed/b"), Err(Absent::Unseen));
    assert_eq!(look("open"), Err(Absent::Missing));
}

#[test]
fn a_directory_lists_the_first_names_of_paths_below_it() {
    let world =
        World::new().file("a/b", "").file("a/c/d", "").file("ab", "").file("../x", "").dir("a/e");
    let names = |path: &str| -> Vec<Name> {
        world.children(&Place::inside(place::names(path.as_bytes()))).into_iter().collect()
    };
    assert_eq!(names(""), [b"a".to_vec(), b"ab".to_vec()]);
    assert_eq!(names("a"), [b"b".to_vec(), b"c".to_vec(), b"e".to_vec()]);
    assert_eq!(names("a/e"), [] as [Name; 0]);
}
