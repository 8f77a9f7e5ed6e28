import { errorTable } from '#kernel/errors/error-table.js';
import { startTestHub, type TestHub, type Client } from '../support/hub.js';
import {
  type Document,
  documentAt,
  examplesOf,
  jsonOf,
  type Operation,
  operationsIn,
  type Schema,
} from '../support/open-api.js';
import { preparedFor } from './examples.fixture.js';
import { type Bad, badBodiesOf, badQueriesOf, nullsOf } from './bad.requests.js';

let hub: TestHub;
let client: Client;
let document: Document;
let operations: Operation[];
beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  document = await documentAt(hub.url);
  operations = operationsIn(document).filter(
    ({ path }) => !path.includes('/integrations/') && !isOfPlugin(path) && !needsSession(path),
  );
});
afterAll(() => hub.end());

/** Plugins refuse with codes of their own, which are in no table of ours; their own tests try them. */
const isOfPlugin = (path: string) => path.startsWith('/v2/plugins/');

/** Operations that answer 401 or 403 without a session, whatever else is wrong; their own tests try them. */
const needsSession = (path: string) => path.startsWith('/auth/');

/** The path with a query appended, also where the path's example already carries a required parameter. */
const withQuery = (path: string, query = '') => (path.includes('?') ? path + query.replace('?', '&') : path + query);

/** What is wrong with the answer to a bad request; nothing when it is refused as it should be, or null is of no matter. */
async function complaint({ method, operationId }: Operation, path: string, bad: Bad): Promise<string[]> {
  const response = await fetch(hub.url + withQuery(path, bad.query), {
    method,
    signal: AbortSignal.timeout(20_000),
    headers: {
      authorization: `Bearer ${client.key}`,
      ...(bad.body !== undefined && { 'content-type': bad.type ?? 'application/json' }),
    },
    ...(bad.body !== undefined && { body: bad.body }),
  });
  const answer = (await response.json()) as { error?: string; request_id?: string; details?: { field: string }[] };
  const about = `${operationId}: ${bad.what} was answered ${response.status} ${JSON.stringify(answer).slice(0, 300)}`;
  const refused = response.status >= 400 && response.status < 500;
  if (response.ok && bad.what.endsWith(' null')) return [];
  if (!refused || !answer.error || !(answer.error in errorTable) || !answer.request_id) return [about];
  if (answer.error === 'invalid_request' && !answer.details?.length) return [`${about}: no details`];
  const named = answer.details?.some(({ field }) => field.includes(bad.field!)) ?? true;
  return bad.field === undefined || named ? [] : [`${about}: ${bad.field} is not named`];
}

it('every operation refuses bad bodies and queries in words, and none falls over', async () => {
  const complaints: string[] = [];
  let sent = 0;
  for (const operation of operations) {
    const example = examplesOf(jsonOf(operation.requestBody))[0];
    const { path } = (await preparedFor(client, operation, example)) ?? operation;
    const schema = jsonOf(operation.requestBody)?.schema;
    const names = document.components.schemas as Record<string, Schema>;
    const bodies = schema ? [...badBodiesOf(schema, example, names), ...nullsOf(schema, example, names)] : [];
    for (const bad of [...bodies, ...badQueriesOf(operation)]) {
      complaints.push(...(await complaint(operation, path, bad)));
      sent += 1;
    }
  }
  expect(complaints).toEqual([]);
  expect(sent).toBeGreaterThan(400);
}, 120_000);
