import { Injectable } from '@nestjs/common';
import { UnsupportedTokenTypeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import type { KeyOrigin } from '#kernel/auth/api-key.entity.js';
import { ApiKeyCache } from '#kernel/auth/api-key.cache.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type FormFields, requireParam } from './form.js';

const OAUTH_ORIGINS: ReadonlySet<KeyOrigin> = new Set(['oauth', 'cli']);

/** Token revocation (RFC 7009): the holder of a key that was issued for a sign-in may revoke it, without any scope. */
@Injectable()
export class RevocationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
  ) {}

  /**
   * Revokes the key in `token`. An invalid key is ignored, as RFC 7009, section 2.2, requires.
   * @throws OAuthError `unsupported_token_type` for a key that was not issued for a sign-in
   */
  async revoke(fields: FormFields): Promise<void> {
    const caller = await this.cache.resolve(requireParam(fields, 'token'));
    if (!caller) return;
    await this.work.run(caller.workspaceId, async tx => {
      const [key] = await tx.query<{ origin: KeyOrigin }>(
        'SELECT origin FROM api_keys WHERE workspace_id = $1 AND id = $2',
        [caller.workspaceId, caller.keyId],
      );
      if (!key || !OAUTH_ORIGINS.has(key.origin))
        throw new UnsupportedTokenTypeError(
          'This key was not issued for a sign-in. Revoke it in the API key management.',
        );
      await this.keys.revoke(tx, caller.keyId);
    });
    this.cache.markRevoked(caller.keyId);
  }
}
