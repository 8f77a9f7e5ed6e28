import { Inject, Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { LRUCache } from 'lru-cache';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { parseClientMetadata } from './client-metadata.js';
import type { OAuthClient } from './oauth-client.js';

const CACHE_TTL_MS = 10 * 60_000;
const MAX_CACHED = 1_000;
const FETCH_TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;
const MAX_ID_LENGTH = 2_000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const SHARED_SECRET = /^client_secret_/;

/** Token of the egress client that fetches the documents: the one without any allow list. */
export const CLIENT_DOCUMENTS_EGRESS = Symbol('client documents egress');

/**
 * Clients whose id is the address of a document about them (client ID metadata documents): the host of the address
 * vouches for what stands there. Anybody may send such an id, without a key, so documents are fetched from public https
 * addresses only, whatever the allow lists of the operator say. They are kept for ten minutes.
 */
@Injectable()
export class ClientDocumentCache {
  private readonly cache = new LRUCache<string, OAuthClient>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });

  constructor(@Inject(CLIENT_DOCUMENTS_EGRESS) private readonly egress: EgressClient) {}

  /** A client that was fetched a moment ago. */
  get(id: string): OAuthClient | undefined {
    return this.cache.get(id);
  }

  /** Fetches the document of a client. @throws InvalidClientError when there is none that can be used */
  async fetch(id: string): Promise<OAuthClient> {
    const { host } = parseDocumentUrl(id);
    const { redirectUris, name } = parseDocument(id, await this.download(id));
    const client = { id, name, host, redirectUris, origin: 'oauth' } as const;
    this.cache.set(id, client);
    return client;
  }

  private async download(url: string): Promise<unknown> {
    const request = { url, headers: { accept: 'application/json' }, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES };
    const answer = await this.egress
      .send(request)
      .catch((cause: unknown) => throwUnusable('it cannot be fetched', cause));
    if (answer.status !== 200) return throwUnusable('its host does not answer with 200');
    if (!JSON_TYPE.test(answer.headers['content-type'] ?? '')) return throwUnusable('it is not JSON');
    try {
      return JSON.parse(answer.body.toString('utf8')) as unknown;
    } catch (error) {
      return throwUnusable('it is not JSON', error);
    }
  }
}

/** Whether an id is meant as the address of a document. */
export function isDocumentUrl(id: string): boolean {
  return /^https?:\/\//.test(id);
}

/** An address in the one spelling that it has, so that two ids are never the same client. */
function parseDocumentUrl(id: string): URL {
  const url = id.length <= MAX_ID_LENGTH ? URL.parse(id) : null;
  const isSecure = url?.protocol === 'https:';
  if (!url || url.href !== id || !isSecure || url.pathname === '/' || id.includes('#') || url.username || url.password)
    throw new InvalidClientError(
      'A client_id that is an address must be https, with a path and in its normal spelling.',
    );
  return url;
}

function parseDocument(id: string, document: unknown) {
  const { client_id, client_secret, token_endpoint_auth_method } = Object(document) as Record<string, unknown>;
  if (client_id !== id) return throwUnusable('its client_id is not its own address');
  if (client_secret !== undefined || SHARED_SECRET.test(String(token_endpoint_auth_method)))
    return throwUnusable('it speaks of a secret, which a public document cannot hold');
  try {
    return parseClientMetadata(document);
  } catch (error) {
    return throwUnusable(error instanceof Error ? error.message : 'it cannot be read', error);
  }
}

function throwUnusable(why: string, cause?: unknown): never {
  throw Object.assign(new InvalidClientError(`The document at client_id cannot be used: ${why}.`), { cause });
}
