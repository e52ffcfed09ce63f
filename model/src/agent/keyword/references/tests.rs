use super::*;

fn names(query: &str, path: &str) -> bool {
    References::of(query).name(&place::names(path.as_bytes()))
}

#[test]
fn a_file_is_named_by_an_end_of_its_path_or_a_longer_path() {
    for query in [
        "retry.rs",
        "see SRC/Retry.RS.",
        "at ../src/retry.rs:12",
        "./retry.rs",
        "C:\\work\\src\\retry.rs",
        "/x/src//retry.rs--",
    ] {
        assert!(names(query, "src/retry.rs"), "{query}");
    }
    for query in [
        "etry.rs",
        "retry.rs.bak",
        "src/retry",
        "lib/retry.rs",
        "x-retry.rs",
        "/x/retry.rs",
        "retry",
        "",
    ] {
        assert!(!names(query, "src/retry.rs"), "{query}");
    }
}

#[test]
fn only_a_name_with_a_dot_after_its_first_character_names_a_file() {
    assert!(!names("a/.gitignore", "a/.gitignore"));
    assert!(!names("..foo", "..foo"));
    assert!(names("a/.foo.rs", "a/.foo.rs"));
    assert!(!names("a/Makefile", "a/Makefile"));
}

#[test]
fn dotted_names_need_at_least_two_components_to_name_a_module() {
    for query in ["net::Retry::new", "net.retry", "Net.Retry.new().x", ".net..retry", "net::retry."]
    {
        assert!(names(query, "src/net/retry.rs"), "{query}");
    }
    for query in ["app.net.retry", "retry.new", "net", "net/retry.new", "net.ret", "net-retry.x"] {
        assert!(!names(query, "src/net/retry.rs"), "{query}");
    }
}

#[test]
fn some_base_names_represent_their_directories() {
    for path in
        ["a/net/retry/mod.rs", "a/net/retry/__init__.py", "net/retry/index.ts", "net/retry/Index"]
    {
        assert!(names("net.retry", path), "{path}");
    }
    assert!(!names("retry.mod", "a/retry/mod.rs"));
    assert!(!names("net.retry", "net/retry/main.rs"));
}
