//! A plot of how many queries are answered how much faster.

use std::{error::Error, path::Path};

use plotters::prelude::*;

/// One rival: its name, and by how much each question is answered faster than it does, ascending.
pub(crate) type Line = (String, Vec<f64>);

const SIZE: (u32, u32) = (960, 520);

/// Draws for each rival the share of questions that are answered at least so many times faster.
pub(crate) fn draw(place: &Path, lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let all = || lines.iter().flat_map(|(_, ratios)| ratios.iter().copied());
    let least = all().fold(1.0, f64::min);
    let most = all().fold(1.0, f64::max);
    let area = SVGBackend::new(place, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Search through the server, index complete", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d((least * 0.8..most * 1.2).log_scale(), 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_desc("times as fast as the rival, at least")
        .y_desc("questions, percent")
        .x_label_formatter(&|ratio| format!("{ratio}"))
        .draw()?;
    for (number, (name, ratios)) in lines.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        chart
            .draw_series(LineSeries::new(steps(ratios), colour.stroke_width(2)))?
            .label(name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    // What is left of this line is a loss.
    chart.draw_series(LineSeries::new([(1.0, 0.0), (1.0, 100.0)], BLACK.mix(0.5)))?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}

/// The corners of the falling line.
#[expect(clippy::cast_precision_loss, reason = "a handful of questions")]
fn steps(ratios: &[f64]) -> Vec<(f64, f64)> {
    let share = |left: usize| 100.0 * left as f64 / ratios.len().max(1) as f64;
    let corner = |(number, ratio): (usize, &f64)| {
        [(*ratio, share(ratios.len() - number)), (*ratio, share(ratios.len() - number - 1))]
    };
    ratios.iter().enumerate().flat_map(corner).collect()
}
