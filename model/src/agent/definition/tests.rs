use super::*;
use crate::generated::agent::AGENT;

/// Whether the identifier between the guillemets looks like it is defined.
fn defined(line: &str) -> bool {
    let characters = |text: &str| text.chars().map(Some).collect::<Vec<_>>();
    let (before, rest) = line.split_once('<').unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    looks_like(&characters(before), &characters(after), &AGENT.definitions)
}

#[test]
fn a_word_before_it_defines() {
    for line in ["class <A> x", "  pub fn\t<a>", "subclass def <a>;", "mod <a>", "interface <I>"] {
        assert!(defined(line), "{line}");
    }
    for line in ["class<A> x", "subclass <A>", "Class <A>", "class x <A>", "class. <A>"] {
        assert!(!defined(line), "{line}");
    }
}

#[test]
fn some_words_need_something_behind() {
    for line in [
        "let <a>",
        "type <A> = u8",
        "const <a>:",
        "struct <A>  ",
        "enum <A> {",
        "var <a>;",
        "val <a>(",
        "union <a><",
    ] {
        assert!(defined(line), "{line}");
    }
    for line in ["struct <A> x", "let <a>.b", "static <a>,"] {
        assert!(!defined(line), "{line}");
    }
}

#[test]
fn a_line_that_begins_like_a_function_defines() {
    for line in ["int <main>(void)", "void *A::<b>(int) {", "func (s *Server) <Handle>(x)", "a\tb <c>() ; x"]
    {
        assert!(defined(line), "{line}");
    }
    for line in
        ["  int <a>(b)", "<a>(b)", "int <a>(b);", "int <a>(b) ;\t", "a.b <c>(", "int <a> (b)", "x = <a>()"]
    {
        assert!(!defined(line), "{line}");
    }
}
