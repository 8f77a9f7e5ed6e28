import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/auth/caller.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';

/** What a program asks for, as a person is shown it. */
export interface ConsentRequest {
  /** Id of the sign-in of a device, or of the grant to be. */
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost?: string;
  readonly origin: 'oauth' | 'cli';
  readonly scopes: readonly Scope[];
  /** IP address of whoever asked. */
  readonly address: string;
  /** Where the answer of an authorization request goes; absent for a device. */
  readonly redirect?: { readonly uri: string; readonly state?: string; readonly codeChallenge: string };
  /** Code of a device; absent for an authorization request. */
  readonly userCode?: string;
}

/** Who has proved to manage a workspace. */
export interface Consenter {
  readonly workspaceId: string;
  readonly keyId: string;
}

/** What a form of the approval page carries along, unseen and unchanged. */
export interface ConsentState {
  readonly request: ConsentRequest;
  /** Absent until a key was shown. */
  readonly consenter?: Consenter;
}

const SECRET_PLACE = { workspace: '', owner: 'oauth', field: 'ticket' };
const CONSENT_STATE_TTL_MS = 10 * 60_000;
const NONCE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Seals what lies between two steps of an approval into the form itself. A ticket is bound to a random cookie of the
 * same browser, so that no other page can send one in a person's name, and holds for ten minutes.
 */
@Injectable()
export class ConsentStateService {
  constructor(private readonly box: SecretBox) {}

  /** The browser's nonce if it has one, else a new one. */
  findOrCreateNonce(cookie: string | undefined): string {
    return cookie !== undefined && NONCE.test(cookie) ? cookie : randomBytes(16).toString('base64url');
  }

  /** A ticket as a text for a form. */
  seal(ticket: ConsentState, nonce: string): string {
    return this.box.seal(SECRET_PLACE, JSON.stringify({ ticket, nonce, until: Date.now() + CONSENT_STATE_TTL_MS }));
  }

  /** The ticket of this browser; undefined for one that is forged, of another browser, or too old. */
  open(text: string, cookie: string | undefined): ConsentState | undefined {
    try {
      const opened = JSON.parse(this.box.open(SECRET_PLACE, text)) as {
        ticket: ConsentState;
        nonce: string;
        until: number;
      };
      return opened.nonce === cookie && opened.until > Date.now() ? opened.ticket : undefined;
    } catch {
      return undefined;
    }
  }
}
