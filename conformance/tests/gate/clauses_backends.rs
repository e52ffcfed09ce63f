//! Clauses about the choice of the backend, and the probes before it is trusted.

use std::env;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::clauses::{Fake, Ground, backends, json, lines, only, over};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, ErrorClass, Preset, ToolError};
use serde_json::json;

/// Set for a test that runs itself again in another environment.
const INNER: &str = "TOUCHSTONE_INNER";

fn ground() -> Ground {
    Ground::of(&over(&[("a", "foo\n"), ("b", "caf\u{e9} foo\n")], json!({})))
}

/// Over `binary` and then `fallback`, and nothing else; answers tell which one it was.
fn first_of(binary: &Path, fallback: &Path) -> Config {
    Config {
        fallback_binary: fallback.to_string_lossy().into_owned(),
        emit_stats: true,
        ..only(binary)
    }
}

/// Which backend answers.
fn chosen(config: Config) -> Result<String, ToolError> {
    let seen = ground().service(config).call("Search", &json!({"pattern": "foo"}))?;
    assert_eq!(lines(&json(Ok(seen.clone()))), ["a:1:1:foo", "b:1:7:caf\u{e9} foo"]);
    Ok(seen.stats.map(|stats| stats.backend).unwrap_or_default())
}

/// Why no backend can be had.
fn refused(config: Config) -> String {
    let error = match ground().service(config).call("Search", &json!({"pattern": "foo"})) {
        Ok(response) => panic!("answered: {response:?}"),
        Err(error) => error,
    };
    assert_eq!(
        (error.class, error.field.as_deref()),
        (ErrorClass::ExecutionFailed, Some("backend"))
    );
    error.message
}

#[test]
fn ugrep_3_0_and_ripgrep_13_0_are_the_oldest_accepted_versions() {
    touchstone::verifies!(
        "FR-LS-EXE-01",
        "FR-LS-ERR-02",
        "FR-LSI-BE-CAP-01",
        "FR-LSI-BE-CAP-02",
        "RES-18.1",
        "E-F20"
    );
    let real = backends();
    let (ripgrep, ugrep) = (real.ripgrep.unwrap(), real.ugrep.unwrap());
    for (banner, program, name) in [
        ("ripgrep 13.0.0", &ripgrep, "ripgrep"),
        ("ripgrep 14.1.1 (rev 4649aa9700)", &ripgrep, "ripgrep"),
        ("ripgrep 100.0.0", &ripgrep, "ripgrep"),
        ("ugrep 3.0 x86_64-pc-linux-gnu", &ugrep, "ugrep"),
        ("ugrep 3.0.0 x86_64-pc-linux-gnu", &ugrep, "ugrep"),
        ("ugrep 7.8.4 x86_64-pc-linux-gnu +avx2", &ugrep, "ugrep"),
    ] {
        let fake = Fake::calling_itself(banner, program);
        assert_eq!(chosen(first_of(&fake.program, "".as_ref())).unwrap(), name, "{banner}");
    }
    for (banner, program, words) in [
        ("ripgrep 12.1.1", &ripgrep, "12.1"),
        ("ripgrep 0.10.0", &ripgrep, "0.10"),
        ("ugrep 2.9", &ugrep, "2.9"),
        ("ugrep 2.5.7 x86_64-pc-linux-gnu", &ugrep, "2.5"),
        ("ripgrep next", &ripgrep, "version"),
        ("grep (GNU grep) 3.8", &ripgrep, "neither ugrep nor ripgrep"),
    ] {
        let fake = Fake::calling_itself(banner, program);
        let message = refused(only(&fake.program));
        assert!(message.contains(words), "{banner}: {message}");
    }
}

#[test]
fn an_absent_or_too_old_program_is_skipped_for_the_next() {
    touchstone::verifies!("CFG-LS-01", "FR-LS-EXE-01", "CON-LS-01");
    let real = backends();
    let (ripgrep, ugrep) = (real.ripgrep.unwrap(), real.ugrep.unwrap());
    let absent = Path::new("/nonexistent/ugrep");
    let old = Fake::calling_itself("ugrep 2.9", &ugrep);
    assert_eq!(chosen(first_of(&ugrep, &ripgrep)).unwrap(), "ugrep");
    assert_eq!(
        chosen(first_of(&ripgrep, &ugrep)).unwrap(),
        "ripgrep",
        "the configured order is the preference"
    );
    assert_eq!(chosen(first_of(absent, &ripgrep)).unwrap(), "ripgrep");
    assert_eq!(chosen(first_of(&old.program, &ripgrep)).unwrap(), "ripgrep");
    let native = Config { allow_native: true, ..first_of(absent, &old.program) };
    assert_eq!(chosen(native).unwrap(), "native", "where it is permitted");
    let message = refused(first_of(absent, &old.program));
    for words in ["/nonexistent/ugrep", "was not found", "2.9", "ugrep 3.0", "ripgrep 13.0"] {
        assert!(message.contains(words), "{message}");
    }
    assert!(refused(only("".as_ref())).contains("none is configured"));
}

#[test]
fn a_backend_program_is_found_on_path_or_at_the_configured_place() {
    touchstone::verifies!(
        "CON-LS-01",
        "CFG-LS-01",
        "CFGKEY-LS-binary",
        "CFGKEY-LS-fallback_binary"
    );
    // PATH is the process's own, so the test runs itself again, once for each PATH.
    let auto = BackendChoice::Auto;
    let defaults = Config {
        backend: auto,
        allow_native: false,
        emit_stats: true,
        ..Config::preset(Preset::Agent)
    };
    // The keys of an empty configuration, and what the document says of programs, without a word of
    // the test's.
    let empty = Config::from_toml("", Preset::Documents).unwrap();
    let empty = Config { enabled: true, emit_stats: true, ..empty };
    if let Ok(expected) = env::var(INNER) {
        for config in [defaults, empty] {
            let seen = match ground().service(config).call("Search", &json!({"pattern": "foo"})) {
                Ok(response) => response.stats.map(|stats| stats.backend).unwrap_or_default(),
                Err(error) => format!("{:?}", error.class),
            };
            assert_eq!(seen, expected);
        }
        return;
    }
    let real = backends();
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str, programs: &[(&str, &Path)]| {
        let at = directory.path().join(name);
        std::fs::create_dir(&at).unwrap();
        for (name, program) in programs {
            symlink(program, at.join(name)).unwrap();
        }
        at
    };
    let (ripgrep, ugrep) = (real.ripgrep.unwrap(), real.ugrep.unwrap());
    let old = Fake::calling_itself("ugrep 2.9", &ugrep);
    for (path, expected) in [
        (place("both", &[("rg", &ripgrep), ("ugrep", &ugrep)]), "ugrep"),
        (place("one", &[("rg", &ripgrep)]), "ripgrep"),
        (place("old", &[("rg", &ripgrep), ("ugrep", &old.program)]), "ripgrep"),
        (place("none", &[]), "ExecutionFailed"),
    ] {
        let output = Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "clauses_backends::a_backend_program_is_found_on_path_or_at_the_configured_place",
            ])
            .env("PATH", &path)
            .env(INNER, expected)
            // What the inner run claims is not for the record.
            .env("CARGO_TARGET_DIR", directory.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{}: {said}", path.display());
    }
    assert_eq!(chosen(first_of(&ripgrep, "".as_ref())).unwrap(), "ripgrep");
}

#[test]
fn a_backend_is_chosen_and_probed_once() {
    touchstone::verifies!("FR-LS-EXE-01", "CFG-LS-01");
    let fake = Fake::program(
        &backends().ripgrep.unwrap(),
        "case \"$1\" in --version) echo asked >> \"$here/versions\";; esac\nexec \"$real\" \"$@\"\n",
    );
    let ground = ground();
    let service = ground.service(only(&fake.program));
    assert_eq!(fake.note_so_far("versions"), "asked\n", "at the start");
    for _ in 0..3 {
        assert_eq!(json(service.call("Search", &json!({"pattern": "foo"})))["count"], 2);
    }
    assert_eq!(fake.note_so_far("versions"), "asked\n");
    // Nothing is run for a tool that is disabled.
    let disabled = ground.service(Config { enabled: false, ..only(&fake.program) });
    assert_eq!(
        disabled.call("Search", &json!({"pattern": "foo"})).unwrap_err().field.as_deref(),
        Some("enabled")
    );
    assert_eq!(fake.note_so_far("versions"), "asked\n");
    // One that comes too late is not looked for again.
    let late = Fake::program(&backends().ripgrep.unwrap(), "exec \"$real\" \"$@\"\n");
    let aside = late.program.with_extension("aside");
    std::fs::rename(&late.program, &aside).unwrap();
    let service = ground.service(only(&late.program));
    std::fs::rename(&aside, &late.program).unwrap();
    let error = service.call("Search", &json!({"pattern": "foo"})).unwrap_err();
    assert_eq!(
        (error.class, error.field.as_deref()),
        (ErrorClass::ExecutionFailed, Some("backend"))
    );
}

#[test]
fn a_program_that_cannot_be_started_gives_execution_failed() {
    touchstone::verifies!("FR-LS-ERR-02");
    let directory = tempfile::tempdir().unwrap();
    let plain = directory.path().join("rg");
    std::fs::write(&plain, "not a program").unwrap();
    assert!(refused(only(&plain)).contains("could not be run"));
    assert!(refused(only(directory.path())).contains("was not found"));
    assert!(refused(only("bin/rg".as_ref())).contains("relative"));
    let fails = Fake::program(Path::new("/bin/false"), "exit 3\n");
    assert!(refused(only(&fails.program)).contains("--version"));
    // One that was there when it was probed and is gone when it is needed.
    let fake = Fake::ripgrep("exec \"$real\" \"$@\"");
    let ground = ground();
    let service = ground.service(only(&fake.program));
    assert_eq!(json(service.call("Search", &json!({"pattern": "foo"})))["count"], 2);
    std::fs::remove_file(&fake.program).unwrap();
    let error = service.call("Search", &json!({"pattern": "foo"})).unwrap_err();
    assert_eq!(
        (error.class, error.field.as_deref()),
        (ErrorClass::ExecutionFailed, Some("backend"))
    );
    assert!(error.message.contains("could not be run"), "{error}");
}

#[test]
fn a_backend_with_unreadable_output_is_not_used() {
    touchstone::verifies!("FR-LS-EXE-02", "FR-LSI-BE-02");
    // It says that it is ripgrep but prints like grep: no NUL ends the name.
    let ripgrep = backends().ripgrep.unwrap();
    for body in [
        "\"$real\" \"$@\" | tr '\\000' ':'\n",
        "\"$real\" \"$@\" | cut -d: -f2-\n",
        "echo 'Binary file matches'\n",
        "exit 0\n",
        "exit 1\n",
        "exit 2\n",
    ] {
        let says = "case \"$1\" in --version) echo 'ripgrep 14.0.0'; exit;; esac\n";
        let fake = Fake::program(&ripgrep, &format!("{says}{body}"));
        let message = refused(only(&fake.program));
        assert!(message.contains("probe"), "{body}: {message}");
    }
}

#[test]
fn a_backend_that_violates_the_case_rules_is_not_used() {
    touchstone::verifies!("FR-LS-SRC-04.fail", "FR-LS-SRC-04");
    // Case is spelt out in the expression, in classes of bytes and alternatives; a program that
    // reads those otherwise fails its probe, and the call with it.
    let ripgrep = backends().ripgrep.unwrap();
    let says = "case \"$1\" in --version) echo 'ripgrep 14.0.0'; exit;; esac\n";
    let literal = "for one; do shift; case \"$one\" in --regexp=*) set -- \"$@\" -F \"$one\";; *) set -- \"$@\" \"$one\";; esac; done\n";
    let fake = Fake::program(&ripgrep, &format!("{says}{literal}exec \"$real\" \"$@\"\n"));
    assert!(refused(only(&fake.program)).contains("probe"));
    // One that leaves the capitals out of classes would lose lines whenever case is ignored.
    let strips = "for one; do shift; case \"$one\" in --regexp=*) set -- \"$@\" \"$(printf %s \"$one\" | sed 's/\\[[A-Z]\\([a-z]\\)\\]/\\1/g')\";; *) set -- \"$@\" \"$one\";; esac; done\n";
    let fake = Fake::program(&ripgrep, &format!("{says}{strips}exec \"$real\" \"$@\"\n"));
    assert!(refused(only(&fake.program)).contains("probe"));
    // A program that always folds passes the probe, and still does not affect an answer.
    let folds = "for one; do shift; case \"$one\" in --case-sensitive) set -- \"$@\" --ignore-case;; --regexp=*) set -- \"$@\" \"$(printf %s \"$one\" | sed 's/(?-u:/(?i-u:/')\";; *) set -- \"$@\" \"$one\";; esac; done\n";
    let fake = Fake::ripgrep(&format!("{folds}exec \"$real\" \"$@\""));
    let case = over(&[("a", "foo\nFoo\n\u{e9}\n\u{c9}\n")], json!({}));
    let ground = Ground::of(&case);
    let service = ground.service(only(&fake.program));
    for (pattern, expected) in
        [("foo", "a:1:1:foo"), ("Foo", "a:2:1:Foo"), ("\u{e9}", "a:3:1:\u{e9}")]
    {
        let request = json!({"pattern": pattern, "case": "sensitive"});
        assert_eq!(lines(&json(service.call("Search", &request))), [expected]);
    }
}

#[test]
fn ugrep_gets_a_file_list_from_its_first_supporting_version_on() {
    touchstone::verifies!(
        "FR-LSI-BE-UG-01",
        "FR-LSI-BE-UG-02",
        "FR-LSI-EXE-01",
        "T-LSI-EXE-01",
        "E-B02"
    );
    // The same files by an older ugrep, as that version does it.
    let real = backends().ugrep.unwrap();
    let listing = |version: &str| {
        let says = format!("case \"$1\" in --version) echo 'ugrep {version}'; exit;; esac\n");
        let keep = "list=; for one; do shift; case \"$one\" in --from=-) list=1;; *) set -- \"$@\" \"$one\";; esac; done\n";
        let probe = "for last; do :; done\ncase \"$last\" in -) exec \"$real\" \"$@\";; esac\n";
        let run = "echo \"by${list:-names}\" >> \"$here/calls\"\n[ -z \"$list\" ] && exec \"$real\" \"$@\"\n\
                   /usr/bin/xargs -d '\\n' \"$real\" \"$@\" --\n\
                   status=$?\n[ $status -eq 123 ] && exit 1\nexit $status\n";
        Fake::program(&real, &format!("{says}{probe}{keep}{run}"))
    };
    // More names than a pipe holds.
    let mut names: Vec<String> = (0..1_500).map(|number| format!("{number:0>60}")).collect();
    names.extend(["-rf", " lead", "end ", "#x", "'q\"", "--from=-"].map(str::to_owned));
    let of = |more: &[&str]| {
        let all = names.iter().map(String::as_str).chain(more.iter().copied());
        Ground::of(&over(&all.map(|name| (name, "foo\n")).collect::<Vec<_>>(), json!({})))
    };
    for (version, more, listed) in [
        ("7.4.2", &[][..], true),
        ("7.3.0", &[], false),
        ("7.4.2", &["line\nfeed"], false),
        ("7.4.2", &["return\r"], false),
    ] {
        let fake = listing(version);
        let ground = of(more);
        let service = ground.service(only(&fake.program));
        let request = json!({"pattern": "foo", "max_results": 10_000});
        let seen = json(service.call("Search", &request));
        assert_eq!(seen["count"], names.len() + more.len(), "{version} {more:?}");
        let calls = fake.note("calls");
        assert_eq!(!calls.contains("bynames"), listed, "{version} {more:?}: {calls}");
    }
}

#[test]
fn a_search_program_gets_no_shell_no_environment_and_no_input() {
    touchstone::verifies!("FR-LS-EXE", "FR-LS-03", "FR-LSI-BE-01");
    // No shell, no inherited environment, no input, and arguments that arrive as they are.
    let fake = Fake::ripgrep(
        "for one; do printf '[%s]' \"$one\"; done > \"$here/args\"\n/usr/bin/env > \"$here/env\"\n\
         cat > \"$here/input\"\npwd -P > \"$here/where\"\nexec \"$real\" \"$@\"",
    );
    let names = ["$(touch pwned)", "`id`;x", "a b'c\"d", "-rf", "n\nl"];
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (*name, "$HOME; foo && `x` | y > z\n")).collect();
    let ground = Ground::of(&over(&files, json!({})));
    let service = ground.service(only(&fake.program));
    let request = json!({"pattern": "$HOME; foo && `x` | y > z", "fixed_strings": true});
    let seen = json(service.call("Search", &request));
    assert_eq!(seen["count"], 5);
    let args = fake.note("args");
    for name in names {
        assert!(args.contains(&format!("[./{name}]")), "{args}");
    }
    // What a shell sets for itself is not inherited.
    let own = ["PWD=", "SHLVL=", "_=", "OLDPWD="];
    let env = fake.note("env");
    let inherited: Vec<&str> =
        env.lines().filter(|line| !own.iter().any(|name| line.starts_with(name))).collect();
    assert_eq!(inherited, [""; 0]);
    assert_eq!(fake.note("input"), "");
    assert_eq!(fake.note("where").trim_end(), ground.root().to_str().unwrap());
}
