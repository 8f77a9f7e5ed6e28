import { toIso } from '#domain/time/instant.js';
import { FailedEvents } from '#kernel/events/failed-events.js';
import type { FailedBatch } from '#kernel/events/hub-event.js';
import { type AddCommands, CommandFailed } from './admin-command.js';
import { uuid } from './arguments.js';
import { answer, table } from './terminal.js';

const MOST = 1_000;
const EXAMPLE = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** `admin events failed | redrive` */
export const addEventCommands: AddCommands = (admin, { terminal, withDatabase }) => {
  const events = admin.command('events').description('see events that could not be delivered, and send them again');

  events
    .command('failed')
    .description(`events whose delivery was given up, newest first, at most ${MOST} batches`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe events of one transaction are one batch. It stays until it is sent again.')
    .action(async ({ json }: { json?: true }) => {
      const rows = (await withDatabase(({ work }) => new FailedEvents(work).list(MOST))).map(toRow);
      const cells = rows.map(row => [row.batch_id, row.workspace_id, kindsOf(row), row.failed_at, row.reason]);
      const headings = ['BATCH', 'WORKSPACE', 'EVENTS', 'FAILED', 'REASON'];
      answer(terminal, json, { failed: rows }, table(headings, cells, 'None.'));
    });

  events
    .command('redrive')
    .description('send failed events again from their first try on; running hubs follow within seconds')
    .option('--batch <id>', 'only this batch (default: all of them)', uuid)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  rapport admin events redrive --batch ${EXAMPLE}`)
    .action(async ({ batch, json }: { batch?: string; json?: true }) => {
      const redriven = await withDatabase(({ work }) => new FailedEvents(work).redrive(batch ? [batch] : undefined));
      if (batch && redriven === 0) throw new CommandFailed(`There is no failed batch ${batch}.`);
      answer(terminal, json, { redriven }, [`Sent again: ${redriven}.`]);
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

/** Such as `2 observation.recorded, 1 entity.created`. */
function kindsOf({ events }: Pick<ReturnType<typeof toRow>, 'events'>): string {
  const byType = Map.groupBy(events, ({ type }) => type);
  return [...byType].map(([type, same]) => `${same.length} ${type}`).join(', ');
}
