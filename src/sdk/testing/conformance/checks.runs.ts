import { type ConformanceCheck, type PluginUnderTest, withTestHub } from '../plugin-under-test.js';
import type { Json } from '../../schema.js';
import type { TestHub } from '../test-hub.js';

const CANCEL_TIMEOUT_MS = 2_000;

/** Returns the checks of runs: each ends, with every step repeated, and stops when it is cancelled. */
export function runChecks(subject: PluginUnderTest): ConformanceCheck[] {
  return Object.keys(subject.manifest.runs ?? {}).flatMap(name => [
    {
      name: `the run "${name}" ends, with every step repeated`,
      run: () => withTestHub(subject, async hub => void (await hub.run(name, await prepareInput(subject, name, hub)))),
    },
    {
      name: `the run "${name}" stops when it is cancelled`,
      run: () =>
        withTestHub(subject, async hub => cancelInFirstStep(hub, name, await prepareInput(subject, name, hub))),
    },
  ]);
}

async function prepareInput({ fixtures }: PluginUnderTest, name: string, hub: TestHub): Promise<Json> {
  const input = fixtures.runs?.[name];
  if (input === undefined) {
    throw new Error(`Add an input for the run "${name}" to "runs" in the fixtures; null if it takes none.`);
  }
  return typeof input === 'function' ? input(hub) : input;
}

async function cancelInFirstStep(hub: TestHub, name: string, input: Json): Promise<void> {
  hub.runs.onStep = ({ id }) => void hub.runs.cancel(id);
  const executed = hub.run(name, input).catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<'overdue'>(resolve => {
    timer = setTimeout(() => resolve('overdue'), CANCEL_TIMEOUT_MS);
  });
  const outcome = await Promise.race([executed, overdue]);
  clearTimeout(timer);
  if (outcome !== 'overdue') return;
  throw new Error(
    `The run "${name}" goes on ${CANCEL_TIMEOUT_MS} ms after it was cancelled: pass \`run.signal\` to what it waits for, ` +
      'or call `run.signal.throwIfAborted()` in its loops.',
  );
}
