// Orders suites so that long ones start first: a long suite that starts last leaves the other workers idle. Without timings
// of an earlier run, as in a fresh clone, jest takes the largest file for the longest suite. Suites that start processes
// and wait for them take longer.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** Folders whose suites start processes, the one with the longest suites first. */
const SLOW_FOLDERS = [
  'cli',
  'plugin-host',
  'plugins',
  'sdk',
  'reliability',
  'tenancy',
  'kernel/mcp',
  'admin',
  'contract',
  'kernel',
  'scenarios',
];
const MS_PER_FOLDER = 1_000;
const BYTES_PER_MS = 100;

export default class Sequence extends Sequencer {
  /** Returns the duration of the suite's last run in ms; without one, an estimate from its folder and size. */
  time(test) {
    return super.time(test) ?? estimateMs(test);
  }
}

function estimateMs({ path, context }) {
  const folder = SLOW_FOLDERS.findIndex(name => path.includes(`/test/${name}/`));
  const sizeMs = context.hasteFS.getSize(path) / BYTES_PER_MS;
  return (folder < 0 ? 0 : SLOW_FOLDERS.length - folder) * MS_PER_FOLDER + sizeMs;
}
