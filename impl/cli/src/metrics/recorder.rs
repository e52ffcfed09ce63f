//! The recorder: figures in memory, by name and labels, from their first record to the end of the
//! process.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use forge_search_engine::observe;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use parking_lot::Mutex;

use super::{
    histogram::{Durations, Spread},
    snapshot::{Index, Latency, Summary},
};

/// A name and labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Series {
    pub(super) name: String,
    /// In the order in which they were described.
    pub(super) labels: Vec<(String, String)>,
}

impl Series {
    fn of(key: &Key) -> Self {
        let label = |label: &metrics::Label| (label.key().to_owned(), label.value().to_owned());
        Self { name: key.name().to_owned(), labels: key.labels().map(label).collect() }
    }

    /// The value of a label.
    fn label(&self, name: &str) -> &str {
        self.labels.iter().find(|(label, _)| label == name).map_or("", |(_, value)| value)
    }
}

/// One kind of figure, by series.
type Kept<F> = Mutex<BTreeMap<Series, Arc<F>>>;

/// All figures.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    counters: Kept<AtomicU64>,
    /// Numbers by their bits, as the facade has it.
    gauges: Kept<AtomicU64>,
    histograms: Kept<Durations>,
    help: Mutex<BTreeMap<String, String>>,
}

fn kept<F: Default>(figures: &Kept<F>, key: &Key) -> Arc<F> {
    Arc::clone(figures.lock().entry(Series::of(key)).or_default())
}

fn read<F, T>(figures: &Kept<F>, value: impl Fn(&F) -> T) -> Vec<(Series, T)> {
    figures.lock().iter().map(|(series, figure)| (series.clone(), value(figure))).collect()
}

impl Recorder for Figures {
    fn describe_counter(&self, name: KeyName, _unit: Option<Unit>, help: SharedString) {
        self.help.lock().insert(name.as_str().to_owned(), help.into_owned());
    }

    fn describe_gauge(&self, name: KeyName, unit: Option<Unit>, help: SharedString) {
        self.describe_counter(name, unit, help);
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, help: SharedString) {
        self.describe_counter(name, unit, help);
    }

    fn register_counter(&self, key: &Key, _metadata: &Metadata<'_>) -> Counter {
        Counter::from_arc(kept(&self.counters, key))
    }

    fn register_gauge(&self, key: &Key, _metadata: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(kept(&self.gauges, key))
    }

    fn register_histogram(&self, key: &Key, _metadata: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(kept(&self.histograms, key))
    }
}

impl Figures {
    pub(super) fn counters(&self) -> Vec<(Series, u64)> {
        read(&self.counters, |counter| counter.load(Relaxed))
    }

    pub(super) fn gauges(&self) -> Vec<(Series, f64)> {
        read(&self.gauges, |gauge| f64::from_bits(gauge.load(Relaxed)))
    }

    pub(super) fn histograms(&self) -> Vec<(Series, Spread)> {
        read(&self.histograms, Durations::spread)
    }

    /// What a figure means, if it was said.
    pub(super) fn help(&self, name: &str) -> Option<String> {
        self.help.lock().get(name).cloned()
    }

    /// The figures as they are stored.
    pub(crate) fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for (series, count) in self.counters() {
            let tool = summary.tools.entry(series.label("tool").to_owned()).or_default();
            match series.name.as_str() {
                observe::CALLS => match series.label("outcome") {
                    "complete" => tool.complete = count,
                    "partial" => tool.partial = count,
                    _ => tool.failed = count,
                },
                observe::RESULTS => tool.results = count,
                observe::ERRORS => {
                    *tool.errors.entry(series.label("error").to_owned()).or_default() = count;
                }
                observe::RATE_LIMITED => tool.rate_limited = count,
                _ => {}
            }
        }
        for (series, spread) in self.histograms() {
            summary.tools.entry(series.label("tool").to_owned()).or_default().latency =
                Latency::from(spread);
        }
        for (series, value) in self.gauges() {
            let Ok(number) = series.label("index").parse::<usize>() else { continue };
            if summary.indexes.len() <= number {
                summary.indexes.resize_with(number + 1, Index::default);
            }
            let Some(index) = summary.indexes.get_mut(number) else { continue };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "numbers of files"
            )]
            match series.name.as_str() {
                observe::INDEX_STATE if value > 0.5 => {
                    series.label("state").clone_into(&mut index.state);
                }
                observe::INDEX_FILES => index.files = value as u64,
                observe::INDEX_PENDING => index.pending = value as u64,
                _ => {}
            }
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use forge_search_engine::observe::{self, Outcome};
    use metrics::{gauge, with_local_recorder};

    use super::Figures;

    /// NFR-015b-13, NFR-015b-14.
    #[test]
    fn calls_are_summed_up_by_tool_with_percentiles_errors_and_rate_limit_hits() {
        let figures = Figures::default();
        with_local_recorder(&figures, || {
            for millis in 1..=100 {
                observe::call_ended("grep", Outcome::Complete, Duration::from_millis(millis), 2);
            }
            observe::call_ended("grep", Outcome::Partial, Duration::from_millis(1), 20);
            observe::rate_limited("search_text", 30, 45);
            observe::call_ended(
                "search_text",
                Outcome::Failed("rate_limit_exceeded"),
                Duration::ZERO,
                0,
            );
        });
        let summary = figures.summary();
        let grep = &summary.tools["grep"];
        assert_eq!((grep.complete, grep.partial, grep.failed, grep.results), (100, 1, 0, 220));
        let latency = grep.latency;
        assert!((50.0..52.0).contains(&latency.p50_ms), "{latency:?}");
        assert!((90.0..93.0).contains(&latency.p90_ms), "{latency:?}");
        assert!((99.0..=100.0).contains(&latency.p99_ms), "{latency:?}");
        assert_eq!((latency.count, latency.max_ms), (101, 100.0));
        let search_text = &summary.tools["search_text"];
        assert_eq!((search_text.failed, search_text.rate_limited), (1, 1));
        assert_eq!(search_text.errors["rate_limit_exceeded"], 1);
    }

    #[test]
    fn an_index_has_the_last_reported_state() {
        let figures = Figures::default();
        with_local_recorder(&figures, || {
            for (building, complete) in [(1.0, 0.0), (0.0, 1.0)] {
                gauge!(observe::INDEX_STATE, "index" => "1", "state" => "BUILDING").set(building);
                gauge!(observe::INDEX_STATE, "index" => "1", "state" => "COMPLETE").set(complete);
            }
            gauge!(observe::INDEX_FILES, "index" => "1").set(40.0);
        });
        let indexes = figures.summary().indexes;
        assert_eq!(
            (indexes.len(), indexes[1].state.as_str(), indexes[1].files),
            (2, "COMPLETE", 40)
        );
    }
}
