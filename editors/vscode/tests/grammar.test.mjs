// The grammar by the editor's own reader of grammars: the colours of the words that matter, line by line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const { INITIAL, Registry, parseRawGrammar } = textmate;
const here = join(import.meta.dirname, "..");
const files = { "source.groma.hcl": "syntaxes/hcl.tmLanguage.json", "source.groma.template": "syntaxes/template.tmLanguage.json" };
const grammars = {};

before(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => parseRawGrammar(readFileSync(join(here, files[scope]), "utf8"), files[scope]),
  });
  for (const scope of Object.keys(files)) grammars[scope] = await registry.loadGrammar(scope);
});

/** The words of a text with the innermost of their scopes that is not a frame. */
function words(text, scope = "source.groma.hcl") {
  let stack = INITIAL;
  const found = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammars[scope].tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      if (word !== "") found.push([word, scopes.at(-1), scopes]);
    }
  }
  return found;
}

/** The scope of the first word that is `wanted`. */
function scopeOf(text, wanted, scope) {
  const found = words(text, scope).find(([word]) => word === wanted);
  assert.ok(found, `${wanted} is not a word of its own in ${JSON.stringify(words(text, scope).map(([word]) => word))}`);
  return found[1];
}

test("blocks, labels and arguments", () => {
  const text = 'resource "aws_vpc" main {\n  cidr_block = var.range\n  tags { a = 1 }\n}\nlocals {}';
  assert.equal(scopeOf(text, "resource"), "entity.name.type.block.hcl");
  assert.equal(scopeOf(text, '"aws_vpc"'), "string.quoted.double.label.hcl");
  assert.equal(scopeOf(text, "main"), "variable.other.enummember.label.hcl");
  assert.equal(scopeOf(text, "cidr_block"), "variable.other.property.hcl");
  assert.equal(scopeOf(text, "tags"), "entity.name.type.block.hcl");
  assert.equal(scopeOf(text, "locals"), "entity.name.type.block.hcl");
  assert.equal(scopeOf(text, "var"), "variable.language.hcl");
  assert.equal(scopeOf(text, "range"), "variable.other.readwrite.hcl");
});

test("a block ends where it ends", () => {
  const text = 'a {\n  b = { c = "}" }\n  d = <<-E\n    } ${x}\n  E\n}\nlast = 1';
  const last = words(text).find(([word]) => word === "last");
  assert.deepEqual(last[2], ["source.groma.hcl", "variable.other.property.hcl"]);
});

test("expressions", () => {
  const text = 'x = [for name, net in var.nets : upper(name) if net.size >= 1.5e3 && !false]\ny = provider::aws::arn(a.b[*].c, d...)\nz = optional(list(string))';
  assert.equal(scopeOf(text, "for"), "keyword.control.for.hcl");
  assert.equal(scopeOf(text, "name"), "variable.parameter.hcl");
  assert.equal(scopeOf(text, "in"), "keyword.control.in.hcl");
  assert.equal(scopeOf(text, "if"), "keyword.control.if.hcl");
  assert.equal(scopeOf(text, "upper"), "support.function.hcl");
  assert.equal(scopeOf(text, "1.5e3"), "constant.numeric.hcl");
  assert.equal(scopeOf(text, "false"), "constant.language.hcl");
  assert.equal(scopeOf(text, "&&"), "keyword.operator.logical.hcl");
  assert.equal(scopeOf(text, "provider::aws::arn"), "support.function.hcl");
  assert.equal(scopeOf(text, "*"), "keyword.operator.splat.hcl");
  assert.equal(scopeOf(text, "string"), "support.type.hcl");
});

test("texts and their templates", () => {
  const text = 'a = "x\\n$${no} ${local.b}" # words\nc = <<EOT\n%{ if true ~}\n${d}\n%{ endif }\nEOT\ne = 2';
  assert.equal(scopeOf(text, "\\n"), "constant.character.escape.hcl");
  assert.equal(scopeOf(text, "$${"), "constant.character.escape.hcl");
  assert.equal(scopeOf(text, "local"), "variable.language.hcl");
  assert.match(scopeOf(text, "words"), /^comment\.line/);
  assert.equal(scopeOf(text, "EOT"), "keyword.control.heredoc.hcl");
  assert.equal(scopeOf(text, "if"), "keyword.control.directive.hcl");
  assert.equal(scopeOf(text, "endif"), "keyword.control.directive.hcl");
  assert.equal(scopeOf(text, "e"), "variable.other.property.hcl");
});

test("templates", () => {
  const text = 'Hello ${name} = "a"\n%{ for x in y }${x}%{ endfor }';
  assert.equal(scopeOf(text, "name", "source.groma.template"), "variable.other.hcl");
  assert.equal(scopeOf(text, "endfor", "source.groma.template"), "keyword.control.directive.hcl");
  assert.equal(scopeOf(text, "Hello", "source.groma.template"), "source.groma.template");
});
