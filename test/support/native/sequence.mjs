// The order in which suites begin. A long one that begins last leaves the other worker idle until it ends, and where
// nothing is known of earlier runs, as in a fresh clone, jest takes the largest file for the longest suite. It is not:
// long are the suites that start processes and wait for them.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** Rooms in which that is done, the one with the longest suites first. */
const LONG_ROOMS = ['cli', 'plugins', 'sdk', 'reliability', 'tenancy', 'mcp', 'admin', 'contract', 'kernel', 'stories'];
const A_ROOM_MS = 1_000;
const BYTES_IN_A_MS = 100;

export default class Sequence extends Sequencer {
  /** How long a suite took when it ran last; else what its room and its size let expect. */
  time(test) {
    return super.time(test) ?? expectedMs(test);
  }
}

function expectedMs({ path, context }) {
  const room = LONG_ROOMS.findIndex(name => path.includes(`/test/${name}/`));
  const size = context.hasteFS.getSize(path) / BYTES_IN_A_MS;
  return (room < 0 ? 0 : LONG_ROOMS.length - room) * A_ROOM_MS + size;
}
