// The SDK's client lists our tools and calls them as clients do: with nulls, with whole numbers that
// have a fraction, and by the names of other search tools. Run by `run`, in the directory where the
// SDK is, with the program as its argument.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const tree = mkdtempSync(join(tmpdir(), "forge-search-client-"));
writeFileSync(join(tree, "a.rs"), "fn needle() {}\n");
const ten = JSON.rawJSON("10.0");
const calls = [
  ["grep", { pattern: "needle", directory: null, include_path: "", max_results: ten, context_lines: null }],
  ["grep", { pattern: "needle", path: ".", glob: "*.rs", "-i": true, "-n": true, head_limit: ten, output_mode: "content" }],
  ["find_files", { pattern: "*.rs", path: null, max_results: ten }],
  ["search_text", { query: "needle", file_type: null, limit: ten }],
  ["keyword_search", { query: "needle", search_terms: null, use_model: false, max_results: ten }],
  ["Search", { pattern: "needle", include_glob: "*.rs", context: JSON.rawJSON("0.0") }],
  ["search_files", { path: ".", query: "needle", include_globs: null, max_results: ten }],
];

const client = new Client({ name: "conformance", version: "1" });
const args = ["--root", tree, "mcp", "--profile", "all"];
await client.connect(new StdioClientTransport({ command: process.argv[2], args, cwd: tree }));
try {
  const { tools } = await client.listTools();
  for (const [name, request] of calls) {
    if (!tools.some((tool) => tool.name === name)) throw new Error(`${name} is not listed`);
    // The client checks the answer against the listed schema.
    const answer = await client.callTool({ name, arguments: request });
    const text = answer.content.map((part) => part.text).join("\n");
    if (answer.isError || !text.includes("a.rs")) throw new Error(`${name}: ${text}`);
  }
  console.log(`client: ${tools.length} tools listed, ${calls.length} calls answered`);
} finally {
  await client.close();
  rmSync(tree, { recursive: true });
}
