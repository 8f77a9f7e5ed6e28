import { toIso } from '#domain/time/instant.js';
import { FailedEventsService } from '#kernel/events/failed-events.service.js';
import type { FailedBatch } from '#kernel/events/hub-event.js';
import { type AddAdminCommands, CommandError, parseUuidArgument, printResult } from './admin-context.js';
import { formatTableLines } from '../cli/base/terminal.js';

const MAX_LISTED_BATCHES = 1_000;
const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** Adds `admin events failed | redrive`. */
export const addEventCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const events = admin.command('events').description('list events that could not be delivered, and send them again');

  events
    .command('failed')
    .description(`list events whose delivery failed for good, newest first, at most ${MAX_LISTED_BATCHES} batches`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe events of one transaction are one batch. It stays until it is sent again.')
    .action(async ({ json }: { json?: true }) => {
      const rows = (await withDatabase(({ work }) => new FailedEventsService(work).list(MAX_LISTED_BATCHES))).map(
        toRow,
      );
      const cells = rows.map(row => [
        row.batch_id,
        row.workspace_id,
        summarizeEventTypes(row),
        row.failed_at,
        row.reason,
      ]);
      const headings = ['BATCH', 'WORKSPACE', 'EVENTS', 'FAILED', 'REASON'];
      printResult(terminal, json, { failed: rows }, formatTableLines(headings, cells, 'None.'));
    });

  events
    .command('redrive')
    .description('send failed events again with all their attempts; running hubs follow within seconds')
    .option('--batch <id>', 'only this batch (default: all of them)', parseUuidArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  rapport admin events redrive --batch ${EXAMPLE_ID}`)
    .action(async ({ batch, json }: { batch?: string; json?: true }) => {
      const redriven = await withDatabase(({ work }) =>
        new FailedEventsService(work).redrive(batch ? [batch] : undefined),
      );
      if (batch && redriven === 0) throw new CommandError(`There is no failed batch ${batch}.`);
      printResult(terminal, json, { redriven }, [`Sent again: ${redriven}.`]);
    });
};

function toRow({ id, workspaceId, events, occurredAt, failedAt, reason }: FailedBatch) {
  return {
    batch_id: id,
    workspace_id: workspaceId,
    events: events.map(event => ({ id: event.id, type: event.type })),
    occurred_at: toIso(occurredAt),
    failed_at: toIso(failedAt),
    reason,
  };
}

/** Returns the counts by type, such as `2 observation.recorded, 1 entity.created`. */
function summarizeEventTypes({ events }: Pick<ReturnType<typeof toRow>, 'events'>): string {
  const byType = Map.groupBy(events, ({ type }) => type);
  return [...byType].map(([type, same]) => `${same.length} ${type}`).join(', ');
}
