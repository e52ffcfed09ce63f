use std::fs;

use forge_search_core::{
    Request,
    request::{Builder, RequestBuilder},
    scope::Depth,
};

use super::*;
use crate::config::{Config, Preset};

struct World {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

/// Files by path, each with its content; directories come along.
fn world(files: &[(&str, &str)]) -> World {
    let dir = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(dir.path().join("w")).unwrap_or_else(|_| {
        fs::create_dir_all(dir.path().join("w")).unwrap();
        dunce::canonicalize(dir.path().join("w")).unwrap()
    });
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    World { _dir: dir, root }
}

/// What the walker gives out below `start`: paths, and problems as `path: message`.
fn walk(
    world: &World,
    start: &str,
    request: impl FnOnce(RequestBuilder) -> RequestBuilder,
) -> Vec<String> {
    walk_in(world, start, request, |_| {})
}

/// The same in a scope that no request of `Search` has.
fn walk_in(
    world: &World,
    start: &str,
    request: impl FnOnce(RequestBuilder) -> RequestBuilder,
    change: impl FnOnce(&mut Scope),
) -> Vec<String> {
    let limits = Config::preset(Preset::Agent).limits();
    let mut request = request(Request::builder("x", &limits)).build().unwrap();
    change(&mut request.scope);
    let sandbox = Sandbox::new(std::slice::from_ref(&world.root), &world.root).unwrap();
    let base = Arc::new(Root::open(&world.root.join(start)).unwrap());
    let book = Rulebook::default();
    Walker::directory(
        &sandbox,
        &request.scope,
        &book,
        base,
        &world.root,
        false,
        None,
        Arc::default(),
        Cancellation::never(),
    )
    .map(|item| match item {
        WalkItem::File(file) => String::from_utf8_lossy(&file.walked).into_owned(),
        WalkItem::Problem(error) => format!("{}: {}", sandbox.shown(&error.path), error.why),
        WalkItem::Unread(unread) => format!("{} unread", unread.files),
        WalkItem::NotEntered => "not entered".to_owned(),
        WalkItem::Interrupted => "interrupted".to_owned(),
    })
    .collect()
}

#[test]
fn directories_below_the_depth_limit_are_reported_in_place_and_not_entered() {
    let world = world(&[
        ("a/b/c/d.txt", ""),
        ("a/b.txt", ""),
        ("a/b/x.txt", ""),
        ("z.txt", ""),
        ("no/e/f", ""),
    ]);
    let at_most = |depth| {
        walk_in(&world, "", |b| b.exclude_glob(["no"]), |scope| scope.depth = Depth::AtMost(depth))
    };
    assert_eq!(at_most(1), ["not entered", "z.txt"], "what a rule removes is not missed");
    assert_eq!(at_most(2), ["a/b.txt", "not entered", "z.txt"]);
    assert_eq!(at_most(3), ["a/b.txt", "not entered", "a/b/x.txt", "z.txt"]);
    assert_eq!(at_most(4), ["a/b.txt", "a/b/c/d.txt", "a/b/x.txt", "z.txt"]);
}

#[cfg(unix)]
#[test]
fn links_to_files_can_be_followed_without_links_to_directories() {
    let world = world(&[("d/f.txt", "")]);
    for (name, target) in
        [("file", "d/f.txt"), ("directory", "d"), ("chain", "file"), ("gone", "nowhere")]
    {
        std::os::unix::fs::symlink(target, world.root.join(name)).unwrap();
    }
    let found = walk_in(&world, "", |b| b, |scope| scope.links = Links::ToFiles);
    assert_eq!(found, ["chain", "d/f.txt", "file", "gone: dangling symlink"]);
}

#[test]
fn files_are_walked_in_the_order_of_their_whole_paths() {
    let world =
        world(&[("a/x", ""), ("a-b/x", ""), ("a.txt", ""), ("a0", ""), ("Z", ""), ("a/b/y", "")]);
    assert_eq!(walk(&world, ".", |b| b), ["Z", "a-b/x", "a.txt", "a/b/y", "a/x", "a0"]);
}

#[test]
fn directories_with_equal_sort_keys_are_walked_together() {
    let world = world(&[
        ("e\u{301}/b", ""),
        ("\u{e9}/a", ""),
        ("e\u{301}/d/z", ""),
        ("\u{e9}/d/y", ""),
        ("\u{e9}/b", ""),
    ]);
    let want = ["\u{e9}/a", "e\u{301}/b", "\u{e9}/b", "\u{e9}/d/y", "e\u{301}/d/z"];
    assert_eq!(walk(&world, ".", |b| b), want);
}

#[test]
fn the_strongest_kind_of_ignore_rule_decides_then_the_nearest() {
    let world = world(&[
        (".gitignore", "*.log\n/build\n"),
        ("a.log", ""),
        ("build/x", ""),
        ("sub/build/x", ""),
        ("sub/.gitignore", "!keep.log\n"),
        ("sub/keep.log", ""),
        ("sub/other.log", ""),
        ("top/.ignore", "!*.log\n"),
        ("top/b.log", ""),
    ]);
    assert_eq!(walk(&world, ".", |b| b), ["sub/build/x", "sub/keep.log", "top/b.log"]);
    assert_eq!(walk(&world, ".", |b| b.no_ignore(true)).len(), 6);
}

#[test]
fn ignore_rules_of_parents_apply_up_to_the_nearest_repository() {
    let files = [
        (".gitignore", "x\n"),
        ("p/.gitignore", "y\n"),
        ("p/q/x", ""),
        ("p/q/y", ""),
        ("p/q/z", ""),
    ];
    assert_eq!(walk(&world(&files), "p/q", |b| b), ["z"]);
    let nested: Vec<_> = files.into_iter().chain([("p/.git/info/exclude", "z\n")]).collect();
    assert_eq!(walk(&world(&nested), "p/q", |b| b), ["x"]);
    assert_eq!(walk(&world(&nested), ".", |b| b), ["p/q/x"], "from above the answer is the same");
}

#[test]
fn an_ignored_or_hidden_search_root_is_searched() {
    let world = world(&[(".gitignore", "build/\n"), ("build/o", ""), (".github/w", "")]);
    assert_eq!(walk(&world, "build", |b| b), ["o"]);
    assert_eq!(walk(&world, ".github", |b| b), ["w"]);
    assert!(walk(&world, ".", |b| b).is_empty());
}

#[test]
fn globs_narrow_the_walk_and_a_matched_directory_includes_its_contents() {
    let world =
        world(&[("src/a.rs", ""), ("src/x/b.rs", ""), ("src/x/c.txt", ""), ("doc/d.rs", "")]);
    assert_eq!(walk(&world, ".", |b| b.include_glob(["src/x"])), ["src/x/b.rs", "src/x/c.txt"]);
    assert_eq!(
        walk(&world, ".", |b| b.include_glob(["*.rs"]).exclude_glob(["x"])),
        ["doc/d.rs", "src/a.rs"]
    );
    assert_eq!(walk(&world, ".", |b| b.include_glob(["src/*.rs"])), ["src/a.rs"]);
    assert!(walk(&world, ".", |b| b.recursive(false)).is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_the_sandbox_and_reported_outside() {
    use std::os::unix::fs::symlink;
    let world = world(&[("d/a", ""), ("e/b", "")]);
    let outside = world.root.parent().unwrap().join("out");
    fs::create_dir(&outside).unwrap();
    for (link, target) in [
        ("d/up", ".."),
        ("in", "e"),
        ("file", "d/a"),
        ("gone", "nope"),
        ("out", "../out"),
        ("self", "self"),
    ] {
        symlink(target, world.root.join(link)).unwrap();
    }
    assert_eq!(walk(&world, ".", |b| b), ["d/a", "e/b"]);
    assert_eq!(
        walk(&world, ".", |b| b.follow(true)),
        [
            "d/a",
            "d/up: symlink loop",
            "e/b",
            "file",
            "gone: dangling symlink",
            "in/b",
            "out: symlink leaves the sandbox",
            "self: symlink loop",
        ]
    );
}

/// Hands over a walker of the whole tree that has not begun.
fn with_walker(world: &World, then: impl FnOnce(Walker<'_>)) {
    let request = Request::builder("x", &Config::preset(Preset::Agent).limits()).build().unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&world.root), &world.root).unwrap();
    let base = Arc::new(Root::open(&world.root).unwrap());
    let book = Rulebook::default();
    let walker = Walker::directory(
        &sandbox,
        &request.scope,
        &book,
        base,
        &world.root,
        false,
        None,
        Arc::default(),
        Cancellation::never(),
    );
    then(walker);
}

#[test]
fn the_walk_opens_a_directory_only_when_it_is_reached() {
    let world = world(&[("a/x", ""), ("b/y", "")]);
    with_walker(&world, |mut walker| {
        assert!(matches!(walker.next(), Some(WalkItem::File(file)) if file.walked == b"a/x"));
        fs::remove_dir_all(world.root.join("b")).unwrap();
        assert!(
            matches!(
                walker.next(),
                Some(WalkItem::Problem(WalkError { why: problem::NOT_FOUND, .. }))
            ),
            "`b` had not been opened yet"
        );
    });
}

#[test]
fn an_ignore_file_above_the_search_root_that_cannot_be_read_is_a_problem() {
    let long = "x".repeat((1 << 20) + 1);
    let world = world(&[(".gitignore", &long), ("p/a", "")]);
    assert_eq!(walk(&world, "p", |b| b), [".gitignore: ignore file cannot be read", "a"]);
}

#[test]
fn a_walker_holds_the_entries_on_its_way_and_their_rules() {
    let world = world(&[("a", ""), ("bc", ""), (".gitignore", "x\n")]);
    with_walker(&world, |mut walker| {
        assert_eq!(
            walker.held.load(Ordering::Relaxed),
            (2 * size_of::<Node>() + "abc".len() + 4 * "x\n".len()) as u64
        );
        assert_eq!(walker.by_ref().count(), 2);
        assert_eq!(walker.held.load(Ordering::Relaxed), 0);
    });
}
