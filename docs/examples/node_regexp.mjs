#!/usr/bin/env node
// RegExp of Node, with the flag `u` or `v` by its first argument, as other_language.py asks it.
import { createInterface } from "node:readline";

let compiled;

// What ECMA-262 says otherwise than the adapter.
function declined(pattern, insensitive) {
  if (/\\s/i.test(pattern)) return "`\\s` has spaces beyond ASCII, and U+FEFF";
  const apart = pattern.replaceAll(/\(\?<?!\\w\)/g, "");
  if (insensitive && /\\w/i.test(apart)) return "`\\w` has ſ and K where case does not count";
  const all = process.argv[2] === "u" && insensitive && /\\P/.test(pattern);
  return all ? "`\\P{Lu}` has every letter unless case counts or the flag is `v`" : null;
}

function compile(pattern, insensitive) {
  try {
    compiled = new RegExp(pattern, "gs" + process.argv[2] + (insensitive ? "i" : ""));
    return declined(pattern, insensitive);
  } catch (error) {
    return error.message;
  }
}

function matches(line) {
  const bytes = (end) => Buffer.byteLength(line.slice(0, end));
  const ends = [...line.matchAll(compiled)].map((one) => [one.index, one.index + one[0].length]);
  return ends.map((span) => span.map(bytes));
}

if (process.argv.includes("--version")) console.log(process.versions.node);
else
  for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line);
    const answer = typeof told === "string" ? matches(told) : compile(...told);
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
