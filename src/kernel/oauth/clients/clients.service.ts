import { Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthLimits } from '../oauth.limits.js';
import { ClientDocuments, isDocumentAddress } from './client-documents.js';
import { readClientMetadata } from './client-metadata.js';
import { COMMAND_LINE, type OAuthClient } from './oauth-client.js';
import { RegisteredClients } from './registered-clients.js';

/** The answer to a registration (RFC 7591, 3.2.1). */
export interface RegistrationAnswer {
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
    private readonly documents: ClientDocuments,
    private readonly registered: RegisteredClients,
    private readonly limits: OAuthLimits,
  ) {}

  /**
   * The client with this id.
   * @param address who asks, to bound what is fetched for it
   * @throws InvalidClientError, HubError `rate_limited`
   */
  async find(id: string, address: string): Promise<OAuthClient> {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    const client = isDocumentAddress(id) ? await this.fromDocument(id, address) : await this.registered.find(id);
    if (client) return client;
    throw new InvalidClientError('This client is not known here, or no longer; it has to register.');
  }

  /** Registers a client. @throws InvalidClientMetadataError, HubError `rate_limited`, `unavailable` */
  async register(given: unknown, address: string): Promise<RegistrationAnswer> {
    const metadata = readClientMetadata(given);
    await this.limits.countAsked(address);
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

  private async fromDocument(id: string, address: string): Promise<OAuthClient> {
    const known = this.documents.known(id);
    if (known) return known;
    await this.limits.countAsked(address);
    return this.documents.fetch(id);
  }
}
