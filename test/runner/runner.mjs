// Runs suites with jest-circus in the realm of the process instead of a sandbox per suite. Node loads the hub and its
// packages once per worker; in a sandbox every suite would load them again, which costs more than most suites. No state
// is shared: the hub has none at module level, and modules under test/ are loaded for each suite.
import { createRequire, setSourceMapsSupport } from 'node:module';
import { pathToFileURL } from 'node:url';
import { loadTypeScript } from './sources.mjs';

const require = createRequire(import.meta.url);
const circus = require('jest-circus/runner').default;
const PARENT_CHECK_INTERVAL_MS = 250;
let runs = 0;

loadTypeScript();
setSourceMapsSupport(true);
// A worker whose parent was killed would continue with its suite. It polls, because a listener for 'disconnect' would
// keep the worker alive after its run.
setInterval(() => process.connected === false && process.exit(1), PARENT_CHECK_INTERVAL_MS).unref();

/** Runs one suite; jest calls it. */
export default async function run(globalConfig, config, environment, runtime, testPath, send) {
  const localEnvironment = Object.assign(Object.create(environment), { global: globalThis });
  runtime.requireInternalModule = requireUncached;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = file => import(`${pathToFileURL(file).href}?run=${++runs}`);
  Error.prepareStackTrace = undefined;
  try {
    return await circus(globalConfig, config, localEnvironment, runtime, testPath, send);
  } finally {
    removeCircusGlobals();
  }
}

/** Loads a module again: the module that collects tests keeps them as long as it is cached. */
function requireUncached(file) {
  delete require.cache[file];
  return require(file);
}

/** Deletes the globals of circus: the next suite would see them, and they would keep this suite in memory. */
function removeCircusGlobals() {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'].includes(key.description)) delete globalThis[key];
  }
}
