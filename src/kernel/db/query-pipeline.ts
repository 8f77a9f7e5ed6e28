import type { Writable } from 'node:stream';
import pg from 'pg';

/** One statement of a {@link QueryPipeline}. */
export interface QueuedQuery {
  readonly text: string;
  /** Parameters as returned by {@link encodeParams}. */
  readonly values: readonly unknown[];
  /** Name of the prepared statement, if it is one. */
  readonly name?: string;
}

interface PendingQuery extends QueuedQuery {
  readonly result: pg.Result & RowParser;
  readonly completion: PromiseWithResolvers<pg.QueryResult>;
  /** The first error from parsing its rows. */
  parseError?: unknown;
}

/** Methods of the driver's results that are missing in its types. */
interface RowParser {
  addFields(fields: unknown[]): void;
  addCommandComplete(message: unknown): void;
  parseRow(fields: unknown[]): unknown;
}

/** Methods of the driver's connections that are used here; its types have outdated signatures. */
interface DriverConnection {
  readonly stream: Writable;
  /** Prepared statements that the server has confirmed, and those sent to it, by name. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string | undefined; text: string }): void;
  bind(values: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
  sendCopyFail(reason: string): void;
  sync(): void;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** Encodes parameters as sent to the server: text, bytes or null. Throws for a value that cannot be encoded. */
export function encodeParams(values: readonly unknown[]): unknown[] {
  return values.map(value => prepareValue(value));
}

/**
 * Sends several statements in one write with one `Sync`, so that the server responds to all of them in one message.
 * With a message for each, waking a process takes longer than most of these statements do. They run in order; when
 * one fails, the server skips those behind it, and all of them fail with its error.
 * The driver treats it as one query and calls the methods that begin with `handle`.
 */
export class QueryPipeline implements pg.Submittable {
  /** Set by the driver; called at the end. */
  callback: (() => void) | undefined;
  private readonly queries: PendingQuery[] = [];
  /** Index of the statement whose response is being received. */
  private currentIndex = 0;

  /** @param types parsers of column values. */
  constructor(private readonly types: pg.CustomTypesConfig) {}

  /** Adds a statement. Call it only before `flush`. */
  enqueue(query: QueuedQuery): Promise<pg.QueryResult> {
    const result = this.createResult();
    const completion = Promise.withResolvers<pg.QueryResult>();
    this.queries.push({ ...query, result, completion });
    return completion.promise;
  }

  /** Name of the statement whose response is being received; the driver records it as prepared. */
  get name(): string | undefined {
    return this.queries[this.currentIndex]?.name;
  }

  /** Text of the statement whose response is being received. */
  get text(): string | undefined {
    return this.queries[this.currentIndex]?.text;
  }

  /** Sends the queued statements and `Sync`. */
  flush(client: pg.ClientBase): void {
    client.query(this);
  }

  submit(driverConnection: unknown): void {
    const connection = driverConnection as DriverConnection;
    connection.stream.cork();
    for (const query of this.queries) sendQuery(connection, query);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    this.queries[this.currentIndex]!.result.addFields(fields);
  }

  /**
   * Stores parse errors instead of throwing: the driver calls this from its socket handler, where nothing catches
   * them.
   */
  handleDataRow({ fields }: { fields: unknown[] }): void {
    const part = this.queries[this.currentIndex]!;
    try {
      part.result.rows.push(part.result.parseRow(fields) as pg.QueryResultRow);
    } catch (error) {
      part.parseError ??= error;
    }
  }

  handleCommandComplete(message: unknown): void {
    const { result, completion, parseError } = this.queries[this.currentIndex++]!;
    result.addCommandComplete(message);
    if (parseError === undefined) completion.resolve(result);
    else completion.reject(parseError);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** COPY is not supported: the server responds to this with an error. */
  handleCopyInResponse(connection: unknown): void {
    (connection as DriverConnection).sendCopyFail('no data is copied in here');
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    this.callback?.();
  }

  handleError(error: unknown, connection: unknown): void {
    const { submittedNamedStatements } = connection as DriverConnection;
    for (const { name, completion } of this.queries.slice(this.currentIndex)) {
      if (name !== undefined) delete submittedNamedStatements[name];
      completion.reject(error);
    }
    this.currentIndex = this.queries.length;
    this.callback?.();
  }

  private createResult(): PendingQuery['result'] {
    return new pg.Result('object', this.types as typeof pg.types) as PendingQuery['result'];
  }
}

function sendQuery(connection: DriverConnection, { name, text, values }: QueuedQuery): void {
  const isPrepared =
    name !== undefined && (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]);
  if (!isPrepared) {
    connection.parse({ name, text });
    if (name !== undefined) connection.submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values });
  connection.describe({ type: 'P', name: '' });
  connection.execute({ portal: '' });
}
