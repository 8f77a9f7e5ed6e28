import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/sweeper.js';

const DELETE_EXPIRED = `
  DELETE FROM plugin_store WHERE (workspace_id, plugin, connection_id, key) IN (
    SELECT workspace_id, plugin, connection_id, key FROM plugin_store
    WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
  RETURNING key`;

/** Deletes expired values of plugin stores. */
@Injectable()
export class PluginStoreSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'plugins', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
