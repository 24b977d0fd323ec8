// The copy of a browser's workspace: `src/workspaceFiles.ts` over a file system of memory.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const here = join(import.meta.dirname, "..");

/** An address, as far as it is looked at. */
function address(path) {
  return { path, toString: () => `memory:${path}` };
}

const FileType = { File: 1, Directory: 2, SymbolicLink: 64 };

/** The module over files by path; a number is a file of that length. */
async function workspaceFiles(files) {
  const bytes = (path) => (typeof files[path] === "number" ? new Uint8Array(files[path]) : new TextEncoder().encode(files[path]));
  const stub = {
    FileType,
    Uri: { joinPath: (uri, ...names) => address(names.reduce((path, name) => (name === ".." ? path.replace(/\/[^/]*$/, "") : `${path}/${name}`), uri.path)) },
    workspace: {
      fs: {
        readDirectory: async ({ path }) => {
          const rests = Object.keys(files).filter((name) => name.startsWith(`${path}/`)).map((name) => name.slice(path.length + 1));
          return [...new Map(rests.map((rest) => (rest.includes("/") ? [rest.split("/")[0], FileType.Directory] : [rest, FileType.File])))];
        },
        stat: async ({ path }) => {
          if (!(path in files)) throw new Error("not found");
          return { size: bytes(path).length, type: FileType.File };
        },
        readFile: async ({ path }) => bytes(path),
      },
    },
  };
  const { outputFiles } = await build({ entryPoints: [join(here, "src/workspaceFiles.ts")], bundle: true, format: "cjs", external: ["vscode"], write: false });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0].text)(() => stub, module, module.exports);
  return new module.exports.WorkspaceFiles();
}

test("everything below a folder is copied, but for what is not its own", async () => {
  const files = await workspaceFiles({ "/w/a.tf": "x", "/w/net/b.tf": "y", "/w/.git/c": "z", "/w/node_modules/d/e.tf": "z", "/w/text": "t", "/w/providers/f.tf": "u",
    "/w/.terraform/providers/g": "v", "/w/.terraform/modules/modules.json": "{}",
    "/w/.terraform/modules/h/i.tf": "v" });
  const handed = [];
  await files.copy(address("/w"), (changes) => handed.push(...changes.map((change) => change.path)));
  assert.deepEqual(handed.sort(), ["/w/.terraform/modules/h/i.tf", "/w/.terraform/modules/modules.json", "/w/a.tf", "/w/net/b.tf", "/w/providers/f.tf", "/w/text"]);
  assert.deepEqual(files.codeFolders().map((folder) => folder.path).sort(), ["/w", "/w/net", "/w/providers"]);
  assert.ok(!files.isCut);
});

test("a file that is too large is named, and so are all once there is too much", async () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`/w/${at}`, 1 << 20]));
  const files = await workspaceFiles({ ...many, "/w/large": (1 << 20) + 1 });
  const handed = [];
  await files.copy(address("/w"), (changes) => handed.push(...changes));
  assert.ok(handed.some((change) => change.path === "/w/large" && change.length === (1 << 20) + 1));
  assert.equal(handed.length, 71);
  const copied = handed.filter((change) => change.content !== undefined);
  assert.ok(copied.length <= 64 && copied.length >= 48, `${copied.length}`);
  assert.ok(files.isCut);
});

test("a file that is saved a thousand times counts once", async () => {
  const files = await workspaceFiles({ "/w/a.tf": 1 << 19 });
  for (let count = 0; count < 1_000; count += 1) {
    assert.ok("content" in (await files.changed(address("/w/a.tf"))));
  }
});

test("what is gone is told, and forgotten", async () => {
  const content = { "/w/a.tf": "x", "/w/net/b.tf": "y" };
  const files = await workspaceFiles(content);
  await files.copy(address("/w"), () => undefined);
  delete content["/w/net/b.tf"];
  assert.deepEqual(files.gone(address("/w/net")), { path: "/w/net" });
  assert.deepEqual(files.codeFolders().map((folder) => folder.path), ["/w"]);
  delete content["/w/a.tf"];
  assert.deepEqual(await files.changed(address("/w/a.tf")), { path: "/w/a.tf" });
  assert.ok(!files.knows(address("/w/a.tf")));
});
