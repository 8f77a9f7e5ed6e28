// Runs suites by jest-circus, but in the realm of the process instead of a sandbox of their own: the hub and its packages
// are loaded by Node, once for all suites of a worker. In a sandbox every suite would load them again, which costs more
// than most suites do. No state is shared by that: the hub keeps none in modules, and what lies in test is loaded anew.
import { createRequire, setSourceMapsSupport } from 'node:module';
import { pathToFileURL } from 'node:url';
import { loadTypeScript } from './sources.mjs';

const require = createRequire(import.meta.url);
const circus = require('jest-circus/runner').default;
const LOOK_EVERY_MS = 250;
let runs = 0;

loadTypeScript();
setSourceMapsSupport(true);
// A worker whose run was ended by force would go on with its suite. Asked again and again, because whoever listens for
// 'disconnect' keeps the worker from ending when its run is over.
setInterval(() => process.connected === false && process.exit(1), LOOK_EVERY_MS).unref();

/** What jest calls for each suite. */
export default async function run(globalConfig, config, environment, runtime, testPath, send) {
  const here = Object.assign(Object.create(environment), { global: globalThis });
  runtime.requireInternalModule = freshly;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = file => import(`${pathToFileURL(file).href}?run=${++runs}`);
  Error.prepareStackTrace = undefined;
  try {
    return await circus(globalConfig, config, here, runtime, testPath, send);
  } finally {
    forget();
  }
}

/** The module that collects tests keeps them until it is loaded anew. */
function freshly(file) {
  delete require.cache[file];
  return require(file);
}

/** What circus leaves at the global object would be seen by the next suite, and would keep this one in memory. */
function forget() {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'].includes(key.description)) delete globalThis[key];
  }
}
