// The worker of the browser's extension: the language server as WebAssembly. Messages that have come are read before work goes on, so
// that the client may cancel what is not begun.

import { EngineState, WasmEngine } from "./engine";
import { ENGINE_FAILED, type EngineNews, type FileChange, type FileNews } from "./workerMessages";

/** The longest time without a look at new messages, in milliseconds; one piece of work may take longer. */
const SLICE = 10;

interface ProtocolMessage {
  readonly id?: number | string;
  readonly method?: string;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
let engine: WasmEngine | undefined;
let hasFailed = false;
let isGoing = false;
const early: unknown[] = [];
const pulse = new MessageChannel();
pulse.port1.onmessage = () => go();

scope.onmessage = (event: MessageEvent<unknown>) => {
  const data = event.data;
  if (isEngine(data)) {
    WasmEngine.create(data.engine).then(begin, (why: unknown) => fail(String(why)));
  } else if (engine === undefined && !hasFailed) {
    early.push(data);
  } else {
    take(data);
  }
};

function begin(made: WasmEngine): void {
  engine = made;
  for (const data of early.splice(0)) take(data);
}

function take(data: unknown): void {
  if (engine === undefined || hasFailed) {
    refuse(data as ProtocolMessage);
    return;
  }
  try {
    if (isFiles(data)) {
      for (const change of data.files) apply(engine, change);
    } else {
      engine.receive(JSON.stringify(data));
      wake();
    }
  } catch (why) {
    fail(String(why));
  }
}

function apply(to: WasmEngine, change: FileChange): void {
  if ("content" in change) to.put(change.path, change.content);
  else if ("length" in change) to.list(change.path, change.length);
  else to.remove(change.path);
}

function wake(): void {
  if (!isGoing) {
    isGoing = true;
    pulse.port2.postMessage(undefined);
  }
}

function go(): void {
  isGoing = false;
  if (engine === undefined || hasFailed) return;
  const begun = performance.now();
  try {
    let state: EngineState;
    do {
      state = engine.work();
      for (let message = engine.next(); message !== undefined; message = engine.next()) {
        scope.postMessage(JSON.parse(message));
      }
    } while (state === EngineState.Working && performance.now() - begun < SLICE);
    if (state === EngineState.Working) wake();
    if (state === EngineState.Ended) scope.close();
  } catch (why) {
    fail(String(why));
  }
}

/** Says once that the engine has ended. Requests are answered from then on, so that the client can stop in order. */
function fail(why: string): void {
  const words = engine?.failure() ?? "";
  hasFailed = true;
  scope.postMessage({ jsonrpc: "2.0", method: ENGINE_FAILED, params: { message: words === "" ? why : words } });
  for (const data of early.splice(0)) refuse(data as ProtocolMessage);
}

function refuse(message: ProtocolMessage): void {
  if (message.method === undefined || message.id === undefined) return;
  if (message.method === "shutdown") {
    scope.postMessage({ jsonrpc: "2.0", id: message.id, result: null });
  } else {
    scope.postMessage({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "the engine has ended" } });
  }
}

function isEngine(data: unknown): data is EngineNews {
  return typeof data === "object" && data !== null && "engine" in data;
}

function isFiles(data: unknown): data is FileNews {
  return typeof data === "object" && data !== null && "files" in data;
}
