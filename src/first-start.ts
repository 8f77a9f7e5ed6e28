import type { Env } from '#kernel/config/env.js';
import { createWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.service.js';
import type { Hub } from './hub.js';

const example = JSON.stringify({
  focus: 'ada@acme.com',
  observations: [
    { kind: 'state', property: 'name', value: 'Ada Lovelace' },
    { kind: 'state', property: 'title', value: 'VP Sales' },
    { kind: 'event', property: 'interaction.email_replied', value: { description: 'Asked for the price list' } },
  ],
});

/**
 * Tells whoever started the hub where it is. With the embedded database, the very first start also makes a workspace
 * and shows its key, once. With a database of its own it shows none: there the output is a log that others read.
 */
export async function welcome(hub: Hub, env: Env): Promise<void> {
  if (env.role === 'worker')
    return console.log(`\nA worker of Rapport is ready at ${hub.url} (health, readiness and metrics only)\n`);
  const base = env.port === 0 ? hub.url : env.publicUrl;
  console.log(`\nRapport is ready at ${base} (reference: ${base}/docs)\n`);
  if ((await listWorkspaces(hub.database.work)).length > 0) return;
  if (env.databaseUrl)
    return console.log('There is no workspace yet: npx rapport admin workspace create --name Acme --plan scale\n');
  const { key } = await createWorkspace(hub.database.work, { name: 'My workspace', plan: 'scale' });
  console.log(firstSteps(base, key));
}

function firstSteps(base: string, key: string): string {
  return `A workspace was made for you. This is its API key; it is not shown again:

  ${key}

Record something about somebody:

curl -sS ${base}/v2/observations \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${example}'

Read the account back:

curl -sS ${base}/v2/accounts/ada@acme.com -H 'Authorization: Bearer ${key}'
`;
}
