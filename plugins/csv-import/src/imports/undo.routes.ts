import { Injectable } from '@nestjs/common';
import type { HubContext, Json, ResponseOf, RouteRequest } from '@rapport/plugin-sdk';
import { plugin } from '../plugin.js';
import { addRun, findImport, findUnfinishedRun, saveImport } from './import-store.js';
import { createNotFoundResponse, toErrorResponse } from './responses.js';
import type { UndoInput } from './undo.run.js';

/** Body of the request that undoes an import. */
export interface UndoBody {
  readonly dry_run?: boolean;
  readonly reason?: string;
}

/** Undoing of imports. */
@Injectable()
export class UndoRoutes {
  @plugin.OnRoute('undo')
  async undo({ params, body }: RouteRequest<UndoBody>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'undo'>> {
    const record = await findImport(hub.store, params['id']!);
    if (!record) return createNotFoundResponse();
    if (await findUnfinishedRun(hub, record, run => run.kind !== 'undo')) {
      return toErrorResponse('import_running', 'The import runs. Cancel it, or wait for its end.', undefined, 409);
    }
    const { dry_run = false, reason = `The import of ${record.file_name} was undone.` } = body ?? {};
    const input: UndoInput = { importId: record.id, reason, dryRun: dry_run };
    const key = `${dry_run ? 'dry:' : ''}undo:${record.id}`;
    const run = await hub.runs.start('undo', input as unknown as Json, { key });
    const started_at = hub.clock.now().toISOString();
    await saveImport(hub.store, addRun(record, { id: run.id, kind: 'undo', dry_run, target: null, started_at }));
    return { status: 202, body: { run: { id: run.id, status: run.status, dry_run } } };
  }
}
