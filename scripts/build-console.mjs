// Builds the console into console/dist, which the hub serves. A build is written beside the last one and takes its place when
// it is complete, so that a build that fails leaves the last one. A hub that is running has to be started again.
import { existsSync, globSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const console = `${root}console`;
const stamp = `${console}/dist/.built`;

/** Sources of the console, from the root of the repository. */
export function consoleSources() {
  const files = ['index.html', 'package.json', 'precompress.ts', 'tsconfig.json', 'vite.config.ts'];
  return [...globSync('console/{src,public}/**/*.*', { cwd: root }), ...files.map(file => `console/${file}`)];
}

/** Builds the console if one of its sources is newer than the last build. */
export async function buildConsole() {
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  if (consoleSources().every(file => statSync(root + file).mtimeMs <= builtAt)) return;
  const { build } = await import('vite');
  const next = `${console}/dist-next`;
  rmSync(next, { recursive: true, force: true });
  await build({ root: console, logLevel: 'warn', build: { outDir: next, emptyOutDir: true } });
  writeFileSync(`${next}/.built`, '');
  rmSync(`${console}/dist`, { recursive: true, force: true });
  renameSync(next, `${console}/dist`);
}
