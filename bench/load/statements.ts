import { randomBytes, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { LimitStatement } from './limit-statement.ts';
import { notesStatement, type NotesLimit } from './notes-load.ts';

/** A statement that shows what the database can do at most. */
export type Limit =
  /** Nothing but the way to the server and back. */
  | { readonly name: 'select-1' }
  /** Three rows in one INSERT: the least that three observations cost. */
  | { readonly name: 'insert-3' }
  /** A hundred rows in one INSERT from arrays. */
  | { readonly name: 'insert-100' }
  /** Lock an entity, append three observations, derive its claims again from all of its history. */
  | { readonly name: 'lock-and-derive'; readonly entity: string }
  /** Whose these addresses are. */
  | { readonly name: 'look-up'; readonly workspace: string; readonly emails: readonly string[] }
  | NotesLimit;

/** Columns of the log, without the workspace. */
const columns = [
  ['id', 'uuid'],
  ['entity_id', 'uuid'],
  ['kind', 'text'],
  ['property', 'text'],
  ['value', 'jsonb'],
  ['source', 'text'],
  ['method', 'text'],
  ['observed_at', 'timestamptz'],
  ['recorded_at', 'timestamptz'],
  ['external_id', 'text'],
  ['digest', 'bytea'],
  ['raw', 'jsonb'],
] as const;

const names = columns.map(([name]) => name).join(', ');
const workspace = randomUUID();
const entities = Array.from({ length: 10_000 }, () => randomUUID());
const digest = randomBytes(32);
let calls = 0;

/** The statement of a limit. */
export function statementOf(limit: Limit): LimitStatement {
  switch (limit.name) {
    case 'select-1':
      return { text: 'SELECT 1', values: () => [] };
    case 'insert-3':
      return insertRows(3);
    case 'insert-100':
      return insertArrays(100);
    case 'look-up':
      return {
        text: "SELECT key, entity_id FROM identifiers WHERE workspace_id = $1 AND kind = 'email' AND key = ANY ($2)",
        values: () => [limit.workspace, limit.emails],
      };
    case 'lock-and-derive':
      return {
        text: 'SELECT bench_record($1, $2::uuid[], $3::timestamptz, $4)',
        values: () => [
          limit.entity,
          [uuidv7(), uuidv7(), uuidv7()],
          new Date().toISOString(),
          `VP Sales ${calls++ % 5}`,
        ],
      };
    default:
      return notesStatement(limit);
  }
}

function insertRows(count: number): LimitStatement {
  const places = Array.from({ length: count }, (_, row) => {
    const own = columns.map((_, i) => `$${2 + row * columns.length + i}`);
    return `($1, ${own.join(', ')})`;
  });
  return {
    text: `INSERT INTO bench_observations (workspace_id, ${names}) VALUES ${places.join(', ')}`,
    values: () => [workspace, ...rowsAbout(nextEntity(), count).flat()],
  };
}

function insertArrays(count: number): LimitStatement {
  const arrays = columns.map(([, type], i) => `$${i + 2}::${type}[]`);
  return {
    text: `INSERT INTO bench_observations (workspace_id, ${names}) SELECT $1, * FROM unnest(${arrays.join(', ')})`,
    values: () => {
      const rows = rowsAbout(nextEntity(), count);
      return [workspace, ...columns.map((_, i) => rows.map(row => row[i]))];
    },
  };
}

function nextEntity(): string {
  return entities[calls++ % entities.length]!;
}

function rowsAbout(entity: string, count: number): unknown[][] {
  const now = new Date().toISOString();
  return Array.from({ length: count }, (_, i) => {
    const event = i % 3 === 2;
    const property = event ? 'interaction.call_held' : `field_${i % 30}`;
    const value = event ? `{"description":"Asked for the price list, call ${calls}"}` : `"value ${i % 90}"`;
    return [uuidv7(), entity, event ? 'event' : 'state', property, value, 'agent', 'api', now, now, null, digest, null];
  });
}
