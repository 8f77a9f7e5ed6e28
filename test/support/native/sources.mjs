// How Node itself loads a suite: tests and plugins from their TypeScript, the hub from what was built of it.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = new URL('../../../', import.meta.url).href;
const laws = new URL('laws.mjs', import.meta.url).href;
const transformed = new Map();
const options = {
  ...JSON.parse(readFileSync(new URL('.swcrc', root), 'utf8')),
  swcrc: false,
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Has this process load TypeScript from now on. */
export function loadTypeScript() {
  registerHooks({ resolve, load });
}

/**
 * `../x.js` of a TypeScript file is `../x.ts` where there is one; sources of the hub are taken from dist. What a file with
 * a query imports gets the same query, so that each suite has modules of its own up to where the hub begins.
 */
function resolve(specifier, context, next) {
  if (specifier === 'fast-check' && process.env['LAW_RUNS'] && context.parentURL !== laws) return next(laws, context);
  const relative = /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.startsWith(root);
  if (!relative) return next(specifier, context);
  const wanted = new URL(specifier, context.parentURL).href;
  if (wanted.startsWith(`${root}src/`)) return next(wanted.replace(`${root}src/`, `${root}dist/`), context);
  const source = wanted.replace(/\.js$/, '.ts');
  const isSource = existsSync(fileURLToPath(source));
  return next(isSource ? source + new URL(context.parentURL).search : specifier, context);
}

function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts') || pathname.includes('/node_modules/')) return next(url, context);
  return { format: 'module', source: javaScriptOf(fileURLToPath(url)), shortCircuit: true };
}

function javaScriptOf(filename) {
  if (!transformed.has(filename)) {
    transformed.set(filename, transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code);
  }
  return transformed.get(filename);
}
