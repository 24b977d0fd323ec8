// Times of the engine as WebAssembly, as a browser's worker uses it. usage: node measure.mjs FOLDER ROOT, where FOLDER is opened whole and
// ROOT, a folder in it, is the module whose first file is opened and typed into. Prints a line.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The largest file that is handed over, as in `src/workspaceFiles.ts`. */
const MAX_FILE = 1 << 20;
const KEYSTROKES = 50;

const [top, root] = [resolve(process.argv[2]), resolve(process.argv[2], process.argv[3])];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function timed(act) {
  const begun = performance.now();
  const answer = await act();
  return [answer, performance.now() - begun];
}

const [module, compiled] = await timed(() => WebAssembly.compile(readFileSync(join(import.meta.dirname, "dist/groma.wasm"))));
const { exports } = await WebAssembly.instantiate(module, {});

function write(bytes) {
  const address = exports.groma_input(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
}

function put(path) {
  const [name, content] = [encoder.encode(path), readFileSync(path)];
  write(Buffer.concat([name, content]));
  exports.groma_lsp_put(name.length);
  return content.length;
}

function send(message) {
  write(encoder.encode(JSON.stringify({ jsonrpc: "2.0", ...message })));
  exports.groma_lsp_receive();
  const answers = [];
  let state;
  do {
    state = exports.groma_lsp_work();
    for (let length = exports.groma_lsp_next(); length > 0; length = exports.groma_lsp_next()) {
      answers.push(decoder.decode(new Uint8Array(exports.memory.buffer, exports.groma_output(), length)));
    }
  } while (state === 1);
  return answers;
}

const files = readdirSync(top, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => statSync(path).size <= MAX_FILE);
const [bytes, copied] = await timed(() => files.map(put).reduce((sum, length) => sum + length, 0));
send({ id: 1, method: "initialize", params: { workspaceFolders: [{ uri: pathToFileURL(top).href, name: "top" }], capabilities: {} } });
send({ method: "initialized", params: {} });

const file = join(root, readdirSync(root).filter((name) => name.endsWith(".tf")).sort()[0]);
const uri = pathToFileURL(file).href;
const document = { uri, languageId: "terraform", version: 1, text: readFileSync(file, "utf8") };
const [, first] = await timed(() => send({ method: "textDocument/didOpen", params: { textDocument: document } }));

const start = { line: 0, character: 0 };
const keys = [];
for (let count = 0; count < KEYSTROKES; count += 1) {
  const change = { range: { start, end: start }, text: `# ${count}\n` };
  const params = { textDocument: { uri, version: count + 2 }, contentChanges: [change] };
  keys.push((await timed(() => send({ method: "textDocument/didChange", params })))[1]);
}
keys.sort((a, b) => a - b);
const at = (part) => keys[Math.floor(keys.length * part)].toFixed(0);
console.log(
  `${process.argv[3]}: compiled in ${compiled.toFixed(0)} ms; ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, copied in ${copied.toFixed(0)} ms; ` +
    `first findings ${first.toFixed(0)} ms; findings after a keystroke ${at(0.5)} ms, 95th of a hundred ${at(0.95)} ms; ` +
    `${(exports.memory.buffer.byteLength / 1e6).toFixed(0)} MB`,
);
