import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import type { Scope } from '#kernel/auth/caller.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';

/** The request of a program for an API key, as the approval page presents it. */
export interface ConsentRequest {
  /** ID of the device authorization request, or of the grant to create. */
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost?: string;
  readonly origin: 'oauth' | 'cli';
  readonly scopes: readonly Scope[];
  /** IP address of the requester. */
  readonly address: string;
  /** Where the authorization response goes; absent for a device. */
  readonly redirect?: { readonly uri: string; readonly state?: string; readonly codeChallenge: string };
  /** User code of a device; absent for an authorization request. */
  readonly userCode?: string;
}

/** The workspace of an admin who decides, and who they are: a person with an account, or an API key. */
export interface Consenter {
  readonly workspaceId: string;
  readonly actor: Actor;
}

const SECRET_PLACE = { workspace: '', owner: 'oauth', field: 'approval-ticket' };
const TICKET_TTL_MS = 10 * 60_000;

/** Maximum length of a ticket: a client ID, a redirect URI and a state of 2048 characters each, sealed. */
export const MAX_TICKET_LENGTH = 12_000;

/**
 * Seals the request of a program into a ticket, which the address of the approval page carries. Nothing is stored until a
 * person decides, so that requests of unknown programs cost no space. A ticket is valid for ten minutes and grants nothing: a
 * decision needs a session or an API key.
 */
@Injectable()
export class ApprovalTicketsService {
  constructor(private readonly box: SecretBox) {}

  /** Seals a request. */
  seal(request: ConsentRequest): string {
    return this.box.seal(SECRET_PLACE, JSON.stringify({ request, expiresAtMs: Date.now() + TICKET_TTL_MS }));
  }

  /** Opens a ticket; returns undefined if it is forged or has expired. */
  open(ticket: string, nowMs = Date.now()): ConsentRequest | undefined {
    try {
      const { request, expiresAtMs } = JSON.parse(this.box.open(SECRET_PLACE, ticket)) as {
        request: ConsentRequest;
        expiresAtMs: number;
      };
      return expiresAtMs > nowMs ? request : undefined;
    } catch {
      return undefined;
    }
  }
}
