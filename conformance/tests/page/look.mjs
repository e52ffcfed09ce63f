// Checks a report page in a browser; prints what is wrong, and exits with 1 if anything is.
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [chromium, path, axe] = process.argv.slice(2);
const rules = readFileSync(axe, "utf8");
const wrong = [];
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });

async function opened(width, scheme) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => wrong.push(`${width} ${scheme}: ${error.message}`));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`file://${path}`);
  return page;
}

async function accessible(page, where) {
  await page.evaluate(rules);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of violations) {
    wrong.push(`${where}: ${id}, ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
  }
}

for (const width of [360, 400, 800, 1600]) {
  const page = await opened(width, "light");
  const found = await page.evaluate(() => {
    const sizes = (selector, side) =>
      [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect()[side]);
    const names = [...document.querySelectorAll(".matrix tbody th")];
    return {
      sideways: document.documentElement.scrollWidth - innerWidth,
      rows: sizes(".matrix tbody tr", "height"),
      narrowest: Math.min(...sizes(".matrix tbody th", "width")),
      cut: names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
    };
  });
  const expect = (holds, what) => holds || wrong.push(`${width}: ${what}`);
  expect(found.rows.length > 10, `${found.rows.length} rows`);
  expect(found.sideways <= 0, `the page scrolls sideways by ${found.sideways} px`);
  expect(Math.max(...found.rows) <= 48, `a row is ${Math.max(...found.rows)} px high`);
  expect(found.narrowest >= 100, `the column of groups is ${found.narrowest} px wide`);
  expect(found.cut.length === 0 || width > 768, `names are cut: ${found.cut.join(", ")}`);
  await page.close();
}

for (const scheme of ["light", "dark"]) {
  for (const width of [400, 1600]) {
    const page = await opened(width, scheme);
    await accessible(page, `${width} ${scheme}`);
    // Arrows lead from cell to cell, Enter opens one, Escape leads back to it.
    await page.focus('.matrix td[tabindex="0"]');
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    if (await page.evaluate(() => document.querySelector("dialog").open)) {
      await accessible(page, `${width} ${scheme}, a case`);
    } else {
      wrong.push(`${width} ${scheme}: Enter in a cell opens nothing`);
    }
    await page.keyboard.press("Escape");
    const back = await page.evaluate(
      () => !document.querySelector("dialog").open && document.activeElement.matches(".matrix td:nth-of-type(2)"),
    );
    if (!back) wrong.push(`${width} ${scheme}: Escape does not lead back to the cell`);
    await page.close();
  }
}
await browser.close();
for (const line of wrong) console.error(line);
const fine = wrong.length === 0;
console.log(fine ? "the page fits all widths, and axe-core finds nothing" : `${wrong.length} faults`);
process.exitCode = fine ? 0 : 1;
