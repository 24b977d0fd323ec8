// The files of a browser's workspace for the server, which cannot read them by itself: they are copied before it begins, and again when
// they change. A file that is too large is named without its content, and so are all once there are too many.

import { FileType, Uri, workspace } from "vscode";

import { isModuleFile } from "./languages";
import type { FileChange } from "./workerMessages";

/** Folders that hold no code of the workspace's own. */
const LEFT_OUT = new Set([".git", "node_modules"]);

/** True for a folder that is not copied: programs of providers lie beside the modules that were brought. */
function isLeftOut(folder: Uri, name: string): boolean {
  return LEFT_OUT.has(name) || (name === "providers" && folder.path.endsWith("/.terraform"));
}

/** The largest file whose content is copied, in bytes. */
const MAX_FILE = 1 << 20;

/** The largest number of bytes that are copied in all. */
const MAX_ALL = 64 << 20;

/** The largest number of files that are named. */
const MAX_FILES = 20_000;

/** The number of files that are read at the same time. */
const AT_ONCE = 16;

/** The copy of a workspace. */
export class WorkspaceFiles {
  private readonly folders = new Map<string, Uri>();
  /** The bytes that were copied of each file, by its path; 0 for one that is only named. */
  private readonly sizes = new Map<string, number>();
  private bytes = 0;
  /** True if not everything could be copied. */
  isCut = false;

  /** The folders with code of modules. */
  codeFolders(): readonly Uri[] {
    return [...this.folders.values()];
  }

  /** True for a file that was read or named. */
  knows(uri: Uri): boolean {
    return this.sizes.has(uri.path);
  }

  /** Reads all that lies below a folder and hands it on in pieces. */
  async copy(top: Uri, hand: (changes: readonly FileChange[]) => void): Promise<void> {
    const open: Uri[] = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const names = await this.copyFolder(folder, hand);
      open.push(...names.map((name) => Uri.joinPath(folder as Uri, name)));
      if (this.sizes.size >= MAX_FILES) {
        this.isCut = true;
        return;
      }
    }
  }

  /** Reads the files of one folder; returns the names of the folders in it. */
  async copyFolder(folder: Uri, hand: (changes: readonly FileChange[]) => void): Promise<string[]> {
    const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
    const files = entries.filter(([, type]) => (type & FileType.File) !== 0).map(([name]) => name);
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE).map((name) => this.read(Uri.joinPath(folder, name)));
      hand((await Promise.all(some)).filter((change) => change !== undefined));
    }
    // A link may lead back to where it lies.
    const isFolder = (type: FileType): boolean => (type & FileType.Directory) !== 0 && (type & FileType.SymbolicLink) === 0;
    return entries.filter(([name, type]) => isFolder(type) && !isLeftOut(folder, name)).map(([name]) => name);
  }

  /** What is to be told of a file or a folder that has changed. */
  async changed(uri: Uri): Promise<FileChange> {
    return (await this.read(uri)) ?? this.gone(uri);
  }

  /** What is to be told of a file or a folder that is gone. */
  gone(uri: Uri): FileChange {
    const folder = `${uri.path}/`;
    for (const path of [...this.sizes.keys()].filter((path) => path === uri.path || path.startsWith(folder))) this.count(path, undefined);
    for (const [name, known] of [...this.folders]) {
      if (known.path === uri.path || known.path.startsWith(folder)) this.folders.delete(name);
    }
    return { path: uri.path };
  }

  private async read(uri: Uri): Promise<FileChange | undefined> {
    try {
      const { size, type } = await workspace.fs.stat(uri);
      if ((type & FileType.File) === 0) return undefined;
      const others = this.bytes - (this.sizes.get(uri.path) ?? 0);
      if (size > MAX_FILE || others + size > MAX_ALL) {
        this.isCut = true;
        this.count(uri.path, 0);
        return { path: uri.path, length: size };
      }
      const content = await workspace.fs.readFile(uri);
      this.count(uri.path, content.length);
      // Modules that were brought are nobody's root.
      if (isModuleFile(uri.path) && !uri.path.includes("/.terraform/")) {
        const folder = Uri.joinPath(uri, "..");
        this.folders.set(folder.toString(), folder);
      }
      return { path: uri.path, content };
    } catch {
      return undefined;
    }
  }

  private count(path: string, bytes: number | undefined): void {
    this.bytes += (bytes ?? 0) - (this.sizes.get(path) ?? 0);
    if (bytes === undefined) this.sizes.delete(path);
    else this.sizes.set(path, bytes);
  }
}
