import { createHash } from 'node:crypto';
import type { Client } from '../hub.js';
import { until } from '../until.js';
import type { PAGES } from './pages.js';

const FILE =
  'Name,Email,Title,Team\nAnna Keller,anna@coralline.example,CFO,Nord\nBo Ray,bo@acme.example,Buyer,Nord\nNobody,,,\n';
const IMPORTS = '/v2/plugins/csv-import/imports';

/**
 * Imports a file in a dry run, and adds a webhook endpoint that receives a test.
 * @param receiver address of the endpoint
 * @returns the pages of both
 */
export async function addWork(client: Client, receiver: string): Promise<typeof PAGES> {
  const id = createHash('sha256').update(FILE).digest('hex').slice(0, 16);
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="contacts.csv"' };
  await client.post(IMPORTS, FILE, headers);
  await client.post(`${IMPORTS}/${id}/start`, { dry_run: true });
  await until('the dry run has ended', async () => {
    const { body } = await client.get<{ import: { runs: { status: string }[] } }>(`${IMPORTS}/${id}`);
    return body.import.runs[0]?.status === 'finished';
  });
  const trigger = await client.post<{ trigger: { id: string } }>('/v2/workspace/triggers', {
    name: 'Warehouse',
    url: receiver,
    events: ['reply.received'],
  });
  const path = `/v2/workspace/triggers/${trigger.body.trigger.id}`;
  await client.post(`${path}/test`, {});
  await client.post(`${path}/test`, {});
  return [
    [`imports/${id}`, 'contacts.csv'],
    [`triggers/${trigger.body.trigger.id}`, 'Warehouse'],
  ];
}
