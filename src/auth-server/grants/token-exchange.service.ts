import { Injectable, Logger } from '@nestjs/common';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { DAY_US } from '#domain/time/instant.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type LockedGrant, lockGrant, recordIssuedKey } from './grants.queries.js';
import type { GrantRef } from './grant-code.js';

/** Maximum number of days until an API key that was issued for a sign-in expires, by its origin. */
export const KEY_TTL_DAYS = { oauth: 90, cli: 365 } as const;
const US_PER_SECOND = 1_000_000;

/** The response of the token endpoint (RFC 6749, section 5.1), with the IDs of the key and the workspace. */
export interface TokenResponse {
  /** An API key of the workspace; returned only once. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the key expires. */
  readonly expires_in: number;
  readonly scope: string;
  /** ID of the key, for revoking it. */
  readonly key_id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
}

/** The outcome for a code that was used before. */
interface ReplayedCode {
  readonly revokedKeyId: string;
}

/** Exchanges grants for API keys, once each. */
@Injectable()
export class TokenExchangeService {
  private readonly log = new Logger('oauth');

  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
  ) {}

  /**
   * Exchanges a code for the granted API key. A code that is used twice may have been stolen, so its key is revoked
   * (RFC 6749, section 4.1.2).
   * @param matchesGrant returns whether the request comes from the client that received the code
   * @throws InvalidGrantError
   */
  async exchange(
    ref: GrantRef,
    secretHash: Buffer,
    matchesGrant: (grant: LockedGrant) => boolean,
  ): Promise<TokenResponse> {
    const outcome = await this.work.run(ref.workspaceId, async tx => {
      const grant = await lockGrant(tx, ref.grantId, secretHash);
      if (!grant || !matchesGrant(grant)) return undefined;
      if (grant.keyId !== null) return this.revoke(tx, grant.keyId);
      return grant.isExpired || !grant.isApproverActive ? undefined : this.issue(tx, grant);
    });
    if (outcome && 'access_token' in outcome) {
      this.log.log({ msg: 'issued an API key for a sign-in', key_id: outcome.key_id, workspace_id: ref.workspaceId });
      return outcome;
    }
    if (outcome) {
      this.cache.markRevoked(outcome.revokedKeyId);
      const details = { key_id: outcome.revokedKeyId, workspace_id: ref.workspaceId };
      this.log.warn({ msg: 'a code was used twice, so its API key was revoked', ...details });
    }
    throw new InvalidGrantError(
      'The code is not valid: it is unknown, was used before, has expired, or belongs to another client.',
    );
  }

  private async issue(tx: Tx, grant: LockedGrant): Promise<TokenResponse> {
    const { name, scopes, origin, approvedBy, approverExpiresAt } = grant;
    const now = await tx.now();
    const expiresAt = Math.min(now + KEY_TTL_DAYS[origin] * DAY_US, approverExpiresAt ?? Infinity);
    const actor = { kind: 'oauth', id: grant.id } as const;
    const input = { name, scopes, origin, expiresAt, createdBy: approvedBy, actor };
    const { apiKey, key } = await this.keys.create(tx, input);
    await recordIssuedKey(tx, grant.id, apiKey.id);
    return {
      access_token: key,
      token_type: 'Bearer',
      expires_in: Math.floor((expiresAt - now) / US_PER_SECOND),
      scope: scopes.join(' '),
      key_id: apiKey.id,
      workspace_id: tx.workspace,
      workspace_name: grant.workspaceName,
    };
  }

  private async revoke(tx: Tx, keyId: string): Promise<ReplayedCode> {
    await this.keys.revoke(tx, keyId);
    return { revokedKeyId: keyId };
  }
}
