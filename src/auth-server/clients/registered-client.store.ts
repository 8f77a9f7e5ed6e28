import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { ClientMetadata, OAuthClient } from './oauth-client.js';
import { OAuthClientEntity } from '../oauth.entities.js';

/** Maximum number of registered clients that have not been approved yet. */
export const MAX_UNUSED_CLIENTS = 10_000;
const ID = /^rap_client_[\w-]{22}$/;

/** Stores dynamically registered clients (RFC 7591). One that nobody approves within a week is deleted. */
@Injectable()
export class RegisteredClientStore {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Saves a client. At {@link MAX_UNUSED_CLIENTS} clients without an approval the oldest of them gives way, so that
   * nobody can shut registration for others.
   * @returns its new ID
   */
  async add({ name, redirectUris }: ClientMetadata): Promise<string> {
    const id = `rap_client_${randomBytes(16).toString('base64url')}`;
    await this.work.system(async tx => {
      await tx.query(
        `DELETE FROM oauth_clients WHERE id IN (
           SELECT id FROM oauth_clients WHERE used_at IS NULL ORDER BY created_at DESC, id OFFSET ${MAX_UNUSED_CLIENTS - 1}
           FOR UPDATE SKIP LOCKED)`,
      );
      await tx.query('INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, $2, $3)', [
        id,
        name,
        redirectUris,
      ]);
    });
    return id;
  }

  /** Finds a client by ID. */
  async find(id: string): Promise<OAuthClient | undefined> {
    if (!ID.test(id)) return undefined;
    const client = await this.work.system(async tx => (await tx.entityManager()).findOne(OAuthClientEntity, { id }));
    return client ? { id, name: client.name, redirectUris: client.redirectUris, origin: 'oauth' } : undefined;
  }

  /** Records that a client was approved, so that it is not deleted after a week. */
  async markUsed(id: string): Promise<void> {
    if (!ID.test(id)) return;
    await this.work.system(async tx => {
      const em = await tx.entityManager();
      await em.nativeUpdate(OAuthClientEntity, { id }, { usedAt: await tx.now() });
    });
  }
}
