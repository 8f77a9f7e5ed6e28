import { z } from 'zod';

/** The client with which an operator registered this hub at a provider. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

const schema = z.record(
  z.string().regex(/^[a-z][a-z0-9-]{0,39}(:[a-z0-9][a-z0-9_-]{0,39})?$/),
  z.strictObject({ client_id: z.string().min(1).max(500), client_secret: z.string().min(1).max(2_000) }),
);

/**
 * Parses `OAUTH_CLIENTS`: JSON such as `{"acme-crm":{"client_id":"…","client_secret":"…"}}`, by the ID of the plugin. A plugin
 * with several providers has a client for each, such as `crm:hubspot`.
 * @returns the clients by name, or a sentence without secrets that names what is wrong
 */
export function parseOAuthClients(text: string): ReadonlyMap<string, RegisteredClient> | string {
  if (text.trim() === '') return new Map();
  const example = 'write JSON such as {"acme-crm":{"client_id":"…","client_secret":"…"}}, by the ID of the plugin';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `is not JSON: ${example}`;
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `has a wrong value${issue?.path.length ? ` at ${issue.path.join('.')}` : ''}: ${example}`;
  }
  const entries = Object.entries(parsed.data);
  return new Map(entries.map(([name, client]) => [name, toClient(client)]));
}

function toClient({ client_id, client_secret }: z.output<typeof schema>[string]): RegisteredClient {
  return { clientId: client_id, clientSecret: client_secret };
}
