import { Injectable, Logger } from '@nestjs/common';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type FormFields, requireParam } from '../oauth/form.js';
import { hashSecret, parseGrantCode } from './grant-code.js';
import { GrantedKeysService, type TokenResponse } from './granted-keys.service.js';
import { deleteRefreshToken, lockRefreshToken } from './refresh-tokens.queries.js';

/** How long the key before works on after a refresh, in seconds: requests with it may be under way. */
const OVERLAP_SECONDS = 60;

/** Refreshes the access of programs (RFC 6749, section 6): a new API key and a new refresh token for the old ones. */
@Injectable()
export class RefreshService {
  private readonly log = new Logger('oauth');

  constructor(
    private readonly work: UnitOfWork,
    private readonly granted: GrantedKeysService,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
  ) {}

  /**
   * Exchanges a refresh token, once. One that was exchanged before may have been stolen, so the sign-in ends and its key is
   * revoked (RFC 9700, section 4.14.2).
   * @throws InvalidGrantError also if the key was revoked, or who approved may not grant access any more
   */
  async refresh(fields: FormFields): Promise<TokenResponse> {
    const token = requireParam(fields, 'refresh_token');
    const clientId = requireParam(fields, 'client_id', 2_048);
    const ref = parseGrantCode(token);
    const outcome =
      ref &&
      (await this.work.run(ref.workspaceId, async tx => {
        const locked = await lockRefreshToken(tx, ref.grantId, hashSecret(token));
        if (!locked || locked.clientId !== clientId) return undefined;
        if (!locked.isValid) {
          await deleteRefreshToken(tx, locked.id);
          await this.keys.revoke(tx, locked.keyId);
          return { revokedKeyId: locked.keyId };
        }
        if (locked.isExpired || locked.isKeyRevoked || !locked.isApproverActive) return undefined;
        await this.keys.expireSoon(tx, locked.keyId, OVERLAP_SECONDS);
        return this.granted.issue(tx, locked);
      }));
    if (outcome && 'access_token' in outcome) {
      this.log.log({ msg: 'refreshed a sign-in', key_id: outcome.key_id, workspace_id: outcome.workspace_id });
      return outcome;
    }
    if (outcome) {
      this.cache.markRevoked(outcome.revokedKeyId);
      const details = { key_id: outcome.revokedKeyId, workspace_id: ref!.workspaceId };
      this.log.warn({ msg: 'a refresh token was used twice, so its sign-in has ended', ...details });
    }
    throw new InvalidGrantError(
      'The refresh token is not valid: it is unknown, was used before, has expired, belongs to another client, or its ' +
        'access was withdrawn. Sign in again.',
    );
  }

  /**
   * Ends a sign-in by its refresh token: the token and the key that was issued last stop working.
   * @returns false if it is no valid refresh token
   */
  async revoke(token: string): Promise<boolean> {
    const ref = parseGrantCode(token);
    if (!ref) return false;
    const keyId = await this.work.run(ref.workspaceId, async tx => {
      const locked = await lockRefreshToken(tx, ref.grantId, hashSecret(token));
      if (!locked?.isValid) return undefined;
      await deleteRefreshToken(tx, locked.id);
      await this.keys.revoke(tx, locked.keyId);
      return locked.keyId;
    });
    if (keyId !== undefined) this.cache.markRevoked(keyId);
    return keyId !== undefined;
  }
}
