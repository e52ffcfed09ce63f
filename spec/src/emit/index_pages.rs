//! `docs/tables/index-*.md`: the tables of the index.

use std::fmt::Write as _;

use super::pages::{cite, code, page, table};
use crate::index::{
    Effect, IndexKey, IndexKeyType, Machine, Next, Reason, ReasonKind, Row, StateId, StatsField,
    Trigger, ValuesFrom, Way,
};
use crate::specification::Spec;

/// The matrix, and every row of it.
#[expect(clippy::too_many_lines, reason = "one section of the page after the other")]
pub(super) fn transitions(spec: &Spec) -> String {
    let index = &spec.index;
    let machine = &index.machine;
    let mut out = page(
        "The index: what happens when",
        "`spec/index/machine.yaml` and `spec/index/transitions.yaml`",
    );
    out.push_str(
        "\nCells: `·` proposes nothing; `!` does not happen, and would propose nothing; `→S` proposes state S; `+R` adds a reason, `−R` \
         resolves one; `[g]` only if g held before the tick; `/` separates rows, of which the first counts that holds; `*` has \
         actions, which the list of rows below names. The picture of it is `docs/index-states.svg`, and how a tick combines \
         rows is section 5 of `docs/claims.md`.\n\n",
    );
    let states: Vec<String> = machine
        .states
        .iter()
        .map(|state| format!("{} {}", state.letter, code(state.id.value.name())))
        .collect();
    let _ = writeln!(out, "States: {}.", states.join(", "));
    let letters: Vec<String> =
        machine.states.iter().map(|state| state.letter.to_string()).collect();
    let head: Vec<&str> =
        ["#", "trigger", "ids"].into_iter().chain(letters.iter().map(String::as_str)).collect();
    for class in &machine.classes {
        let _ = writeln!(out, "\n## Class {}: {}", class.class.value, class.name);
        let members = index.transitions.triggers.iter().enumerate();
        let members = members.filter(|(_, trigger)| trigger.class.value == class.class.value);
        table(
            &mut out,
            &head,
            members.map(|(place, trigger)| {
                let mut cells =
                    vec![(place + 1).to_string(), code(&trigger.id.value), cite(&trigger.ids)];
                cells.extend(
                    machine.states.iter().map(|state| cell(machine, trigger, state.id.value)),
                );
                cells
            }),
        );
    }
    out.push_str("\n## What the triggers mean\n");
    table(
        &mut out,
        &["#", "trigger", "meaning", "recovers by", "clauses"],
        index.transitions.triggers.iter().enumerate().map(|(place, trigger)| {
            let way = trigger.way.as_ref().map_or_else(String::new, |way| spoken(way.value));
            let number = (place + 1).to_string();
            vec![
                number,
                code(&trigger.id.value),
                trigger.meaning.clone(),
                way,
                cite(&trigger.clauses),
            ]
        }),
    );
    out.push_str("\n## Rows\n\nWhere no row holds, a trigger says nothing.\n");
    let rows = index.transitions.rows().filter(|(_, row)| row.next.value != Next::Impossible);
    table(
        &mut out,
        &["trigger", "in", "if", "next", "adds", "resolves", "status", "actions"],
        rows.map(|(trigger, row)| {
            let states: String =
                row.states.iter().map(|state| machine.letter(state.value)).collect();
            vec![
                code(&trigger.id.value),
                states,
                list(row.when.iter().map(|condition| condition.value.to_string())),
                next(machine, row),
                cite(&row.adds),
                cite(&row.resolves),
                list(row.effects.iter().map(|effect| effect.value.name().to_owned())),
                cite(&row.actions),
            ]
        }),
    );
    out
}

fn list(all: impl IntoIterator<Item = String>) -> String {
    all.into_iter().collect::<Vec<_>>().join(", ")
}

fn next(machine: &Machine, row: &Row) -> String {
    match row.next.value {
        Next::NoChange => "·".to_owned(),
        Next::Impossible => "!".to_owned(),
        Next::State(state) => format!("→{}", machine.letter(state)),
    }
}

fn cell(machine: &Machine, trigger: &Trigger, state: StateId) -> String {
    let rows: Vec<&Row> = trigger.cell(state).collect();
    let always = rows.last().is_some_and(|row| row.when.is_empty());
    let told = rows.into_iter().map(|row| {
        let mut parts = Vec::new();
        if !row.when.is_empty() {
            parts.push(format!(
                "[{}]",
                list(row.when.iter().map(|condition| condition.value.to_string()))
            ));
        }
        let starred = if row.actions.is_empty() { "" } else { "*" };
        parts.push(format!("{}{starred}", next(machine, row)));
        parts.extend(row.adds.iter().map(|reason| format!("+{}", reason.value)));
        match row.resolves.len() {
            0 => {}
            1 => parts.extend(row.resolves.iter().map(|reason| format!("−{}", reason.value))),
            many => parts.push(format!("−{many} reasons")),
        }
        let scan_or_lent =
            |effect: &Effect| !matches!(effect, Effect::WatcherLive | Effect::WatcherDown);
        let effects = row.effects.iter().map(|effect| effect.value).filter(scan_or_lent);
        parts.extend(effects.map(|effect| effect.name().to_owned()));
        parts.join(" ")
    });
    told.chain((!always).then(|| "·".to_owned())).collect::<Vec<_>>().join(" / ")
}

fn spoken(way: Way) -> String {
    way.name().replace('_', " ")
}

pub(super) fn reasons(spec: &Spec) -> String {
    let machine = &spec.index.machine;
    let mut out = page("The index: states, reasons, actions, duties", "`spec/index/machine.yaml`");
    out.push_str("\n## States\n\nOf the states that a tick proposes, the most severe wins.\n");
    table(
        &mut out,
        &["severity", "", "state", "meaning", "clauses"],
        machine.severity.order.iter().enumerate().filter_map(|(place, ranked)| {
            let state = machine.states.iter().find(|state| state.id.value == ranked.value)?;
            let name = code(state.id.value.name());
            let rank = (place + 1).to_string();
            Some(vec![
                rank,
                state.letter.to_string(),
                name,
                state.meaning.clone(),
                cite(&state.clauses),
            ])
        }),
    );
    out.push_str("\n## Reasons\n\nThe reason of the first rank is shown.\n");
    table(
        &mut out,
        &["rank", "reason", "kind", "disturbs a scan", "recovered by", "meaning", "clauses"],
        machine.reasons.iter().enumerate().map(|(place, reason)| {
            vec![
                (place + 1).to_string(),
                code(&reason.id.value),
                reason.kind.name().to_owned(),
                if reason.disturbs { "yes" } else { "" }.to_owned(),
                recovery(reason),
                reason.meaning.clone(),
                cite(&reason.clauses),
            ]
        }),
    );
    out.push_str(
        "\n`call`: for the answer of a single call that looked at every file itself, and for nobody else.\n\n## Actions\n\nIn the \
         order in which a tick lists them. Additive ones are carried out whether their row wins or not; owned ones for the row that \
         wins, and for rows that propose nothing when nothing won; a proof is owned, and only carried out in COMPLETE.\n",
    );
    table(
        &mut out,
        &["action", "kind", "meaning", "clauses"],
        machine.actions.iter().map(|action| {
            let kind = action.kind.name().to_owned();
            vec![code(&action.id.value), kind, action.meaning.clone(), cite(&action.clauses)]
        }),
    );
    out.push_str(
        "\n## Duties\n\nWhat the background has to do; of a state's rows the first that holds.\n",
    );
    table(
        &mut out,
        &["in", "if", "duty", "clauses"],
        machine.duties.iter().map(|duty| {
            vec![
                list(duty.states.iter().map(|state| code(state.value.name()))),
                list(duty.when.iter().map(|condition| condition.value.to_string())),
                spoken_duty(duty.duty.value.name()),
                cite(&duty.clauses),
            ]
        }),
    );
    out
}

fn recovery(reason: &Reason) -> String {
    match reason.kind {
        ReasonKind::Statistic => "never a cause of a state".to_owned(),
        _ => list(reason.recovered_by.iter().map(|way| spoken(*way))),
    }
}

fn spoken_duty(name: &str) -> String {
    name.replace('_', " ")
}

pub(super) fn configuration(spec: &Spec) -> String {
    let configuration = &spec.index.configuration;
    let mut out = page("The index: configuration", "`spec/index/configuration.yaml`");
    out.push_str(
        "\nA `deterministic` key can change what an answer says for equal inputs and events, `stats` included; a `best_effort` key \
         only when things happen, how fast, and what they cost. A value outside its bounds is refused.\n",
    );
    table(
        &mut out,
        &["key", "type", "bounds", "documents", "agent", "class", "meaning", "clauses"],
        configuration.keys.iter().map(|key| {
            let shown = |value: Option<&serde_json::Value>| {
                value.map_or_else(String::new, |value| written(key, value))
            };
            vec![
                code(format!("{}.{}", configuration.section, key.name.value)),
                key.kind.name().to_owned(),
                bounds(key),
                shown(key.in_documents()),
                shown(key.in_agent()),
                code(key.class.name()),
                key.meaning.clone(),
                cite(&key.clauses),
            ]
        }),
    );
    out
}

fn written(key: &IndexKey, value: &serde_json::Value) -> String {
    match value.as_u64() {
        Some(seed) if key.kind == IndexKeyType::Seed => code(format!("0x{seed:016X}")),
        _ => code(value),
    }
}

fn bounds(key: &IndexKey) -> String {
    let numbers = match (&key.minimum, &key.maximum) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        _ => list(key.values.iter().map(code)),
    };
    match key.maximum_entries {
        Some(most) if numbers.is_empty() => format!("at most {most}"),
        Some(most) => format!("at most {most} of {numbers}"),
        None => numbers,
    }
}

pub(super) fn stats(spec: &Spec) -> String {
    let stats = &spec.index.stats;
    let mut out = page("The index: what `stats` says", "`spec/index/stats.yaml`");
    out.push_str(
        "\n`deterministic` fields are equal for equal inputs and equal states of the index; `best_effort` fields may vary, and no \
         comparison of answers looks at them.\n",
    );
    fields(&mut out, spec, &stats.fields);
    out.push_str("\n## While a build runs\n");
    fields(&mut out, spec, &stats.build);
    out
}

fn fields(out: &mut String, spec: &Spec, fields: &[StatsField]) {
    let reasons =
        spec.index.machine.reasons.iter().filter(|reason| reason.kind != ReasonKind::Statistic);
    let reasons: Vec<String> = reasons.map(|reason| code(&reason.id.value)).collect();
    table(
        out,
        &["field", "type", "values", "class", "meaning", "clauses"],
        fields.iter().map(|field| {
            let values = match (field.values_from, field.value) {
                (Some(ValuesFrom::Reasons), _) => reasons.join(", "),
                (None, Some(value)) => code(value),
                (None, None) => list(field.values.iter().map(code)),
            };
            let null = if field.nullable { " or null" } else { "" };
            vec![
                code(&field.name.value),
                format!("{}{null}", field.kind.name()),
                values,
                code(field.class.name()),
                field.meaning.clone(),
                cite(&field.clauses),
            ]
        }),
    );
}
