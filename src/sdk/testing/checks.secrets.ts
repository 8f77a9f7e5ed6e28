import { inspect } from 'node:util';
import { sampleOf } from './schemas.js';
import { roundsOf } from './rounds.js';
import { type Check, onStage, refuse, type Subject } from './subject.js';
import type { TestHub } from './test-hub.js';

/** What shorter texts would be found by chance. */
const SHORTEST_SECRET = 4;

/** No secret leaves the plugin by the log, an error, an answer or the graph, when all is well and when nothing is. */
export function secretChecks(subject: Subject): Check[] {
  return [
    {
      name: 'secrets stay secret',
      run: () =>
        onStage(subject, async hub => refuse(leaksIn(await everything(subject, hub), secretsOf(subject, hub)))),
    },
    {
      name: 'secrets stay secret when the provider fails',
      run: () =>
        onStage(subject, async hub => {
          // Some providers repeat what they were sent.
          hub.http.serve(request => ({ status: 400, body: inspect({ error: 'bad request', request }, { depth: 4 }) }));
          refuse(leaksIn(await everything(subject, hub), secretsOf(subject, hub)));
        }),
    },
  ];
}

/** Lets everything happen and keeps whatever comes out, by where it came out. */
async function everything({ manifest, fixtures }: Subject, hub: TestHub): Promise<Map<string, unknown>> {
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
  for (const { kind, name, go } of roundsOf(manifest, fixtures))
    if (go) await keep(`the ${kind} "${name}"`, () => go(hub));
  if (hub.handlers.lifecycles.length > 0) await keep('disconnect', () => hub.disconnect());
  seen.set('the log', hub.logs);
  seen.set('the graph', [hub.graph.observations, hub.graph.notes]);
  seen.set('the events', hub.events.published);
  seen.set('the data of a job', hub.jobs.waiting);
  return seen;
}

function secretsOf({ manifest, fixtures }: Subject, hub: TestHub): Map<string, string> {
  const fields = (manifest.credentials?.['properties'] ?? {}) as Record<string, { secret?: unknown } | undefined>;
  const values = fixtures.credentials ?? sampleOf(manifest.credentials);
  const pasted = Object.entries(values).filter(([name]) => fields[name]?.secret === true);
  const made = Object.entries(hub.connection.inbound).map(([name, { secret }]) => ({
    name: `the key of "${name}"`,
    secret,
  }));
  const all = [...pasted.map(([name, secret]) => ({ name: `"${name}"`, secret })), ...made];
  return new Map(all.flatMap(({ name, secret }) => (isLongEnough(secret) ? [[name, secret]] : [])));
}

function isLongEnough(secret: unknown): secret is string {
  return typeof secret === 'string' && secret.length >= SHORTEST_SECRET;
}

function leaksIn(seen: ReadonlyMap<string, unknown>, secrets: ReadonlyMap<string, string>): string[] {
  return [...seen].flatMap(([where, what]) => {
    const text = inspect(what, { depth: 12, maxArrayLength: null, maxStringLength: null });
    return [...secrets]
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => `The secret ${name} stands in ${where}: leave it out there.`);
  });
}
