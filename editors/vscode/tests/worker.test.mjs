// The worker of the browser's extension around an engine that ends: what was asked is answered, and the end is told once.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { build } from "esbuild";

const here = join(import.meta.dirname, "..");

/** An engine whose exports do nothing, but for one that traps: WebAssembly by hand, each function one constant or `unreachable`. */
function engine(trapping) {
  const text = (name) => [name.length, ...new TextEncoder().encode(name)];
  const section = (id, items) => [id, ...length(items.flat().length + 1), items.length, ...items.flat()];
  const length = (n) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
  const I32 = 0x7f;
  // Takes a number and gives one; takes none and gives one; takes a number; takes none.
  const types = [[0x60, 1, I32, 1, I32], [0x60, 0, 1, I32], [0x60, 1, I32, 0], [0x60, 0, 0]];
  const functions = [
    ["groma_input", 0], ["groma_output", 1], ["groma_failure", 1], ["groma_lsp_put", 2], ["groma_lsp_list", 2], ["groma_lsp_remove", 3],
    ["groma_lsp_receive", 3], ["groma_lsp_work", 1], ["groma_lsp_next", 1],
  ];
  const body = ([name, type]) => {
    const code = name === trapping ? [0x00] : type < 2 ? [0x41, 0] : [];
    return [code.length + 2, 0, ...code, 0x0b];
  };
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, types),
    ...section(3, functions.map(([, type]) => [type])),
    ...section(5, [[0, 16]]),
    ...section(7, [[...text("memory"), 2, 0], ...functions.map(([name], at) => [...text(name), 0, at])]),
    ...section(10, functions.map(body)),
  ]).buffer;
}

const turn = (milliseconds) => new Promise((done) => (milliseconds === 0 ? setImmediate(done) : setTimeout(done, milliseconds)));

/** The worker's script with what a worker has around it. */
async function worker() {
  const { outputFiles } = await build({ entryPoints: [join(here, "src/worker.ts")], bundle: true, format: "iife", write: false });
  const sent = [];
  let ended = false;
  const self = { postMessage: (message) => sent.push(message), close: () => (ended = true), onmessage: undefined };
  const port = { onmessage: undefined };
  class Channel {
    port1 = port;
    port2 = { postMessage: () => setImmediate(() => port.onmessage()) };
  }
  const around = { self, MessageChannel: Channel, WebAssembly, TextEncoder, TextDecoder, performance, Uint8Array };
  vm.runInNewContext(outputFiles[0].text, around);
  // An engine is compiled beside the loop, for as long as that takes: a test names how many messages it waits for. The turns after
  // that show a message too many.
  const tell = async (data, awaited = 0) => {
    self.onmessage({ data });
    for (const begun = performance.now(); sent.length < awaited && performance.now() - begun < 20_000; ) await turn(5);
    for (let count = 0; count < 20; count += 1) await turn(0);
  };
  return { sent, tell, hasEnded: () => ended };
}

const request = (id, method) => ({ jsonrpc: "2.0", id, method });

test("an engine that traps is told of once, and requests are answered from then on", async () => {
  const { sent, tell } = await worker();
  await tell({ engine: engine("groma_lsp_work") });
  await tell(request(1, "initialize"), 1);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].method, "groma/engineFailed");
  assert.match(sent[0].params.message, /unreachable/);
  await tell(request(2, "textDocument/hover"));
  await tell({ jsonrpc: "2.0", method: "textDocument/didChange" });
  await tell(request(3, "shutdown"));
  assert.deepEqual(sent.slice(1).map((message) => [message.id, message.error?.code, message.result]), [[2, -32603, undefined], [3, undefined, null]]);
});

test("an engine that cannot be read is an end, too, and what came before it is answered", async () => {
  const { sent, tell } = await worker();
  await tell(request(1, "initialize"));
  assert.equal(sent.length, 0);
  await tell({ engine: new Uint8Array([1, 2, 3]).buffer }, 2);
  assert.deepEqual(sent.map((message) => message.method ?? message.id), ["groma/engineFailed", 1]);
});

test("a file that the engine cannot take is an end", async () => {
  const { sent, tell } = await worker();
  await tell({ engine: engine("groma_lsp_put") });
  await tell({ files: [{ path: "/a", length: 3 }, { path: "/b" }] });
  assert.equal(sent.length, 0);
  await tell({ files: [{ path: "/a", content: new Uint8Array(2) }] }, 1);
  assert.deepEqual(sent.map((message) => message.method), ["groma/engineFailed"]);
});
