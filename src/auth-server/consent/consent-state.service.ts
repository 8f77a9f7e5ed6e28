import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import type { Scope } from '#kernel/auth/caller.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';

/** The request of a program, as the consent page presents it. */
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

/** The workspace of a person who signed in as an admin, and who they are: a person with an account, or an API key. */
export interface Consenter {
  readonly workspaceId: string;
  readonly actor: Actor;
}

/** State that a form carries from one step of the consent page to the next, sealed. */
export interface ConsentState {
  readonly request: ConsentRequest;
  /** Absent until the person has signed in. */
  readonly consenter?: Consenter;
}

const SECRET_PLACE = { workspace: '', owner: 'oauth', field: 'consent-state' };
const CONSENT_STATE_TTL_MS = 10 * 60_000;
const NONCE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Seals the state between two steps of a consent into the form itself. The state is bound to a random cookie of the
 * browser, which protects it from cross-site request forgery, and is valid for ten minutes.
 */
@Injectable()
export class ConsentStateService {
  constructor(private readonly box: SecretBox) {}

  /** Returns the nonce in the browser's cookie, or a new one. */
  findOrCreateNonce(cookie: string | undefined): string {
    return cookie !== undefined && NONCE.test(cookie) ? cookie : randomBytes(16).toString('base64url');
  }

  /** Seals state for a form. */
  seal(state: ConsentState, nonce: string): string {
    const expiresAtMs = Date.now() + CONSENT_STATE_TTL_MS;
    return this.box.seal(SECRET_PLACE, JSON.stringify({ state, nonce, expiresAtMs }));
  }

  /** Opens the state of a form; returns undefined if it is forged, expired, or from another browser. */
  open(text: string, cookie: string | undefined): ConsentState | undefined {
    try {
      const opened = JSON.parse(this.box.open(SECRET_PLACE, text)) as {
        state: ConsentState;
        nonce: string;
        expiresAtMs: number;
      };
      return opened.nonce === cookie && opened.expiresAtMs > Date.now() ? opened.state : undefined;
    } catch {
      return undefined;
    }
  }
}
