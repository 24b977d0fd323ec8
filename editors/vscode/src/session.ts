// The conversation with one server. What runs the server is an `EngineRuntime`: a program on the desktop, a worker in a browser.

import type { BaseLanguageClient, LanguageClientOptions, Middleware } from "vscode-languageclient";
import { EventEmitter, Uri, window, workspace, type LogOutputChannel } from "vscode";

import { SharedWork } from "./beside";
import { chooseInputs } from "./inputChooser";
import { documentSelector } from "./languages";

/** What runs the server. */
export interface EngineRuntime {
  /** True if the servers of other extensions can run here, too. */
  readonly hasOthers: boolean;
  /** The schemes of the documents that the server reads. */
  readonly schemes: readonly string[];
  /** The parts of the client that this runtime needs. */
  readonly options: LanguageClientOptions;
  /** A client that starts the server when it is started. */
  createClient(options: LanguageClientOptions): BaseLanguageClient;
  /** The folders with code that are known; nothing where files can be searched for. */
  readonly codeFolders?: () => readonly Uri[];
}

/** The conversation with the server. */
export class Session {
  private client: BaseLanguageClient | undefined;
  /** The start that is going on, or was the last; and the one that waits for it. */
  private turn: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  /** The roots that were chosen, by folder; the server knows them until it ends. */
  private readonly roots = new Map<string, Uri>();
  private readonly chosen = new EventEmitter<void>();
  /** Fires when another root was chosen, so that other values count. */
  readonly onDidChooseRoot = this.chosen.event;

  /** What is left to other extensions. */
  readonly shared: SharedWork;

  constructor(
    private readonly runtime: EngineRuntime,
    readonly output: LogOutputChannel,
  ) {
    this.shared = new SharedWork(runtime.hasOthers);
  }

  /** True once the server answers. */
  get isRunning(): boolean {
    return this.client?.isRunning() === true;
  }

  /** Begins the conversation. */
  begin(): Promise<void> {
    const begun = this.start();
    this.turn = begun.catch(() => undefined);
    return begun;
  }

  private async start(): Promise<void> {
    const executes: Middleware = {
      executeCommand: async (command, args, next) => {
        // The server would ask by a message with buttons; a list that can be searched is the better question here.
        if (command !== "groma.chooseInputs") return next(command, args) as unknown;
        const choice = await chooseInputs(this, args);
        if (choice === undefined) return undefined;
        const answer: unknown = await next("groma.chooseRoot", [this.address(choice.document), this.address(choice.root)]);
        this.roots.set(Uri.joinPath(choice.document, "..").toString(), choice.root);
        this.chosen.fire();
        return answer;
      },
    };
    const client = this.runtime.createClient({
      ...this.runtime.options,
      documentSelector: documentSelector(this.runtime.schemes),
      outputChannel: this.output,
      initializationOptions: { isTrusted: workspace.isTrusted },
      middleware: { ...this.shared.middleware(), ...executes, ...this.runtime.options.middleware },
    });
    this.client = client;
    this.roots.clear();
    await client.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.stop();
    } catch (why) {
      this.output.warn(`the server did not stop in order: ${String(why)}`);
    }
    await client?.dispose().catch(() => undefined);
  }

  /** Begins anew, once what was begun before is done. What is asked for meanwhile is done once. */
  restart(): Promise<void> {
    this.next ??= this.turn.then(async () => {
      this.next = undefined;
      await this.stop();
      await this.start();
    });
    this.turn = this.next.catch((why: unknown) => this.output.error(`the server did not start: ${String(why)}`));
    return this.next;
  }

  /** The root whose values count in a folder. */
  rootOf(folder: Uri): Uri {
    return this.roots.get(folder.toString()) ?? folder;
  }

  /** Asks the server. */
  async ask<T>(method: string, params: object): Promise<T> {
    if (this.client === undefined) throw new Error("Groma's server does not run");
    return this.client.sendRequest<T>(method, params);
  }

  /** The address of a document as the server reads it. */
  address(uri: Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  /** The document that the server's address names. */
  uri(address: string): Uri {
    return this.client?.protocol2CodeConverter.asUri(address) ?? Uri.parse(address);
  }

  /** The document that a path of the server names. */
  uriOfPath(path: string): Uri {
    return this.uri(Uri.file(path).toString());
  }

  /** The folders that hold code of modules. */
  async codeFolders(): Promise<Uri[]> {
    if (this.runtime.codeFolders !== undefined) return [...this.runtime.codeFolders()];
    const files = await workspace.findFiles("**/*.{tf,tofu,tf.json,tofu.json}", "**/{.terraform,node_modules}/**", 10_000);
    const folders = new Map(files.map((file) => [Uri.joinPath(file, "..").toString(), Uri.joinPath(file, "..")]));
    return [...folders.values()];
  }

  /** The address of the document that the user looks at, if it is one of the server's. */
  activeDocument(): Uri | undefined {
    const uri = window.activeTextEditor?.document.uri;
    return uri !== undefined && this.isRead(uri) ? uri : undefined;
  }

  /** True for a document of a file system that the server reads. */
  isRead(uri: Uri): boolean {
    return this.runtime.schemes.includes(uri.scheme);
  }
}
