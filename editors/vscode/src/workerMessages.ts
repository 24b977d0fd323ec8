// What the browser's extension and its worker say to each other beside the messages of the protocol.

/** News of files for the worker. They are told apart from messages of the protocol by their key. */
export interface FileNews {
  readonly files: readonly FileChange[];
}

/** The first thing that the worker gets: the engine. */
export interface EngineNews {
  readonly engine: ArrayBuffer;
}

/** A file that is there, is known by its length alone, or is gone. */
export type FileChange =
  | { readonly path: string; readonly content: Uint8Array }
  | { readonly path: string; readonly length: number }
  | { readonly path: string };

/** The notification by which the worker says that its engine has ended, with the reason. */
export const ENGINE_FAILED = "groma/engineFailed";
