// The engine as WebAssembly: texts go through its two buffers. After a trap the instance is of no use; `failure` says what it was.

/** The exports of the file, as `bindings/wasm/src/lib.rs` has them. */
interface EngineExports {
  readonly memory: WebAssembly.Memory;
  groma_input(length: number): number;
  groma_output(): number;
  groma_failure(): number;
  groma_lsp_put(pathLength: number): void;
  groma_lsp_list(length: number): void;
  groma_lsp_remove(): void;
  groma_lsp_receive(): void;
  groma_lsp_work(): number;
  groma_lsp_next(): number;
}

/** The state of the server after a piece of work. */
export enum EngineState {
  Waiting = 0,
  Working = 1,
  Ended = 2,
}

/** One instance of the engine, with one language server in it. */
export class WasmEngine {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  private constructor(private readonly exports: EngineExports) {}

  static async create(bytes: BufferSource): Promise<WasmEngine> {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new WasmEngine(instance.exports as unknown as EngineExports);
  }

  /** Hands over a file. */
  put(path: string, content: Uint8Array): void {
    const name = this.encoder.encode(path);
    const whole = new Uint8Array(name.length + content.length);
    whole.set(name);
    whole.set(content, name.length);
    this.write(whole);
    this.exports.groma_lsp_put(name.length);
  }

  /** Names a file whose content is not handed over. */
  list(path: string, length: number): void {
    this.write(this.encoder.encode(path));
    this.exports.groma_lsp_list(length);
  }

  /** Takes a file or a folder away. */
  remove(path: string): void {
    this.write(this.encoder.encode(path));
    this.exports.groma_lsp_remove();
  }

  /** Hands over a message of the client. */
  receive(message: string): void {
    this.write(this.encoder.encode(message));
    this.exports.groma_lsp_receive();
  }

  /** Lets the server do a piece of work. */
  work(): EngineState {
    return this.exports.groma_lsp_work();
  }

  /** The next message for the client. */
  next(): string | undefined {
    const length = this.exports.groma_lsp_next();
    return length === 0 ? undefined : this.read(length);
  }

  /** The words of the panic that ended the instance, if one did. */
  failure(): string {
    try {
      return this.read(this.exports.groma_failure());
    } catch {
      return "";
    }
  }

  private write(bytes: Uint8Array): void {
    const address = this.exports.groma_input(bytes.length);
    // The memory is another object once it has grown.
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
  }

  private read(length: number): string {
    const address = this.exports.groma_output();
    return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, address, length));
  }
}
