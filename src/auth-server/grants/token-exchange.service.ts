import { Injectable, Logger } from '@nestjs/common';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { DAY_US } from '#domain/time/instant.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.cache.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type LockedGrant, lockGrant, recordIssuedKey } from './grants.queries.js';
import { KEY_TTL_DAYS } from './key-ttl.js';
import type { GrantRef } from './grant-code.js';

const SECONDS_PER_DAY = 86_400;

/** The answer of the token endpoint (RFC 6749, 5.1), with what a program may want to know of its key besides. */
export interface TokenResponse {
  /** An API key of the workspace, told this once. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
  /** Id of the key, to revoke it by. */
  readonly key_id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
}

/** A code came a second time. */
interface ReplayedCode {
  readonly revokedKeyId: string;
}

/** Makes the key that was granted, once. */
@Injectable()
export class TokenExchangeService {
  private readonly log = new Logger('oauth');

  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
  ) {}

  /**
   * Exchanges a code for the key that was granted. One that comes a second time may have been stolen, so its key is
   * revoked (RFC 6749, 4.1.2): of the two who hold the code nobody can say who is the thief.
   * @param matchesGrant says whether the one who brings the code is the one whom it was given to
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
      this.log.log({ msg: 'a program was let in', key_id: outcome.key_id, workspace_id: ref.workspaceId });
      return outcome;
    }
    if (outcome) {
      this.cache.markRevoked(outcome.revokedKeyId);
      const details = { key_id: outcome.revokedKeyId, workspace_id: ref.workspaceId };
      this.log.warn({ msg: 'a code came a second time, so its key was revoked', ...details });
    }
    throw new InvalidGrantError('The code is not valid: it is unknown, was used, has expired, or belongs to another.');
  }

  private async issue(tx: Tx, grant: LockedGrant): Promise<TokenResponse> {
    const { name, scopes, origin } = grant;
    const days = KEY_TTL_DAYS[origin];
    const expiresAt = (await tx.now()) + days * DAY_US;
    const { apiKey, key } = await this.keys.create(tx, { name, scopes, origin, expiresAt });
    await recordIssuedKey(tx, grant.id, apiKey.id);
    return {
      access_token: key,
      token_type: 'Bearer',
      expires_in: days * SECONDS_PER_DAY,
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
