// Bundles the extension into dist/: the desktop's entry, the browser's, and the worker in which the browser's server runs.
// usage: node build.mjs [--watch]. The engine itself is built by `engine.mjs`.
import { context } from "esbuild";

const production = !process.argv.includes("--watch");
const shared = { bundle: true, minify: production, sourcemap: !production, logLevel: "warning", target: "es2022", external: ["vscode"] };
const bundles = [
  { entryPoints: ["src/node.ts"], outfile: "dist/node.js", format: "cjs", platform: "node", conditions: ["node"] },
  { entryPoints: ["src/web.ts"], outfile: "dist/web.js", format: "cjs", platform: "browser", conditions: ["browser"] },
  { entryPoints: ["src/worker.ts"], outfile: "dist/worker.js", format: "iife", platform: "browser" },
];
for (const bundle of bundles) {
  const made = await context({ ...shared, ...bundle, absWorkingDir: import.meta.dirname });
  if (production) {
    await made.rebuild();
    await made.dispose();
  } else {
    await made.watch();
  }
}
