#!/usr/bin/env node
// RegExp of Node, with the flag `u` or `v` by its first argument, as other_language.py asks it.
import { createInterface } from "node:readline";

let compiled;

function compile(pattern, insensitive) {
  try {
    compiled = new RegExp(pattern, "gs" + process.argv[2] + (insensitive ? "i" : ""));
    return null;
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
