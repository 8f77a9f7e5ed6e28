import { Inject, Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { LRUCache } from 'lru-cache';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { parseClientMetadata, type OAuthClient } from './oauth-client.js';

const CACHE_TTL_MS = 10 * 60_000;
const MAX_CACHED = 1_000;
const FETCH_TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;
const MAX_ID_LENGTH = 2_000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const SHARED_SECRET = /^client_secret_/;

/** Injection token of the egress client that fetches the documents; it has no allowlist. */
export const CLIENT_DOCUMENTS_EGRESS = Symbol('client documents egress');

/**
 * Fetches and caches clients whose ID is the URL of a client ID metadata document; the host of the URL vouches for the
 * document. Anyone may send such an ID without a key, so documents are fetched from public https addresses only,
 * whatever the operator's allowlists contain. Up to 1000 documents are cached for ten minutes.
 */
@Injectable()
export class ClientDocumentCache {
  private readonly cache = new LRUCache<string, OAuthClient>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });

  constructor(@Inject(CLIENT_DOCUMENTS_EGRESS) private readonly egress: EgressClient) {}

  /** Returns a cached client. */
  get(id: string): OAuthClient | undefined {
    return this.cache.get(id);
  }

  /**
   * Fetches the document of a client and caches it.
   * @throws InvalidClientError if it cannot be fetched or is invalid
   */
  async fetch(id: string): Promise<OAuthClient> {
    const { host } = parseDocumentUrl(id);
    const { redirectUris, name } = parseDocument(id, await this.download(id));
    const client = { id, name, host, redirectUris, origin: 'oauth' } as const;
    this.cache.set(id, client);
    return client;
  }

  private async download(url: string): Promise<unknown> {
    const request = { url, headers: { accept: 'application/json' }, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES };
    const response = await this.egress
      .send(request)
      .catch((cause: unknown) => throwUnusable('it cannot be fetched', cause));
    if (response.status !== 200) return throwUnusable('its host did not respond with status 200');
    if (!JSON_TYPE.test(response.headers['content-type'] ?? '')) return throwUnusable('it is not JSON');
    try {
      return JSON.parse(response.body.toString('utf8')) as unknown;
    } catch (error) {
      return throwUnusable('it is not JSON', error);
    }
  }
}

/** Returns whether a client ID is meant as the URL of a document. */
export function isDocumentUrl(id: string): boolean {
  return /^https?:\/\//.test(id);
}

/** Parses a document URL. Only its normalized spelling is accepted, so that two IDs never denote the same client. */
function parseDocumentUrl(id: string): URL {
  const url = id.length <= MAX_ID_LENGTH ? URL.parse(id) : null;
  const isSecure = url?.protocol === 'https:';
  if (!url || url.href !== id || !isSecure || url.pathname === '/' || id.includes('#') || url.username || url.password)
    throw new InvalidClientError(
      'A client_id that is a URL must be https, have a path, and be in normalized form without fragment or user name.',
    );
  return url;
}

function parseDocument(id: string, document: unknown) {
  const { client_id, client_secret, token_endpoint_auth_method } = Object(document) as Record<string, unknown>;
  if (client_id !== id) return throwUnusable('its client_id is not its own URL');
  if (client_secret !== undefined || SHARED_SECRET.test(String(token_endpoint_auth_method)))
    return throwUnusable('it declares a client secret, which a public document cannot hold');
  try {
    return parseClientMetadata(document);
  } catch (error) {
    return throwUnusable(error instanceof Error ? error.message : 'it cannot be read', error);
  }
}

function throwUnusable(reason: string, cause?: unknown): never {
  throw Object.assign(new InvalidClientError(`The document at client_id cannot be used: ${reason}.`), { cause });
}
