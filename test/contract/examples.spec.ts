import type { Client, TestHub } from '../support/hub.js';
import { type Document, examplesOf, jsonOf, type Operation, successOf } from '../support/open-api.js';
import { checkerOf } from '../support/schemas.js';
import { documentForSuite } from './document.fixture.js';
import { type Prepared, preparedFor } from './examples.fixture.js';

let hub: TestHub;
let document: Document;
let operations: Operation[];
documentForSuite(own => ({ hub, document, operations } = own));

async function send(client: Client, { method, operationId }: Operation, { path, body }: Prepared) {
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      authorization: `Bearer ${client.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const mediaType = response.headers.get('content-type') ?? '';
  const isJson = mediaType.startsWith('application/json');
  // A stream of events goes on until the client leaves.
  if (mediaType.startsWith('text/event-stream')) await response.body!.cancel();
  const answer: unknown = isJson ? await response.json() : response.bodyUsed || (await response.bytes());
  return { operationId, status: response.status, answer, isJson };
}

it('every example of a request does what the document says, and its answer is of the shape it says', async () => {
  const check = checkerOf(document);
  const problems: string[] = [];
  let sent = 0;
  for (const operation of operations) {
    const bodies = operation.requestBody ? examplesOf(jsonOf(operation.requestBody)) : [undefined];
    for (const body of bodies) {
      const client = await hub.workspace();
      const prepared = await preparedFor(client, operation, body);
      if (!prepared) continue;
      const { status, answer, isJson } = await send(client, operation, prepared);
      sent += 1;
      const [documented, place] = successOf(operation);
      if (String(status) !== documented)
        problems.push(`${operation.operationId} ${status} ${JSON.stringify(answer).slice(0, 500)}`);
      else if (Boolean(jsonOf(place)) !== isJson) problems.push(`${operation.operationId} is of another media type`);
      else if (isJson)
        problems.push(...check(jsonOf(place)!.schema!, answer).map(problem => `${operation.operationId} ${problem}`));
    }
  }
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThan(30);
});
