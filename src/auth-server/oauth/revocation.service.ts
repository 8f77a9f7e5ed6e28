import { Injectable } from '@nestjs/common';
import { UnsupportedTokenTypeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.cache.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type FormFields, requireParam } from './form.js';

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
    const { workspaceId, actor } = caller;
    if (actor.kind !== 'oauth')
      throw new UnsupportedTokenTypeError(
        'This key was not issued for a sign-in. Revoke it in the API key management.',
      );
    await this.work.run(workspaceId, tx => this.keys.revoke(tx, actor.id));
    this.cache.markRevoked(actor.id);
  }
}
