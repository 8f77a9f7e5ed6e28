// Module hooks with which Node loads suites: tests and plugins from TypeScript, imports of src/ from dist/.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = new URL('../../', import.meta.url).href;
const configuredFastCheck = new URL('fast-check.mjs', import.meta.url).href;
const transformed = new Map();
const options = {
  ...JSON.parse(readFileSync(new URL('.swcrc', root), 'utf8')),
  swcrc: false,
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Registers the hooks for this process. */
export function loadTypeScript() {
  registerHooks({ resolve, load });
}

/**
 * Resolves `../x.js` in a TypeScript file to `../x.ts` if that exists, and imports of src/ to dist/. An import keeps the
 * query of its importer, so each suite has its own instances of the modules under test/, but shares those of the hub.
 */
function resolve(specifier, context, next) {
  const { FC_NUM_RUNS_FACTOR, FC_SEED } = process.env;
  const isConfigured = specifier === 'fast-check' && Boolean(FC_NUM_RUNS_FACTOR || FC_SEED);
  if (isConfigured && context.parentURL !== configuredFastCheck) return next(configuredFastCheck, context);
  const relative = /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.startsWith(root);
  if (!relative) return next(specifier, context);
  const target = new URL(specifier, context.parentURL).href;
  if (target.startsWith(`${root}src/`)) return next(target.replace(`${root}src/`, `${root}dist/`), context);
  const source = target.replace(/\.js$/, '.ts');
  const isSource = existsSync(fileURLToPath(source));
  return next(isSource ? source + new URL(context.parentURL).search : specifier, context);
}

function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts') || pathname.includes('/node_modules/')) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}

function compile(filename) {
  if (!transformed.has(filename)) {
    transformed.set(filename, transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code);
  }
  return transformed.get(filename);
}
