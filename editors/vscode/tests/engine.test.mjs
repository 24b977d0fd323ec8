// The engine as one file: it imports nothing, and answers through its two buffers. It is there after `node engine.mjs`.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test as nodeTest } from "node:test";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const file = join(import.meta.dirname, "../dist/groma.wasm");
// This file is the worker of its last test, too; there are no tests there.
const test = isMainThread ? nodeTest : () => undefined;
const skip = existsSync(file) ? false : "dist/groma.wasm is not built";

/** A bare instance, so that nothing but the exports is used. */
function instance() {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  const write = (text) => {
    const bytes = new TextEncoder().encode(text);
    const address = exports.groma_input(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
    return bytes.length;
  };
  const read = (length) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.groma_output(), length));
  const put = (path, text) => {
    const length = new TextEncoder().encode(path).length;
    write(path + text);
    exports.groma_lsp_put(length);
  };
  const send = (message) => {
    write(JSON.stringify({ jsonrpc: "2.0", ...message }));
    exports.groma_lsp_receive();
    const messages = [];
    let state;
    do {
      state = exports.groma_lsp_work();
      for (let length = exports.groma_lsp_next(); length > 0; length = exports.groma_lsp_next()) messages.push(JSON.parse(read(length)));
    } while (state === 1);
    return { state, messages };
  };
  return { exports, write, read, put, send };
}

test("it imports nothing", { skip }, () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file))), []);
});

test("the JSON door answers", { skip }, () => {
  const { exports, write, read } = instance();
  const ask = (request) => {
    write(JSON.stringify(request));
    return JSON.parse(read(exports.groma_door()));
  };
  assert.deepEqual(ask({ id: 1, call: "open", files: { "main.tf": "locals { n = 2 }" } }), { id: 1, answer: { handle: 1 } });
  const answer = ask({ id: 2, call: "ask", handle: 1, question: "eval", expression: "local.n + 1" });
  assert.equal(answer.answer.value, 3);
});

test("the server reads what was handed over", { skip }, () => {
  const { exports, write, put, send } = instance();
  put("/m/main.tf", 'module "n" {\n  source = "./n"\n}\n\nlocals {\n  a = "${module.n.é}!"\n  big = file("large")\n}\n');
  put("/m/n/main.tf", 'output "é" {\n  value = "ü"\n}\n');
  write("/m/large");
  exports.groma_lsp_list(1 << 21);
  send({ id: 1, method: "initialize", params: { workspaceFolders: [{ uri: "file:///m", name: "m" }], capabilities: {} } });
  send({ method: "initialized", params: {} });
  const evaluated = (expression) => {
    const { messages } = send({ id: 2, method: "groma/eval", params: { textDocument: { uri: "file:///m/main.tf" }, expression } });
    return messages.find((message) => message.id === 2).result;
  };
  assert.equal(evaluated("local.a").value, "ü!");
  assert.match(JSON.stringify(evaluated("local.big")), /too large for the editor/);
  // Files change, and go.
  put("/m/n/main.tf", 'output "é" {\n  value = "ö"\n}\n');
  send({ method: "workspace/didChangeWatchedFiles", params: { changes: [{ uri: "file:///m/n/main.tf", type: 2 }] } });
  assert.equal(evaluated("local.a").value, "ö!");
  write("/m/n");
  exports.groma_lsp_remove();
  send({ method: "workspace/didChangeWatchedFiles", params: { changes: [{ uri: "file:///m/n/main.tf", type: 3 }] } });
  assert.notEqual(evaluated("local.a").value, "ö!");
  assert.equal(exports.groma_failure(), 0);
  send({ id: 3, method: "shutdown" });
  assert.equal(send({ method: "exit" }).state, 2);
});

test("settings beside the code count and change", { skip }, () => {
  const { put, send } = instance();
  const text = 'variable "n" {\n  default = 1\n}\n';
  put("/m/main.tf", text);
  put("/m/a.tfvars", "n = 2\n");
  put("/m/groma.toml", 'var-files = ["a.tfvars"]\n[limits]\ntimeout = "1s"\n');
  send({ id: 1, method: "initialize", params: { workspaceFolders: [{ uri: "file:///m", name: "m" }], capabilities: {} } });
  send({ method: "initialized", params: {} });
  const uri = "file:///m/main.tf";
  const said = send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "terraform", version: 1, text } } }).messages;
  const evaluated = () => {
    const { messages } = send({ id: 2, method: "groma/eval", params: { textDocument: { uri }, expression: "var.n" } });
    said.push(...messages);
    return messages.find((message) => message.id === 2).result.value;
  };
  const change = (content) => {
    put("/m/groma.toml", content);
    said.push(...send({ method: "workspace/didChangeWatchedFiles", params: { changes: [{ uri: "file:///m/groma.toml", type: 2 }] } }).messages);
  };
  assert.equal(evaluated(), 2);
  change('[limits]\ntimeout = "1s"\n');
  assert.equal(evaluated(), 1);
  // What cannot count is said once.
  const shown = said.filter((message) => message.method === "window/showMessage").map((message) => message.params.message);
  assert.equal(shown.filter((text) => text.includes("timeout")).length, 1, shown.join("\n"));
});

test("nonsense is answered and ends nothing", { skip }, () => {
  const { exports, write, send } = instance();
  for (const text of ["", "{", "[]", "\u0000", '{"id":1}', '{"jsonrpc":"2.0","id":1,"method":"nonsense"}']) {
    write(text);
    exports.groma_lsp_receive();
  }
  exports.groma_lsp_put(1 << 20);
  const { messages } = send({ id: 9, method: "initialize", params: { capabilities: {} } });
  assert.ok(messages.some((message) => message.id === 9 && message.result !== undefined));
});

/** Texts of things within each other, so deep. */
const DEEP = {
  parentheses: (n) => `locals { a = ${"(".repeat(n)}1${")".repeat(n)} }`,
  lists: (n) => `locals { a = ${"[".repeat(n)}1${"]".repeat(n)} }`,
  templates: (n) => `locals { a = ${'"${'.repeat(n)}1${'}"'.repeat(n)} }`,
  loops: (n) => `locals { a = ${"[for x in [1]: ".repeat(n)}x${"]".repeat(n)} }`,
  blocks: (n) => `${"a {\n".repeat(n)}${"}\n".repeat(n)}`,
  types: (n) => `variable "a" { type = ${"list(".repeat(n)}string${")".repeat(n)} }`,
  documents: (n) => `locals { a = jsondecode("${"[".repeat(n)}${"]".repeat(n)}") }`,
  references: (n) => `locals {\n${Array.from({ length: n }, (_, at) => `  l${at} = ${at ? `local.l${at - 1}` : 1}`).join("\n")}\n}`,
};

test("a megabyte of stack is enough", { skip }, async () => {
  // A browser's worker has no more, and the engine cannot be asked for less of it.
  const worker = (name, text) =>
    new Promise((done, fail) => {
      const made = new Worker(import.meta.filename, { workerData: { name, text }, resourceLimits: { stackSizeMb: 0.9 } });
      made.once("message", done);
      made.once("error", fail);
    });
  for (const [name, make] of Object.entries(DEEP)) {
    assert.equal(await worker(name, make(5_000)), "answered", name);
  }
});

if (!isMainThread && workerData?.text !== undefined) {
  const { put, send } = instance();
  const uri = "file:///m/main.tf";
  put("/m/main.tf", workerData.text);
  send({ id: 1, method: "initialize", params: { workspaceFolders: [{ uri: "file:///m", name: "m" }], capabilities: {} } });
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "terraform", version: 1, text: workerData.text } } });
  for (const method of ["documentSymbol", "foldingRange", "semanticTokens/full", "hover", "completion", "codeLens"]) {
    send({ id: 2, method: `textDocument/${method}`, params: { textDocument: { uri }, position: { line: 0, character: 12 } } });
  }
  send({ id: 3, method: "groma/why", params: { textDocument: { uri }, position: { line: 0, character: 9 } } });
  parentPort.postMessage("answered");
}
