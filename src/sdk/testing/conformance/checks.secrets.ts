import { inspect } from 'node:util';
import { buildSample } from '../schemas.js';
import { listScenarios } from './checks.connection.js';
import { type ConformanceCheck, withTestHub, assertNoFaults, type PluginUnderTest } from '../plugin-under-test.js';
import type { TestHub } from '../test-hub.js';

/** Shorter texts would match by chance. */
const MIN_SECRET_LENGTH = 4;

/** Returns checks that no secret appears in logs, errors, responses or the graph, whether or not the provider fails. */
export function secretChecks(subject: PluginUnderTest): ConformanceCheck[] {
  return [
    {
      name: 'secrets stay secret',
      run: () =>
        withTestHub(subject, async hub =>
          assertNoFaults(findLeaks(await collectOutputs(subject, hub), collectSecrets(subject, hub))),
        ),
    },
    {
      name: 'secrets stay secret when the provider fails',
      run: () =>
        withTestHub(subject, async hub => {
          // Some providers echo the request in their errors.
          hub.http.serve(request => ({ status: 400, body: inspect({ error: 'bad request', request }, { depth: 4 }) }));
          assertNoFaults(findLeaks(await collectOutputs(subject, hub), collectSecrets(subject, hub)));
        }),
    },
  ];
}

/** Runs every scenario and collects all outputs by their origin. */
async function collectOutputs({ manifest, fixtures }: PluginUnderTest, hub: TestHub): Promise<Map<string, unknown>> {
  const seen = new Map<string, unknown>();
  const keep = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      seen.set(`the answer of ${what}`, await work());
    } catch (error) {
      seen.set(`the error of ${what}`, error);
    }
  };
  if (hub.handlers.lifecycles.length > 0) {
    await keep('test', () => hub.test());
    await keep('connect', () => hub.connect());
  }
  for (const { kind, name, go } of listScenarios(manifest, fixtures))
    if (go) await keep(`the ${kind} "${name}"`, () => go(hub));
  if (hub.handlers.lifecycles.length > 0) await keep('disconnect', () => hub.disconnect());
  seen.set('the log', hub.logs);
  seen.set('the graph', [hub.graph.observations, hub.graph.notes]);
  seen.set('the events', hub.events.published);
  seen.set('the data of a job', hub.jobs.waiting);
  return seen;
}

function collectSecrets({ manifest, fixtures }: PluginUnderTest, hub: TestHub): Map<string, string> {
  const fields = (manifest.credentials?.['properties'] ?? {}) as Record<string, { secret?: unknown } | undefined>;
  const values = fixtures.credentials ?? buildSample(manifest.credentials);
  const configured = Object.entries(values).filter(([name]) => fields[name]?.secret === true);
  const generated = Object.entries(hub.connection.inbound).map(([name, { secret }]) => ({
    name: `the key of "${name}"`,
    secret,
  }));
  const all = [...configured.map(([name, secret]) => ({ name: `"${name}"`, secret })), ...generated];
  const token = { name: 'the access token', secret: hub.accessToken };
  return new Map([...all, token].flatMap(({ name, secret }) => (isLongEnough(secret) ? [[name, secret]] : [])));
}

function isLongEnough(secret: unknown): secret is string {
  return typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH;
}

function findLeaks(seen: ReadonlyMap<string, unknown>, secrets: ReadonlyMap<string, string>): string[] {
  return [...seen].flatMap(([where, what]) => {
    const text = inspect(what, { depth: 12, maxArrayLength: null, maxStringLength: null });
    return [...secrets]
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => `The secret ${name} stands in ${where}: leave it out there.`);
  });
}
