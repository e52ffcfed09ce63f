//! Figures as Prometheus reads them: its text format 0.0.4.

use std::{
    collections::BTreeSet,
    fmt::{Display, Write},
};

use super::{
    histogram::SHARES,
    recorder::{Figures, Series},
};

/// All figures.
pub(super) fn written(figures: &Figures) -> String {
    let mut page = Page { figures, begun: BTreeSet::new(), text: String::new() };
    for (series, count) in figures.counters() {
        page.sample(&series, "counter", "", None, &count);
    }
    for (series, value) in figures.gauges() {
        page.sample(&series, "gauge", "", None, &value);
    }
    for (series, spread) in figures.histograms() {
        for ((_, share), seconds) in SHARES.iter().zip(spread.percentiles) {
            page.sample(&series, "summary", "", Some(share), &seconds);
        }
        page.sample(&series, "summary", "_sum", None, &spread.sum);
        page.sample(&series, "summary", "_count", None, &spread.count);
    }
    page.text
}

struct Page<'f> {
    figures: &'f Figures,
    /// Names that have their heading.
    begun: BTreeSet<String>,
    text: String,
}

impl Page<'_> {
    fn sample(
        &mut self,
        series: &Series,
        kind: &str,
        suffix: &str,
        quantile: Option<&str>,
        value: &dyn Display,
    ) {
        let name = &series.name;
        // Writing to a string does not fail.
        if self.begun.insert(name.clone()) {
            if let Some(help) = self.figures.help(name) {
                let _ = writeln!(
                    self.text,
                    "# HELP {name} {}",
                    help.replace('\\', "\\\\").replace('\n', "\\n")
                );
            }
            let _ = writeln!(self.text, "# TYPE {name} {kind}");
        }
        let labels = series.labels.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let labels: Vec<String> = labels
            .chain(quantile.map(|quantile| ("quantile", quantile)))
            .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
            .collect();
        let labels =
            if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "{name}{suffix}{labels} {value}");
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use forge_search_engine::observe::{self, Outcome};
    use metrics::{gauge, with_local_recorder};

    use super::{super::recorder::Figures, written};

    #[test]
    fn metrics_are_written_under_one_heading_each_with_percentiles() {
        let figures = Figures::default();
        with_local_recorder(&figures, || {
            observe::describe();
            observe::call_ended("grep", Outcome::Complete, Duration::from_millis(500), 3);
            observe::call_ended(
                "search_text",
                Outcome::Failed("invalid_query"),
                Duration::from_millis(250),
                0,
            );
        });
        let text = written(&figures);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
        assert_eq!(
            headings,
            [
                "# TYPE forge_search_calls_total counter",
                "# TYPE forge_search_errors_total counter",
                "# TYPE forge_search_results_total counter",
                "# TYPE forge_search_call_duration_seconds summary",
            ]
        );
        for line in [
            "# HELP forge_search_call_duration_seconds How long calls took",
            "forge_search_calls_total{tool=\"grep\",outcome=\"complete\"} 1",
            "forge_search_errors_total{tool=\"search_text\",error=\"invalid_query\"} 1",
            "forge_search_call_duration_seconds{tool=\"grep\",quantile=\"0.99\"} 0.5",
            "forge_search_call_duration_seconds_sum{tool=\"search_text\"} 0.25",
            "forge_search_call_duration_seconds_count{tool=\"search_text\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing:\n{text}");
        }
    }

    #[test]
    fn labels_are_escaped() {
        let figures = Figures::default();
        with_local_recorder(&figures, || gauge!("size", "path" => "a\"b\\c\nd").set(2.5));
        assert_eq!(written(&figures), "# TYPE size gauge\nsize{path=\"a\\\"b\\\\c\\nd\"} 2.5\n");
    }
}
