// The choice of the root whose values count for a folder, and of the files with its values. The server is told of the root; files become
// a setting, so that they are there the next time, too.

import { ConfigurationTarget, FileType, Uri, window, workspace, type QuickPickItem } from "vscode";

import type { Session } from "./session";

interface RootItem extends QuickPickItem {
  readonly root?: Uri;
}

/** A document and the root that is to count for its folder. */
export interface InputChoice {
  readonly document: Uri;
  readonly root: Uri;
}

/** The user's choice for a document, which the arguments name, or else the one that is looked at; nothing if no root was chosen. */
export async function chooseInputs(session: Session, args: readonly unknown[]): Promise<InputChoice | undefined> {
  const document = typeof args[0] === "string" ? session.uri(args[0]) : session.activeDocument();
  if (document === undefined) {
    await window.showInformationMessage("Open a file of the module first.");
    return undefined;
  }
  const own = Uri.joinPath(document, "..");
  const current = session.rootOf(own);
  const item = (root: Uri): RootItem => ({
    label: label(root),
    root,
    ...(root.toString() === current.toString() ? { description: "counts now" } : {}),
    ...(root === own ? { detail: "The folder of the file itself" } : {}),
  });
  const others = (await session.codeFolders()).filter((folder) => folder.toString() !== own.toString());
  const files: RootItem = { label: "$(list-selection) Value files…", description: `of ${label(current)}`, alwaysShow: true };
  const items = [item(own), ...others.map(item).sort((a, b) => a.label.localeCompare(b.label)), files];
  const chosen = await window.showQuickPick(items, {
    title: `Root for ${label(own)}`,
    placeHolder: "The root whose values are shown in this folder",
    matchOnDescription: true,
  });
  if (chosen?.root !== undefined) return { document, root: chosen.root };
  if (chosen !== undefined) await chooseValueFiles(current);
  return undefined;
}

function label(folder: Uri): string {
  const open = workspace.workspaceFolders?.find((one) => one.uri.toString() === folder.toString());
  return open?.name ?? workspace.asRelativePath(folder, false);
}

/** Lets the user choose files with values for a root. Those that count by their names are not offered. */
async function chooseValueFiles(root: Uri): Promise<void> {
  const entries = await workspace.fs.readDirectory(root);
  const isOffered = (name: string): boolean =>
    /\.tfvars(\.json)?$/.test(name) && !/^terraform\.tfvars/.test(name) && !/\.auto\.tfvars/.test(name);
  const names = entries.filter(([name, type]) => (type & FileType.File) !== 0 && isOffered(name)).map(([name]) => name);
  if (names.length === 0) {
    await window.showInformationMessage(`There are no other value files in ${label(root)}: terraform.tfvars and *.auto.tfvars always count.`);
    return;
  }
  const settings = workspace.getConfiguration("groma", root);
  const known = settings.get<readonly string[]>("varFiles", []);
  const chosen = await window.showQuickPick(
    names.sort().map((name) => ({ label: name, picked: known.includes(name) })),
    { title: `Value files of ${label(root)}`, canPickMany: true },
  );
  if (chosen === undefined) return;
  const others = known.filter((name) => !names.includes(name));
  const target = workspace.getWorkspaceFolder(root) === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
  await settings.update("varFiles", [...others, ...chosen.map((one) => one.label)], target);
}
