import { inWorkspace } from './inside.ts';
import { ask } from './postgres.ts';
import { createWorkspace, type Workspace } from './hub.ts';
import type { BenchEnvironment } from './bench-environment.ts';

const TEMPLATES = 20;
const AT_ONCE = 20_000;
const DAY_MS = 86_400_000;

const stages = ['discovery', 'proposal', 'negotiation', 'customer', 'identified'];
const events = ['email_sent', 'email_replied', 'call_held', 'meeting_scheduled'];
const stated = ['The price is too high for them', 'Asked for a security review', 'Wants to start in spring'];

/** A workspace of its own with so many people: copies of twenty whom the hub itself has recorded, in every state of a sale. */
export async function workspaceOf(stage: BenchEnvironment, people: number): Promise<Workspace> {
  const workspace = await createWorkspace(stage.databaseUrl);
  for (let n = 0; n < TEMPLATES; n++) {
    const body = JSON.stringify({ focus: addressOf(n), observations: template(n) });
    const workload = { name: 'post', path: '/v2/observations', body } as const;
    const { failed } = await stage.onServer('setup', stage.hub.url, 1, { calls: 1 }, workload, workspace.key);
    if (failed > 0) throw new Error('a template could not be recorded');
  }
  const addresses = Array.from({ length: TEMPLATES }, (_, n) => addressOf(n));
  for (let done = TEMPLATES; done < people; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, people - done);
    await inWorkspace(stage.databaseUrl, workspace.id, copies, [workspace.id, addresses, count]);
  }
  await stage.settled();
  await ask(stage.databaseUrl, 'VACUUM ANALYZE');
  return workspace;
}

const addressOf = (n: number) => `template-${n}@gmail.com`;

function template(n: number): object[] {
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const age = 2 + n * 6;
  const event = (type: string, days: number) => ({
    kind: 'event',
    property: `interaction.${type}`,
    value: { description: stated[(n + days) % stated.length] },
    observed_at: at(days),
  });
  const state = (property: string, value: string, days: number) => ({
    kind: 'state',
    property,
    value,
    observed_at: at(days),
  });
  return [
    state('name', `Person Number ${n}`, age),
    state('title', n % 2 ? 'VP Sales' : 'CTO', age + 100),
    state('stage', stages[n % stages.length]!, age),
    event(events[n % events.length]!, age),
    event('email_sent', age + 3),
  ];
}

/** Copies are up to a day apart, so that no two things happen at the same time. */
const copies = `
WITH template AS (
  SELECT entity_id AS id, row_number() OVER () - 1 AS n FROM identifiers
  WHERE workspace_id = $1 AND kind = 'email' AND key = ANY ($2::text[])
), people AS MATERIALIZED (
  SELECT gen_random_uuid() AS id, template.id AS of, random() * interval '1 day' AS earlier
  FROM generate_series(1, $3) AS place JOIN template ON template.n = place % ${TEMPLATES}
), made AS (
  INSERT INTO entities (workspace_id, id, type, name, name_key, first_activity_at, last_activity_at, last_inbound_activity_at)
  SELECT $1, people.id, e.type, e.name, e.name_key, e.first_activity_at - earlier, e.last_activity_at - earlier,
         e.last_inbound_activity_at - earlier
  FROM people JOIN entities e ON e.workspace_id = $1 AND e.id = people.of RETURNING id
), claimed AS (
  INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, number_value, confidence, epistemic_class,
                      supported_at, top_observation_id, next_change_at)
  SELECT $1, people.id, property, state, value, text_value, number_value, confidence, epistemic_class,
                      supported_at, top_observation_id, next_change_at
  FROM people JOIN claims c ON c.workspace_id = $1 AND c.entity_id = people.of
)
INSERT INTO observation_log
  (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest, raw)
SELECT $1, gen_random_uuid(), people.id, kind, property, o.value, source, method, observed_at - earlier, recorded_at,
       external_id, digest, raw
FROM people JOIN observations o ON o.workspace_id = $1 AND o.entity_id = people.of`;
