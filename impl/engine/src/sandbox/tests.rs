use std::fs;

use super::*;
use forge_search_core::{ErrorClass, glob::Dialect};

/// `w/` is the root, with `w/dir/a.txt`; `out/` lies beside it.
fn world() -> (tempfile::TempDir, Sandbox) {
    let dir = tempfile::tempdir().unwrap();
    for path in ["w/dir", "out"] {
        fs::create_dir_all(dir.path().join(path)).unwrap();
    }
    fs::write(dir.path().join("w/dir/a.txt"), "").unwrap();
    fs::write(dir.path().join("out/o.txt"), "").unwrap();
    let root = dir.path().join("w");
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
    (dir, sandbox)
}

fn shown(sandbox: &Sandbox, path: &str) -> Result<(String, Resolution), ErrorClass> {
    sandbox
        .resolve(path)
        .map(|inside| (sandbox.shown(&inside.path), inside.found))
        .map_err(|error| error.class)
}

#[test]
fn redundant_dots_and_slashes_are_removed() {
    let (_dir, sandbox) = world();
    for path in ["dir/a.txt", "./dir//a.txt", "dir/./a.txt/", "dir/../dir/a.txt"] {
        assert_eq!(
            shown(&sandbox, path),
            Ok(("dir/a.txt".to_owned(), Resolution::Exists)),
            "{path}"
        );
    }
    assert_eq!(shown(&sandbox, "."), Ok((".".to_owned(), Resolution::Exists)));
    assert_eq!(shown(&sandbox, "dir/nope/x"), Ok(("dir/nope/x".to_owned(), Resolution::Missing)));
    assert_eq!(shown(&sandbox, "dir/a.txt/x"), Ok(("dir/a.txt/x".to_owned(), Resolution::Missing)));
}

#[test]
fn leaving_the_root_is_a_violation_even_if_the_path_returns() {
    let (dir, sandbox) = world();
    let root = dir.path().join("w");
    for path in ["..", "../out", "../w/dir", "dir/../../w", "/etc/nope", "/"] {
        assert_eq!(shown(&sandbox, path), Err(ErrorClass::SandboxViolation), "{path}");
    }
    let absolute = dunce::canonicalize(&root).unwrap().join("dir");
    assert_eq!(
        shown(&sandbox, absolute.to_str().unwrap()),
        Ok(("dir".to_owned(), Resolution::Exists))
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_sandbox_is_a_violation_with_or_without_a_target() {
    let (dir, sandbox) = world();
    let root = dir.path().join("w");
    for (name, target) in
        [("out", "../out/o.txt"), ("gone", "../out/nope"), ("abs", "/etc/nope"), ("in", "dir")]
    {
        std::os::unix::fs::symlink(target, root.join(name)).unwrap();
    }
    for path in ["out", "gone", "abs", "gone/below"] {
        assert_eq!(shown(&sandbox, path), Err(ErrorClass::SandboxViolation), "{path}");
    }
    assert_eq!(shown(&sandbox, "in/a.txt"), Ok(("dir/a.txt".to_owned(), Resolution::Exists)));
}

#[cfg(unix)]
#[test]
fn resolving_a_link_to_itself_ends() {
    let (dir, sandbox) = world();
    std::os::unix::fs::symlink("loop", dir.path().join("w/loop")).unwrap();
    assert_eq!(shown(&sandbox, "loop"), Err(ErrorClass::SandboxViolation));
}

#[test]
fn a_denied_path_is_a_violation_at_any_depth_below_it() {
    let (_dir, sandbox) = world();
    let deny = |glob: &str| vec![Glob::parse(glob.as_bytes(), Dialect::Request).unwrap()];
    let denied = sandbox.clone().denying(deny("dir"));
    assert_eq!(shown(&denied, "dir/a.txt"), Err(ErrorClass::SandboxViolation));
    assert_eq!(shown(&denied, "dir"), Err(ErrorClass::SandboxViolation));
    let denied = sandbox.denying(deny("**/*.txt"));
    assert_eq!(shown(&denied, "dir/a.txt"), Err(ErrorClass::SandboxViolation));
    assert_eq!(shown(&denied, "dir"), Ok(("dir".to_owned(), Resolution::Exists)));
}

#[test]
fn paths_outside_the_working_directory_are_shown_absolute() {
    let (dir, _) = world();
    let root = dir.path().join("w");
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root.join("dir")).unwrap();
    let inside = sandbox.resolve("..").unwrap();
    let absolute = dunce::canonicalize(&root).unwrap().to_str().unwrap().replace('\\', "/");
    assert_eq!(sandbox.shown(&inside.path), absolute);
}

#[test]
fn roots_must_be_directories_and_hold_the_working_directory() {
    let (dir, _) = world();
    let root = dir.path().join("w");
    assert!(matches!(
        Sandbox::new(&[root.join("dir/a.txt")], &root),
        Err(ConfigError::Root { .. })
    ));
    assert!(matches!(Sandbox::new(&[root.join("nope")], &root), Err(ConfigError::Root { .. })));
    assert!(matches!(
        Sandbox::new(&[root.join("dir")], &root),
        Err(ConfigError::WorkingDirectory { .. })
    ));
}

#[test]
fn the_uppermost_of_nested_roots_counts_in_any_order() {
    let dir = tempfile::tempdir().unwrap();
    let top = dunce::canonicalize(dir.path()).unwrap();
    let below = top.join("a/b");
    std::fs::create_dir_all(&below).unwrap();
    for roots in [[top.clone(), below.clone()], [below.clone(), top.clone()]] {
        let sandbox = Sandbox::new(&roots, &below).unwrap();
        assert_eq!(sandbox.root_of(&below), Some(top.as_path()));
    }
}
