// What @rapport/plugin-sdk leads to in this repository: JavaScript that goes on to dist/sdk, so that the hub and the
// plugins beside it share one copy. What is published is made by build-sdk.mjs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = ['index.js', 'testing/index.js'];

/** Makes the entries in src/sdk/dist. Writes nothing that stands there already, so that watching processes stay quiet. */
export async function linkSdk() {
  for (const entry of ENTRIES) {
    const up = '../'.repeat(entry.split('/').length + 2);
    write(`${root}src/sdk/dist/${entry}`, `export * from '${up}dist/sdk/${entry}';\n`);
  }
  await writeSchema(`${root}dist/sdk/`, `${root}src/sdk/dist/`);
}

/** Writes the manifest's JSON Schema beside the entries. */
export async function writeSchema(from, to) {
  const { manifestSchema } = await import(pathToFileURL(`${from}manifest/manifest.schema.js`).href);
  write(`${to}manifest.schema.json`, `${JSON.stringify(manifestSchema, null, 2)}\n`);
}

function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
