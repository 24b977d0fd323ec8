// Who does what beside other extensions: `src/beside.ts` over an editor that has only what it asks for.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const here = join(import.meta.dirname, "..");

/** The module over an editor with these extensions and settings. */
async function sharedWork({ installed = [], settings = {}, haveServers = true, answer = undefined }) {
  const written = {};
  const asked = [];
  const stub = {
    ConfigurationTarget: { Global: 1 },
    commands: { executeCommand: async () => undefined },
    extensions: { getExtension: (id) => (installed.includes(id) ? {} : undefined) },
    window: {
      showInformationMessage: async (text, ...items) => {
        asked.push(text);
        return items[answer];
      },
    },
    workspace: {
      getConfiguration: (section, scope) => {
        const name = (key) => [scope?.languageId ? `[${scope.languageId}]` : undefined, section, key].filter(Boolean).join(".");
        return {
          get: (key) => settings[name(key)],
          inspect: (key) => ({ globalValue: settings[name(key)] }),
          update: async (key, value) => {
            written[name(key)] = value;
          },
        };
      },
    },
  };
  const { outputFiles } = await build({ entryPoints: [join(here, "src/beside.ts")], bundle: true, format: "cjs", external: ["vscode"], write: false });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0].text)(() => stub, module, module.exports);
  return { shared: new module.exports.SharedWork(haveServers), written, asked };
}

const HASHICORP = "hashicorp.terraform";
const state = () => {
  const values = new Map();
  return { globalState: { get: (key) => values.get(key), update: async (key, value) => void values.set(key, value) } };
};

test("alone, Groma does everything", async () => {
  const { shared } = await sharedWork({});
  assert.ok(shared.isOurs("formatting", "terraform"));
  assert.ok(shared.isOurs("diagnostics"));
});

test("beside another extension, its languages are left to it, and no others", async () => {
  const { shared } = await sharedWork({ installed: [HASHICORP] });
  assert.ok(!shared.isOurs("navigation", "terraform"));
  assert.ok(shared.isOurs("navigation", "packer"));
  assert.ok(shared.isOurs("navigation", "opentofu"));
  assert.ok(!shared.isOurs("diagnostics"));
});

test("an extension whose server is turned off, or cannot run, does nothing", async () => {
  const off = await sharedWork({ installed: [HASHICORP], settings: { "terraform.languageServer.enable": false } });
  assert.ok(off.shared.isOurs("navigation", "terraform"));
  const browser = await sharedWork({ installed: [HASHICORP], haveServers: false });
  assert.ok(browser.shared.isOurs("navigation", "terraform"));
});

test("a setting decides, part by part", async () => {
  const { shared } = await sharedWork({ installed: [HASHICORP], settings: { "groma.beside.diagnostics": "groma", "groma.beside.formatting": "other" } });
  assert.ok(shared.isOurs("diagnostics", "terraform"));
  assert.ok(!shared.isOurs("formatting", "terraform"));
  // There is nobody to leave it to.
  const alone = await sharedWork({ settings: { "groma.beside.formatting": "other" } });
  assert.ok(alone.shared.isOurs("formatting", "terraform"));
});

test("what is not ours is not asked of the server", async () => {
  const { shared } = await sharedWork({ installed: [HASHICORP] });
  const middleware = shared.middleware();
  const document = { languageId: "terraform" };
  const never = () => assert.fail("the server was asked");
  for (const name of Object.keys(middleware)) {
    const next = never;
    const count = middleware[name].length;
    const args = [name === "provideWorkspaceSymbols" ? "query" : name === "provideWorkspaceDiagnostics" ? [] : document];
    while (args.length < count - 1) args.push(undefined);
    middleware[name](...args, next);
  }
});

test("the question is asked once, and its answer is kept", async () => {
  const context = state();
  const split = await sharedWork({ installed: [HASHICORP], answer: 1 });
  await split.shared.askOnce(context);
  await split.shared.askOnce(context);
  assert.equal(split.asked.length, 1);
  assert.equal(split.written["groma.beside.formatting"], "other");
  assert.equal(split.written["[terraform].editor.defaultFormatter"], HASHICORP);
  assert.equal(split.written["terraform.languageServer.enable"], undefined);

  const whole = await sharedWork({ installed: [HASHICORP], answer: 0 });
  await whole.shared.askOnce(state());
  assert.equal(whole.written["groma.beside.navigation"], "groma");
  assert.equal(whole.written["[terraform].editor.defaultFormatter"], "groma-lang.groma");
  assert.equal(whole.written["terraform.languageServer.enable"], false);

  const said = await sharedWork({ installed: [HASHICORP], settings: { "groma.beside.formatting": "auto" } });
  await said.shared.askOnce(state());
  assert.deepEqual(said.asked, []);
});
