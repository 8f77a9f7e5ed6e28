// Compiles the plugins that lie in plugins/ of this repository, file by file, as `tsc` in their own folder would:
// plugins/x/src/y.ts becomes plugins/x/dist/src/y.js. Linked folders build themselves.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Sources of the plugins, from the root of the repository. */
export function pluginSources() {
  return globSync('plugins/*/src/**/*.ts', { cwd: root });
}

/** Compiles what is newer than its compiled file, and removes compiled files whose source has gone. */
export async function buildPlugins() {
  const stale = pluginSources().filter(isStale);
  if (stale.length > 0) {
    const { transform } = await import('@swc/core');
    const options = JSON.parse(readFileSync(`${root}.swcrc`, 'utf8'));
    await Promise.all(stale.map(source => compile(transform, source, options)));
  }
  for (const file of globSync('plugins/*/dist/src/**/*.js', { cwd: root })) {
    if (!existsSync(root + sourceOf(file)))
      for (const kind of ['', '.map']) rmSync(root + file + kind, { force: true });
  }
}

async function compile(transform, source, options) {
  const { code, map } = await transform(readFileSync(root + source, 'utf8'), {
    ...options,
    swcrc: false,
    filename: root + source,
  });
  const file = compiledOf(source);
  mkdirSync(dirname(root + file), { recursive: true });
  writeFileSync(`${root + file}.map`, map);
  writeFileSync(root + file, `${code}\n//# sourceMappingURL=${file.split('/').at(-1)}.map\n`);
}

function isStale(source) {
  const file = root + compiledOf(source);
  return !existsSync(file) || statSync(file).mtimeMs < statSync(root + source).mtimeMs;
}

function compiledOf(source) {
  return source.replace(/^(plugins\/[^/]+)\/src\/(.*)\.ts$/, '$1/dist/src/$2.js');
}

function sourceOf(file) {
  return file.replace(/^(plugins\/[^/]+)\/dist\/src\/(.*)\.js$/, '$1/src/$2.ts');
}
