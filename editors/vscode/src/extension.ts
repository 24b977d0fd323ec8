// What both entries share: the session with the server, the tree, the commands and the tools.

import { Position, Range, Selection, Uri, commands, env, extensions, window, workspace, type Disposable, type ExtensionContext } from "vscode";

import { registerTools } from "./agentTools";
import { originText, type EvaluatedExpression, type ValueOrigin } from "./protocol";
import { Session, type EngineRuntime } from "./session";
import { ValueTree, type ValueNode } from "./valueTree";

/** The scheme of texts that the extension shows. */
const SHOWN = "groma";

/** Starts the extension over a runtime, and returns what other extensions may use. */
export async function start(
  context: ExtensionContext,
  createRuntime: (session: () => Session) => Promise<EngineRuntime>,
): Promise<{ readonly session: Session }> {
  const output = window.createOutputChannel("Groma", { log: true });
  context.subscriptions.push(output);
  let known: Session | undefined;
  const runtime = await createRuntime(() => {
    if (known === undefined) throw new Error("the session has not begun");
    return known;
  });
  const session = new Session(runtime, output);
  known = session;
  const tree = new ValueTree(session);
  const texts = new Map<string, string>();
  const restart = async (): Promise<void> => {
    await session.restart();
    tree.refresh();
  };
  const follow = new StateFollower(() => session.shared.state(), restart);
  const show = async (name: string, text: string): Promise<void> => {
    const uri = Uri.from({ scheme: SHOWN, path: `/${name}` });
    texts.set(uri.path, text);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  };
  context.subscriptions.push(
    { dispose: () => void session.stop() },
    tree,
    window.createTreeView("groma.values", { treeDataProvider: tree, showCollapseAll: true }),
    workspace.registerTextDocumentContentProvider(SHOWN, { provideTextDocumentContent: (uri) => texts.get(uri.path) }),
    commands.registerCommand("groma.restart", restart),
    commands.registerCommand("groma.chooseBeside", () => session.shared.ask()),
    commands.registerCommand("groma.refreshValues", () => tree.refresh()),
    commands.registerCommand("groma.open", open),
    commands.registerCommand("groma.copyValue", async (node?: ValueNode) => {
      if (node?.row === "declaration") await env.clipboard.writeText(await tree.valueText(node.declaration));
    }),
    commands.registerCommand("groma.showWhy", async (node?: ValueNode) => {
      const params = node?.row === "declaration" ? placeOf(session, node.declaration.file, node.declaration.position) : placeAtCursor(session);
      if (params === undefined) return;
      await guarded(async () => {
        const origin = await session.ask<ValueOrigin>("groma/why", params);
        const shown = (file: string): string => workspace.asRelativePath(session.uriOfPath(file));
        await show(`why ${origin.address}.txt`, `${originText(origin, shown)}\n`);
      });
    }),
    commands.registerCommand("groma.evaluate", async () => {
      const params = placeAtCursor(session);
      if (params === undefined) return;
      const editor = window.activeTextEditor;
      const selected = editor?.document.getText(editor.selection) ?? "";
      const expression = await window.showInputBox({ prompt: "An expression of the module around the cursor", value: selected });
      if (expression === undefined || expression === "") return;
      await guarded(async () => {
        const answer = await session.ask<EvaluatedExpression>("groma/eval", { ...params, expression });
        const found = (answer.diagnostics ?? []).map((one) => `# ${one.summary ?? ""}: ${one.detail ?? ""}`);
        await show("value.txt", [`> ${expression}`, ...found, answer.console ?? "", ""].join("\n"));
      });
    }),
    commands.registerCommand("groma.showPlan", async () => {
      const params = placeAtCursor(session);
      if (params === undefined) return;
      await guarded(async () => {
        const plan = await session.ask<unknown>("groma/plan", { textDocument: params.textDocument });
        await show("plan.json", `${JSON.stringify(plan, undefined, 2)}\n`);
      });
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    // Others come and go, with the trust in a workspace, too.
    extensions.onDidChange(() => {
      follow.soon();
      void session.shared.askOnce(context);
    }),
    workspace.onDidChangeConfiguration((event) => follow.soon(event.affectsConfiguration("groma.server.path"))),
    follow,
    ...registerTools(session),
  );
  await commands.executeCommand("setContext", "groma.isActive", true);
  await session.begin();
  tree.refresh();
  void session.shared.askOnce(context);
  return { session };
}

/** The quiet after which a change of settings or of extensions is acted on: several come at once, and a server that is being stopped hears none. */
const QUIET = 500;

/** Begins anew once what is left to others has changed. */
class StateFollower implements Disposable {
  private known: string;
  private isForced = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly state: () => string,
    private readonly restart: () => Promise<void>,
  ) {
    this.known = state();
  }

  /** Looks for a change after a moment; a change that the state does not show is forced. */
  soon(isForced = false): void {
    this.isForced ||= isForced;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const now = this.state();
      if (now === this.known && !this.isForced) return;
      this.known = now;
      this.isForced = false;
      void this.restart();
    }, QUIET);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}

async function open(file: Uri, line: number): Promise<void> {
  const start = new Position(line, 0);
  const editor = await window.showTextDocument(file, { preview: true });
  editor.selection = new Selection(start, start);
  editor.revealRange(new Range(start, start));
}

interface PlaceParams {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

function placeOf(session: Session, file: Uri, position: PlaceParams["position"]): PlaceParams {
  return { textDocument: { uri: session.address(file) }, position };
}

function placeAtCursor(session: Session): PlaceParams | undefined {
  const file = session.activeDocument();
  const at = window.activeTextEditor?.selection.active;
  if (file === undefined || at === undefined) {
    void window.showInformationMessage("Open a file of the module first.");
    return undefined;
  }
  return placeOf(session, file, { line: at.line, character: at.character });
}

async function guarded(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (why) {
    void window.showInformationMessage(why instanceof Error ? why.message : String(why));
  }
}
