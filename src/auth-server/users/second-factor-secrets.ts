import { createHash } from 'node:crypto';
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Transaction } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type SecretBox, UnsealError } from '#kernel/secrets/secret-box.js';

/** A secret of better-auth, with the number by which it marks what it encrypted. */
export interface AuthSecret {
  readonly version: number;
  readonly value: string;
}

/** Derives the secrets of better-auth from the keys of the hub: the first one signs and encrypts, all of them decrypt. */
export function deriveAuthSecrets(box: SecretBox): AuthSecret[] {
  return box.deriveKeys('session cookies').map(({ keyId, key }) => ({ version: toVersion(keyId), value: key }));
}

/** Better-auth marks what it encrypted by a number: here 32 bits of a hash of the ID of the key. */
function toVersion(keyId: string): number {
  return createHash('sha256').update(keyId).digest().readUInt32BE(0);
}

/** @throws UnsealError if none of the secrets can decrypt a text */
export function requireSecret(isKnown: (version: number) => boolean, encrypted: string): void {
  const version = parseEnvelope(encrypted)?.version;
  if (version === undefined || !isKnown(version))
    throw new UnsealError('A second factor was encrypted with a key that SECRET_KEYS does not hold.');
}

/** What a rotation of second factors did. */
export interface SecondFactorRotation {
  /** Number of second factors that were read. */
  readonly read: number;
  /** Number of those that were encrypted with an older key. */
  readonly resealed: number;
}

const BATCH_SIZE = 100;

interface SecondFactorRow {
  readonly id: string;
  readonly secret: string;
  readonly recovery_codes: string;
}

/**
 * Encrypts the second factors of all people with the first of SECRET_KEYS, {@link BATCH_SIZE} per transaction. Safe with live
 * traffic, because rows are locked while they are changed, and can be repeated.
 * @param options.dryRun decrypts everything and changes nothing
 * @throws UnsealError at the first one that no key opens; earlier batches stay committed
 */
export async function rotateSecondFactors(
  work: UnitOfWork,
  box: SecretBox,
  { dryRun }: { readonly dryRun: boolean },
): Promise<SecondFactorRotation> {
  const secrets = deriveAuthSecrets(box);
  const config = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]!.version,
  };
  const reencrypt = async (encrypted: string) => {
    requireSecret(version => config.keys.has(version), encrypted);
    return symmetricEncrypt({ key: config, data: await symmetricDecrypt({ key: config, data: encrypted }) });
  };
  const isCurrent = (encrypted: string) => parseEnvelope(encrypted)?.version === config.currentVersion;

  async function rotateBatch(tx: Transaction, after: string | null) {
    const rows = await tx.query<SecondFactorRow>(
      `SELECT id, secret, recovery_codes FROM rapport_auth.second_factors WHERE ($1::uuid IS NULL OR id > $1)
       ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE`,
      [after],
    );
    const stale = rows.filter(row => !isCurrent(row.secret) || !isCurrent(row.recovery_codes));
    for (const { id, secret, recovery_codes } of stale) {
      const values = [id, await reencrypt(secret), await reencrypt(recovery_codes)];
      if (!dryRun)
        await tx.query('UPDATE rapport_auth.second_factors SET secret = $2, recovery_codes = $3 WHERE id = $1', values);
    }
    return { read: rows.length, resealed: stale.length, last: rows.at(-1)?.id };
  }

  let sum: SecondFactorRotation = { read: 0, resealed: 0 };
  for (let after: string | null = null; ;) {
    const batch = await work.auth(tx => rotateBatch(tx, after));
    sum = { read: sum.read + batch.read, resealed: sum.resealed + batch.resealed };
    if (batch.read < BATCH_SIZE) return sum;
    after = batch.last!;
  }
}
