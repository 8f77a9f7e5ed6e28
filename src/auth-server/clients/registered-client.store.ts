import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { ClientMetadata } from './client-metadata.js';
import { OAuthClientEntity } from '../oauth.entities.js';
import type { OAuthClient } from './oauth-client.js';

/** Maximum number of registered clients that have not been approved yet. */
const MAX_UNUSED_CLIENTS = 10_000;
const ID = /^rap_client_[\w-]{22}$/;

/** Stores dynamically registered clients (RFC 7591). One that nobody approves within a week is deleted. */
@Injectable()
export class RegisteredClientStore {
  constructor(private readonly work: UnitOfWork) {}

  /** Saves a client. @returns its new ID @throws HubError `unavailable` if too many are waiting for approval */
  async add({ name, redirectUris }: ClientMetadata): Promise<string> {
    const id = `rap_client_${randomBytes(16).toString('base64url')}`;
    const rows = await this.work.system(tx =>
      tx.query(
        `INSERT INTO oauth_clients (id, name, redirect_uris) SELECT $1, $2, $3
         WHERE (SELECT count(*) FROM oauth_clients WHERE used_at IS NULL) < ${MAX_UNUSED_CLIENTS} RETURNING id`,
        [id, name, redirectUris],
      ),
    );
    if (rows.length === 0)
      throw HubError.unavailable('Too many clients are waiting for their first approval.', undefined, 3_600);
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
