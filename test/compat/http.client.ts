import type { Client, TestHub } from '../support/hub.js';

/** An answer as a client gets it that knows of no classes. */
export interface Read {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A client that sends JSON as its content type with every request, GET too, and its key in a header of its choice. */
export interface Recipe {
  get(path: string): Promise<Read>;
  post(path: string, body: object): Promise<Read>;
  patch(path: string, body: object): Promise<Read>;
}

/** How a key is presented. */
export type Keyed = (client: Client) => Record<string, string>;
export const bearer: Keyed = ({ key }) => ({ authorization: `Bearer ${key}` });
export const inHeader: Keyed = ({ key }) => ({ 'X-API-Key': key });

/** Sends what the documented recipes send. */
export function recipesOf(hub: TestHub, client: Client, keyed: Keyed = bearer): Recipe {
  const send = async (method: string, path: string, body?: object): Promise<Read> => {
    const headers = { ...keyed(client), 'Content-Type': 'application/json', 'X-Rapport-Client': 'mcp' };
    const response = await fetch(new URL(path, hub.url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    get: path => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
  };
}

/** The rows of a list in an answer. */
export function rowsOf({ body }: Read, name: string): Record<string, unknown>[] {
  return body[name] as Record<string, unknown>[];
}
