import { Injectable, Logger } from '@nestjs/common';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type LockedGrant, lockGrant, recordIssuedKey } from './grants.queries.js';
import type { GrantRef } from './grant-code.js';
import { GrantedKeysService, type TokenResponse } from './granted-keys.service.js';
import { deleteRefreshToken } from './refresh-tokens.queries.js';

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
    private readonly granted: GrantedKeysService,
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
      if (grant.keyId !== null) return this.revoke(tx, grant);
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
    const response = await this.granted.issue(tx, grant);
    await recordIssuedKey(tx, grant.id, response.key_id);
    return response;
  }

  /** Ends the sign-in of a code: the refresh token is deleted, and the key that was issued last is revoked. */
  private async revoke(tx: Tx, { id, keyId }: LockedGrant): Promise<ReplayedCode> {
    const revokedKeyId = (await deleteRefreshToken(tx, id)) ?? keyId!;
    await this.keys.revoke(tx, revokedKeyId);
    return { revokedKeyId };
  }
}
