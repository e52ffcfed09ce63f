//! Cutting results up and adding them together again.

use super::{MergeError, arrange, merge};
use crate::report::sample::{self, Draw};
use crate::results::{Cost, Results, Tried};

/// A run cut into `n` shards by chance: counts are split, findings are in some shards, the smallest
/// question in one.
#[expect(clippy::too_many_lines, reason = "one document, written out")]
fn cut(whole: &Results, n: u64, seed: u64) -> Vec<Results> {
    let mut draw = Draw::new(seed);
    let mut shards: Vec<Results> = (1..=n)
        .map(|k| Results {
            shards: vec![format!("{k}/{n}")],
            cells: Vec::new(),
            findings: Vec::new(),
            features: [].into(),
            relations: [].into(),
            cost: Cost::default(),
            ..whole.clone()
        })
        .collect();
    let count = usize::try_from(n).unwrap();
    let mut split = |total: u64| -> Vec<u64> {
        let mut left = total;
        let mut parts: Vec<u64> = (1..count)
            .map(|_| {
                let part = draw.below(left + 1);
                left -= part;
                part
            })
            .collect();
        parts.push(left);
        parts
    };
    for finding in &whole.findings {
        // Met at least once where it is; the smallest question is in the last of those.
        let met = split(finding.met);
        let last = met.iter().rposition(|met| *met > 0).unwrap();
        for (at, met) in met.iter().enumerate().filter(|(_, met)| **met > 0) {
            let mut part = finding.clone();
            (part.met, part.cpu_seconds) =
                (*met, finding.cpu_seconds + if at == last { 0.0 } else { 1.0 });
            if at != last {
                part.question.ask.patterns.push("larger".to_owned());
                part.title.push_str(" (larger)");
            }
            shards[at].findings.push(part);
        }
    }
    for cell in &whole.cells {
        let counts =
            [cell.agree, cell.declared, cell.known, cell.diverge, cell.unsupported, cell.broken]
                .map(&mut split);
        let [agree, declared, known, diverge, unsupported, broken] = counts;
        for (at, shard) in shards.iter_mut().enumerate() {
            let mut part = cell.clone();
            (part.agree, part.declared, part.known) = (agree[at], declared[at], known[at]);
            (part.diverge, part.unsupported, part.broken) =
                (diverge[at], unsupported[at], broken[at]);
            part.explained = part.wrong();
            part.findings.retain(|id| shard.findings.iter().any(|finding| finding.id == *id));
            if part.unsupported + part.broken == 0 {
                part.reason = None;
            }
            shard.cells.push(part);
        }
    }
    for (feature, cases) in &whole.features {
        for (shard, cases) in shards.iter_mut().zip(split(*cases)) {
            shard.features.insert(feature.clone(), cases);
        }
    }
    for (relation, tried) in &whole.relations {
        for ((shard, tried), broken) in
            shards.iter_mut().zip(split(tried.tried)).zip(split(tried.broken))
        {
            shard.relations.insert(relation.clone(), Tried { tried, broken });
        }
    }
    for ((shard, cases), asks) in
        shards.iter_mut().zip(split(whole.cost.cases)).zip(split(whole.cost.asks))
    {
        shard.cost = Cost { cases, asks, seconds: 1.5, cpu_seconds: 2.0 };
    }
    shards
}

fn whole() -> Results {
    let mut whole = sample::big();
    whole.shards.clear();
    // A reason is there for what was unsupported or broken, and nothing else.
    for cell in &mut whole.cells {
        cell.reason =
            (cell.unsupported + cell.broken > 0).then(|| "it has no such option".to_owned());
    }
    arrange(&mut whole);
    whole
}

#[test]
fn merged_shards_equal_the_whole_run_except_costs() {
    let whole = whole();
    for (n, seed) in [(2, 1), (3, 2), (7, 3)] {
        let mut shards = cut(&whole, n, seed);
        // Order does not matter.
        shards.rotate_left(usize::try_from(seed % n).unwrap());
        let mut merged = merge(shards, false).unwrap();
        assert_eq!(merged.shards, (1..=n).map(|k| format!("{k}/{n}")).collect::<Vec<_>>());
        assert!(
            (merged.cost.seconds - 1.5).abs() < 1e-9
                && (merged.cost.cpu_seconds - 2.0 * f64::from(u32::try_from(n).unwrap())).abs()
                    < 1e-9
        );
        assert_eq!((merged.cost.cases, merged.cost.asks), (whole.cost.cases, whole.cost.asks));
        merged.shards.clear();
        merged.cost = whole.cost;
        assert_eq!(merged, whole);
    }
}

#[test]
fn shards_can_be_merged_in_steps_and_in_any_order() {
    let whole = whole();
    let shards = cut(&whole, 4, 9);
    let at_once = merge(shards.clone(), false).unwrap();
    let backwards = merge(shards.iter().rev().cloned().collect(), false).unwrap();
    assert_eq!(
        serde_json::to_string(&at_once).unwrap(),
        serde_json::to_string(&backwards).unwrap()
    );
    let (left, right) = shards.split_at(1);
    let (left, right) = (merge(left.to_vec(), true).unwrap(), merge(right.to_vec(), true).unwrap());
    assert_eq!(merge(vec![right, left], false).unwrap(), at_once);
}

#[test]
fn findings_with_equal_questions_are_merged_the_same_from_either_side() {
    let shards = |first: &str, second: &str| {
        [first, second]
            .into_iter()
            .enumerate()
            .map(|(k, title)| {
                let mut results = Results { shards: vec![format!("{k}/2")], ..sample::small() };
                results.findings.truncate(1);
                results.findings[0].title = title.to_owned();
                results
            })
            .collect::<Vec<_>>()
    };
    let (one, other) =
        (merge(shards("a", "b"), false).unwrap(), merge(shards("b", "a"), false).unwrap());
    assert_eq!(one.findings, other.findings);
    assert_eq!((one.findings[0].met, one.findings.len()), (8, 1));
}

#[test]
fn incompatible_results_are_not_merged_and_the_reason_is_given() {
    let shard = |name: &str| Results { shards: vec![name.to_owned()], ..sample::small() };
    let told = |all: Vec<Results>, partial| merge(all, partial).unwrap_err().to_string();
    assert_eq!(told(vec![], false), "nothing to merge");
    let other_seed = Results { seed: 8, ..shard("2/2") };
    assert!(told(vec![shard("1/2"), other_seed], true).starts_with("seed 8 beside seed 7"));
    let other_schema = Results { schema: 9, ..shard("2/2") };
    assert!(told(vec![shard("1/2"), other_schema], true).starts_with("schema 9 beside schema 2"));
    assert_eq!(told(vec![shard("1/2"), shard("1/2")], true), "shard `1/2` is there twice");
    // Counted from 0 in one place and from 1 in another, these are the same batches.
    assert_eq!(told(vec![shard("0/2"), shard("2/2")], true), "shard `2/2` is there twice");
    assert_eq!(told(vec![sample::small(), sample::small()], false), "shard `1/1` is there twice");
    assert_eq!(
        told(vec![shard("1/2"), shard("2/3")], true),
        "shard `1/2` beside shard `2/3`; shards of one run have one `n`"
    );
    assert_eq!(told(vec![shard("x")], false), "`x` is no shard; shards are named `k/n`");
    assert_eq!(
        told(vec![shard("2/5"), shard("4/5")], false),
        "missing shards: 1/5, 3/5, 5/5; give `--partial` to do without"
    );
    assert_eq!(
        told(vec![shard("0/3")], false),
        "missing shards: 1/3, 2/3; give `--partial` to do without"
    );
    let mut fewer = shard("2/2");
    fewer.subjects.truncate(1);
    assert!(
        told(vec![shard("1/2"), fewer.clone()], false)
            .starts_with("`ripgrep@14.1.0` was not asked by every shard")
    );
    assert!(merge(vec![shard("1/2"), fewer.clone()], true).is_ok());
    fewer.subjects[0].version = "13.0.1".to_owned();
    assert!(matches!(merge(vec![shard("1/2"), fewer], true), Err(MergeError::Subject { .. })));
}

#[test]
fn merging_a_single_complete_run_changes_nothing() {
    let mut whole = sample::small();
    arrange(&mut whole);
    assert_eq!(merge(vec![whole.clone()], false).unwrap(), whole);
    let partial = merge(vec![Results { shards: vec!["2/4".to_owned()], ..whole }], true).unwrap();
    assert_eq!(partial.shards, ["2/4"]);
}
