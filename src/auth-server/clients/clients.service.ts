import { Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthRateLimiter } from '../oauth/oauth.rate-limiter.js';
import { ClientDocumentCache, isDocumentUrl } from './client-document.cache.js';
import { parseClientMetadata, CLI_CLIENT, type OAuthClient } from './oauth-client.js';
import { RegisteredClientStore } from './registered-client.store.js';

/** The response to a registration (RFC 7591, section 3.2.1). */
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

/** Finds clients: the hub's own CLI, clients with a metadata document, and registered clients. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly documents: ClientDocumentCache,
    private readonly registered: RegisteredClientStore,
    private readonly limits: OAuthRateLimiter,
  ) {}

  /**
   * Finds a client by ID.
   * @param address IP address of the caller, by which fetches are limited
   * @throws InvalidClientError, HubError `rate_limited`
   */
  async find(id: string, address: string): Promise<OAuthClient> {
    if (id === CLI_CLIENT.id) return CLI_CLIENT;
    const client = isDocumentUrl(id) ? await this.findByDocument(id, address) : await this.registered.find(id);
    if (client) return client;
    throw new InvalidClientError('This client is unknown or its registration has expired. Register it again.');
  }

  /** Registers a client. @throws InvalidClientMetadataError, HubError `rate_limited` */
  async register(body: unknown, address: string): Promise<RegistrationResponse> {
    const metadata = parseClientMetadata(body);
    await this.limits.countRequest(address);
    return {
      client_id: await this.registered.add(metadata),
      client_id_issued_at: Math.floor(Date.now() / 1000),
      client_name: metadata.name,
      redirect_uris: metadata.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
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
