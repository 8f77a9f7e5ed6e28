import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { SecretBox } from '#kernel/secrets/secret-box.js';
import { toHashKeyPlace } from '../identity/suppression.service.js';

/** Returns the authenticated context under which the terms of an erasure are sealed. */
export function toTermsPlace(workspace: string, erasureId: string) {
  return { workspace, owner: erasureId, field: 'erasure.terms' };
}

/** Options of {@link rotateErasureSecrets}. */
export interface ErasureRotationOptions {
  /** Decrypts everything and changes nothing. */
  readonly dryRun: boolean;
}

/**
 * Reseals the hash key of a workspace and the terms of its unfinished erasures under the first of SECRET_KEYS.
 * @returns the number of sealed texts, and of those that were resealed.
 * @throws UnsealError if no key opens one of them.
 */
export function rotateErasureSecrets(
  work: UnitOfWork,
  box: SecretBox,
  workspace: string,
  { dryRun }: ErasureRotationOptions,
): Promise<{ readonly read: number; readonly resealed: number }> {
  return work.erase(workspace, async tx => {
    const keys = await tx.query<{ sealed: string }>(
      'SELECT sealed FROM erasure_keys WHERE workspace_id = $1 FOR UPDATE',
      [workspace],
    );
    const terms = await tx.query<{ id: string; terms: string }>(
      'SELECT id, terms FROM erasures WHERE workspace_id = $1 AND terms IS NOT NULL FOR UPDATE',
      [workspace],
    );
    const staleKeys = keys.filter(({ sealed }) => !box.isCurrent(sealed));
    const staleTerms = terms.filter(row => !box.isCurrent(row.terms));
    for (const { sealed } of staleKeys) {
      const resealed = box.reseal(toHashKeyPlace(workspace), sealed);
      if (!dryRun) await tx.query('UPDATE erasure_keys SET sealed = $2 WHERE workspace_id = $1', [workspace, resealed]);
    }
    for (const row of staleTerms) {
      const resealed = box.reseal(toTermsPlace(workspace, row.id), row.terms);
      if (!dryRun)
        await tx.query('UPDATE erasures SET terms = $3 WHERE workspace_id = $1 AND id = $2', [
          workspace,
          row.id,
          resealed,
        ]);
    }
    return { read: keys.length + terms.length, resealed: staleKeys.length + staleTerms.length };
  });
}
