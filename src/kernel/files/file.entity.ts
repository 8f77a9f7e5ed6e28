import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import { InstantType } from '#kernel/db/orm.js';
import type { FileStorageName } from './chunk-storage.js';

/** A file that a plugin stores for a workspace. Its content is elsewhere, encrypted with the sealed key. */
export const FileEntity = defineEntity({
  name: 'File',
  tableName: 'files',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    plugin: p.text(),
    name: p.text(),
    mediaType: p.text(),
    state: p.text().$type<'writing' | 'ready'>().default('writing'),
    bytes: p.bigint('number').defaultRaw('0'),
    sha256: p.text().nullable(),
    storage: p.text().$type<FileStorageName>(),
    sealedKey: p.text(),
    createdBy: p.text().nullable(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType),
  }),
  checks: [
    { name: 'files_state_check', property: 'state', expression: "state IN ('writing', 'ready')" },
    { name: 'files_storage_check', property: 'storage', expression: "storage IN ('disk', 'postgres')" },
  ],
  indexes: [{ name: 'files_expiry', properties: ['expiresAt'] }],
});

/** A row of {@link FileEntity}. */
export type StoredFile = InferEntity<typeof FileEntity>;
