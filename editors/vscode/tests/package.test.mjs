// The manifest: what it promises is there, and a package holds what it needs and no more.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { packageManifest, vsixManifest } from "../package.mjs";

const here = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const { contributes } = manifest;

test("every file that is named exists", () => {
  const files = [
    ...contributes.languages.map((one) => one.configuration),
    ...contributes.grammars.map((one) => one.path),
    ...contributes.walkthroughs.flatMap((one) => one.steps.map((step) => step.media.markdown)),
    ...Object.values(contributes.views).flat().map((view) => view.icon),
  ];
  for (const file of files) assert.ok(existsSync(join(here, file)), file);
});

test("every command is registered, by the extension or by the server", () => {
  const sources = ["extension.ts", "session.ts"].map((name) => readFileSync(join(here, "src", name), "utf8")).join("\n");
  for (const { command } of contributes.commands) assert.ok(sources.includes(`"${command}"`), command);
});

test("the languages of the manifest are those of the code", () => {
  const source = readFileSync(join(here, "src/languages.ts"), "utf8");
  for (const { id } of contributes.languages) assert.ok(source.includes(`"${id}"`), id);
});

test("the settings are those of the server, and each is described", () => {
  const settings = contributes.configuration.flatMap((part) => Object.entries(part.properties));
  const server = readFileSync(join(here, "../../crates/lsp/src/settings.rs"), "utf8");
  for (const name of ["varFiles", "variables", "dialect", "schema", "inlayHints"]) {
    assert.ok(settings.some(([setting]) => setting === `groma.${name}`), name);
    assert.ok(server.includes(`groma.${name}`), name);
  }
  for (const [name, setting] of settings) assert.ok(setting.markdownDescription ?? setting.description, name);
});

test("tools for agents are the same in the manifest and in the code", () => {
  const source = readFileSync(join(here, "src/agentTools.ts"), "utf8");
  for (const { name } of contributes.languageModelTools) assert.ok(source.includes(`${name}: async`), name);
});

test("a package has one entry and says its platform", () => {
  assert.equal(packageManifest("web").main, undefined);
  assert.equal(packageManifest("web").browser, manifest.browser);
  assert.equal(packageManifest("linux-x64").browser, undefined);
  assert.equal(packageManifest("linux-x64").devDependencies, undefined);
  assert.match(vsixManifest("darwin-arm64"), /TargetPlatform="darwin-arm64"/);
  assert.match(vsixManifest("web"), /ExtensionKind" Value="web"/);
});

test("the version is that of the command", () => {
  const cargo = readFileSync(join(here, "../../Cargo.toml"), "utf8");
  assert.ok(cargo.includes(`\nversion = "${manifest.version}"`));
});

test("the table of requests names what the server answers", () => {
  const sources = join(here, "../../crates/lsp/src");
  const server = readdirSync(sources, { recursive: true })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => readFileSync(join(sources, name), "utf8"))
    .join("\n");
  const page = readFileSync(join(here, "../../docs/reference/editor-requests.md"), "utf8");
  const tables = page.slice(0, page.indexOf("## What they have"));
  const rows = tables.split("\n").filter((line) => line.startsWith("| `") && /\| yes[^|]*\|$/.test(line));
  const names = rows.flatMap((row) => [...row.split("|")[1].matchAll(/`([^`]+\/[^`]+)`/g)].map((match) => match[1]));
  assert.ok(names.length > 30);
  // Names that begin with the name of a request before them are written without it; questions to refresh are made of two parts.
  const isAnswered = (name) => server.includes(`"${name}"`) || server.includes(`/${name}"`) || (name.endsWith("/refresh") && server.includes('/refresh"'));
  assert.deepEqual(names.filter((name) => !isAnswered(name)), []);
});
