// Bundles the extension into dist/: the desktop's entry, the browser's, and the worker in which the browser's server runs, and writes the
// notices of the packages that are in them. usage: node build.mjs [--watch]. The engine itself is built by `engine.mjs`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context } from "esbuild";

const here = import.meta.dirname;

const production = !process.argv.includes("--watch");
const shared = { bundle: true, minify: production, sourcemap: !production, logLevel: "warning", metafile: true, target: "es2022", external: ["vscode"] };
const bundles = [
  { entryPoints: ["src/node.ts"], outfile: "dist/node.js", format: "cjs", platform: "node", conditions: ["node"] },
  { entryPoints: ["src/web.ts"], outfile: "dist/web.js", format: "cjs", platform: "browser", conditions: ["browser"] },
  { entryPoints: ["src/worker.ts"], outfile: "dist/worker.js", format: "iife", platform: "browser" },
];
const inputs = new Set();
for (const bundle of bundles) {
  const made = await context({ ...shared, ...bundle, absWorkingDir: here });
  if (production) {
    const { metafile } = await made.rebuild();
    for (const input of Object.keys(metafile.inputs)) inputs.add(input);
    await made.dispose();
  } else {
    await made.watch();
  }
}

/** The notice of a package: its name, its licence and the words of that. */
function notice(name) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const words = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version} (${license})`, ...words].join("\n\n");
}

if (production) {
  const names = [...inputs].map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]).filter((name) => name !== undefined);
  const notices = [...new Set(names)].sort().map(notice);
  writeFileSync(join(here, "dist/THIRD-PARTY.txt"), `${notices.join(`\n\n${"-".repeat(78)}\n\n`)}\n`);
}
