import { Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthRateLimiter } from '../oauth/oauth.rate-limiter.js';
import { ClientDocumentCache, isDocumentUrl } from './client-document.cache.js';
import { parseClientMetadata } from './client-metadata.js';
import { CLI_CLIENT, type OAuthClient } from './oauth-client.js';
import { RegisteredClientStore } from './registered-client.store.js';

/** The answer to a registration (RFC 7591, 3.2.1). */
export interface RegistrationResponse {
  readonly client_id: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: 'none';
}

/** Finds out who a client is: our own, one that has a document about itself, or one that has registered. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly documents: ClientDocumentCache,
    private readonly registered: RegisteredClientStore,
    private readonly limits: OAuthRateLimiter,
  ) {}

  /**
   * The client with this id.
   * @param address who asks, to bound what is fetched for it
   * @throws InvalidClientError, HubError `rate_limited`
   */
  async find(id: string, address: string): Promise<OAuthClient> {
    if (id === CLI_CLIENT.id) return CLI_CLIENT;
    const client = isDocumentUrl(id) ? await this.findByDocument(id, address) : await this.registered.find(id);
    if (client) return client;
    throw new InvalidClientError('This client is not known here, or no longer; it has to register.');
  }

  /** Registers a client. @throws InvalidClientMetadataError, HubError `rate_limited`, `unavailable` */
  async register(given: unknown, address: string): Promise<RegistrationResponse> {
    const metadata = parseClientMetadata(given);
    await this.limits.countRequest(address);
    return {
      client_id: await this.registered.add(metadata),
      client_id_issued_at: Math.floor(Date.now() / 1000),
      client_name: metadata.name,
      redirect_uris: metadata.redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  private async findByDocument(id: string, address: string): Promise<OAuthClient> {
    const known = this.documents.get(id);
    if (known) return known;
    await this.limits.countRequest(address);
    return this.documents.fetch(id);
  }
}
