import { Injectable } from '@nestjs/common';
import { InvalidClientError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { COMMAND_LINE, type OAuthClient } from './oauth-client.js';

/** Finds out who a client is. */
@Injectable()
export class ClientsService {
  /** The client with this id. @throws InvalidClientError */
  find(id: string): OAuthClient {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    throw new InvalidClientError('This client is not known here; register it first.');
  }
}
