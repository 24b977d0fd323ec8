// The entry in a browser: the server is the engine as WebAssembly in a worker, which gets the workspace's files from here.

import { FileType, Uri, window, workspace, type ExtensionContext } from "vscode";
import type { MessageTransports } from "vscode-languageclient";
import { BrowserMessageReader, BrowserMessageWriter, FileChangeType, LanguageClient } from "vscode-languageclient/browser";

import { AddressMap, type FileSystemName } from "./addresses";
import { start } from "./extension";
import type { EngineRuntime, Session } from "./session";
import { ENGINE_FAILED, type FileChange, type FileNews } from "./workerMessages";
import { WorkspaceFiles } from "./workspaceFiles";

/** The largest number of engines that are begun anew after a failure, in the time that follows. */
const MAX_RESTARTS = 4;
const RESTART_TIME = 180_000;

export function activate(context: ExtensionContext): Promise<{ readonly session: Session }> {
  return start(context, (session) => Promise.resolve(runtime(context, session)));
}

/** The file system that the workspace lies in, or the open file where there is no workspace. */
function home(): FileSystemName {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const uri = folder ?? window.activeTextEditor?.document.uri ?? workspace.textDocuments[0]?.uri;
  return { scheme: uri?.scheme ?? "file", authority: uri?.authority ?? "" };
}

function runtime(context: ExtensionContext, session: () => Session): EngineRuntime {
  const addresses = new AddressMap(home());
  let worker: Worker | undefined;
  let files = new WorkspaceFiles();
  const failures: number[] = [];
  const hand = (to: Worker) => (changes: readonly FileChange[]) => {
    const news: FileNews = { files: changes };
    to.postMessage(news);
  };

  const begin = async (): Promise<MessageTransports> => {
    worker?.terminate();
    const made = new Worker(Uri.joinPath(context.extensionUri, "dist/worker.js").toString(true));
    worker = made;
    const bytes = await workspace.fs.readFile(Uri.joinPath(context.extensionUri, "dist/groma.wasm"));
    const engine = bytes.slice().buffer;
    made.postMessage({ engine }, [engine]);
    files = new WorkspaceFiles();
    const tops = (workspace.workspaceFolders ?? []).map((folder) => folder.uri).filter((uri) => addresses.isHome(uri));
    for (const top of tops) await files.copy(top, hand(made));
    if (files.isCut) {
      session().output.warn("Not all files of the workspace are read: some are too large, or there are too many. What needs them is not known.");
    }
    // The client would look for the class of the worker, which the editor has replaced by its own.
    return { reader: new BrowserMessageReader(made), writer: new BrowserMessageWriter(made) };
  };

  const failed = (message: string): void => {
    session().output.error(`The engine has ended: ${message}`);
    const now = Date.now();
    failures.push(now);
    if (failures.filter((time) => now - time < RESTART_TIME).length <= MAX_RESTARTS) {
      void session().restart();
    } else {
      void window.showErrorMessage("Groma's engine has ended several times and is not started again. The output says why.");
    }
  };

  context.subscriptions.push(workspace.onDidChangeWorkspaceFolders(() => void session().restart()));
  const scheme = home().scheme;
  return {
    hasOthers: false,
    schemes: scheme === "untitled" ? [scheme] : [scheme, "untitled"],
    options: {
      uriConverters: {
        code2Protocol: (uri) => addresses.toServer(uri),
        protocol2Code: (address) => addresses.toEditor(address),
      },
      middleware: {
        // Without a folder what lies beside an open file is its module.
        didOpen: async (document, next) => {
          const folder = Uri.joinPath(document.uri, "..");
          if (worker !== undefined && workspace.workspaceFolders === undefined && addresses.isHome(document.uri) && !files.knows(document.uri)) {
            await files.copyFolder(folder, hand(worker));
          }
          await next(document);
        },
        workspace: {
          // The server reads a file when it hears that it has changed: its new content has to be there before.
          didChangeWatchedFile: async (event, next) => {
            const uri = addresses.toEditor(event.uri);
            if (worker !== undefined && addresses.isHome(uri)) await copyAgain(files, worker, uri, event.type, hand);
            await next(event);
          },
        },
      },
    },
    createClient: (options) => {
      const client = new LanguageClient("groma", "Groma", begin, options);
      client.onNotification(ENGINE_FAILED, (params: { message: string }) => failed(params.message));
      return client;
    },
    codeFolders: () => files.codeFolders(),
  };
}

async function copyAgain(
  files: WorkspaceFiles,
  worker: Worker,
  uri: Uri,
  type: FileChangeType,
  hand: (to: Worker) => (changes: readonly FileChange[]) => void,
): Promise<void> {
  if (type === FileChangeType.Deleted) return hand(worker)([files.gone(uri)]);
  const stat = await Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined);
  if (stat !== undefined && (stat.type & FileType.Directory) !== 0) return files.copy(uri, hand(worker));
  hand(worker)([await files.changed(uri)]);
}
