// The tree of a root's values in the Explorer: declarations by kind, each with its value, and below it what the value was made of.

import {
  EventEmitter,
  MarkdownString,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  type Disposable,
  type TreeDataProvider,
} from "vscode";

import { declarationsAround, type DeclarationKind, type ModuleDeclaration } from "./declarations";
import { isTemplateFile } from "./languages";
import { oneLine, originValue, placeParts, type EvaluatedExpression, type ValueOrigin } from "./protocol";
import type { Session } from "./session";

/** A row of the tree. */
export type ValueNode =
  | { readonly row: "group"; readonly kind: DeclarationKind; readonly all: readonly ModuleDeclaration[] }
  | { readonly row: "declaration"; readonly declaration: ModuleDeclaration }
  | { readonly row: "origin"; readonly origin: ValueOrigin };

const GROUPS: readonly { kind: DeclarationKind; title: string; icon: string }[] = [
  { kind: "variable", title: "Variables", icon: "symbol-parameter" },
  { kind: "local", title: "Local values", icon: "symbol-constant" },
  { kind: "module", title: "Modules", icon: "symbol-namespace" },
  { kind: "data", title: "Data sources", icon: "database" },
  { kind: "resource", title: "Resources", icon: "symbol-class" },
  { kind: "source", title: "Sources", icon: "symbol-class" },
  { kind: "output", title: "Outputs", icon: "export" },
];

/** The name of the module or the template that a file belongs to. */
function rootName(file: Uri): string {
  return `${Uri.joinPath(file, "..").toString()} ${isTemplateFile(file.path)}`;
}

/** The values of the root of the active file. */
export class ValueTree implements TreeDataProvider<ValueNode>, Disposable {
  private readonly changed = new EventEmitter<ValueNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly origins = new Map<string, Promise<ValueOrigin>>();
  private readonly subscriptions: Disposable[];
  /** A file of the module or the template whose values are shown. */
  private file: Uri | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly session: Session) {
    this.file = session.activeDocument();
    this.subscriptions = [
      window.onDidChangeActiveTextEditor(() => {
        const file = session.activeDocument();
        if (file === undefined) return;
        const isSame = rootName(file) === (this.file && rootName(this.file));
        this.file = file;
        if (!isSame) this.refresh();
      }),
      workspace.onDidChangeTextDocument((event) => {
        if (this.file !== undefined && session.isRead(event.document.uri)) this.refreshSoon();
      }),
      session.onDidChooseRoot(() => this.refresh()),
      this.changed,
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((one) => void one.dispose());
  }

  /** Asks for everything again. */
  refresh(): void {
    this.origins.clear();
    this.changed.fire(undefined);
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), 700);
  }

  async getChildren(node?: ValueNode): Promise<ValueNode[]> {
    if (node === undefined) return this.groups();
    switch (node.row) {
      case "group":
        return node.all.map((declaration) => ({ row: "declaration", declaration }));
      case "declaration": {
        const origin = await this.origin(node.declaration).catch(() => undefined);
        return (origin?.from ?? []).map((one) => ({ row: "origin", origin: one }));
      }
      case "origin":
        return (node.origin.from ?? []).map((one) => ({ row: "origin", origin: one }));
    }
  }

  private async groups(): Promise<ValueNode[]> {
    if (this.file === undefined || !this.session.isRunning) return [];
    const all = await declarationsAround(this.session, this.file).catch(() => []);
    const groups = GROUPS.map(({ kind }): ValueNode => ({ row: "group", kind, all: all.filter((one) => one.kind === kind) }));
    return groups.filter((group) => group.row === "group" && group.all.length > 0);
  }

  async getTreeItem(node: ValueNode): Promise<TreeItem> {
    switch (node.row) {
      case "group": {
        const row = GROUPS.find((one) => one.kind === node.kind);
        const item = new TreeItem(row?.title ?? node.kind, TreeItemCollapsibleState.Expanded);
        item.iconPath = new ThemeIcon(row?.icon ?? "symbol-misc");
        item.description = String(node.all.length);
        item.id = node.kind;
        return item;
      }
      case "declaration":
        return this.declarationItem(node.declaration);
      case "origin":
        return this.originItem(node.origin);
    }
  }

  private async declarationItem(declaration: ModuleDeclaration): Promise<TreeItem> {
    const item = new TreeItem(declaration.address, TreeItemCollapsibleState.Collapsed);
    item.contextValue = "value";
    const text = await this.valueText(declaration).catch((why: unknown) => String(why));
    item.description = oneLine(text);
    item.tooltip = new MarkdownString().appendCodeblock(`${declaration.address} = ${text}`, "terraform");
    item.command = { command: "groma.open", title: "Open", arguments: [declaration.file, declaration.position.line] };
    return item;
  }

  private originItem(origin: ValueOrigin): TreeItem {
    const hasMore = (origin.from ?? []).length > 0;
    const state = hasMore ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
    const item = new TreeItem(origin.address === "" ? origin.kind : origin.address, state);
    item.description = [originValue(origin), origin.see === true ? "as above" : origin.kind].filter((part) => part !== "").join("  ·  ");
    item.iconPath = new ThemeIcon("arrow-small-left");
    if (origin.text !== undefined) item.tooltip = new MarkdownString().appendCodeblock(origin.text, "terraform");
    const place = origin.place === undefined ? undefined : placeParts(origin.place);
    if (place !== undefined) {
      item.command = { command: "groma.open", title: "Open", arguments: [this.session.uriOfPath(place.file), place.line] };
    }
    return item;
  }

  /** The value of a declaration as the console prints it. */
  async valueText(declaration: ModuleDeclaration): Promise<string> {
    // No expression names an output or a source.
    if (declaration.kind === "output" || declaration.kind === "source") return originValue(await this.origin(declaration));
    const answer = await this.session.ask<EvaluatedExpression>("groma/eval", {
      textDocument: { uri: this.session.address(declaration.file) },
      position: declaration.position,
      expression: declaration.address,
    });
    return answer.console ?? answer.diagnostics?.[0]?.summary ?? "(error)";
  }

  /** What the value of a declaration was made of. */
  origin(declaration: ModuleDeclaration): Promise<ValueOrigin> {
    const key = `${declaration.file.toString()} ${declaration.address}`;
    const known = this.origins.get(key);
    if (known !== undefined) return known;
    const asked = this.session.ask<ValueOrigin>("groma/why", {
      textDocument: { uri: this.session.address(declaration.file) },
      position: declaration.position,
    });
    this.origins.set(key, asked);
    return asked;
  }
}
