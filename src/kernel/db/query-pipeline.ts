import type { Writable } from 'node:stream';
import pg from 'pg';

/** One statement of a {@link QueryPipeline}. */
export interface QueuedQuery {
  readonly text: string;
  /** As {@link encodeParams} gives them. */
  readonly values: readonly unknown[];
  /** The server keeps it by this name, if there is one. */
  readonly name?: string;
}

interface PendingQuery extends QueuedQuery {
  readonly result: pg.Result & RowParser;
  readonly completion: PromiseWithResolvers<pg.QueryResult>;
  /** How its rows are read; absent until the server has described them. */
  rowParser?: RowParser | undefined;
  /** Why a row of it could not be read. */
  parseError?: unknown;
}

/** What the driver's results can do and its types do not tell. */
interface RowParser {
  addFields(fields: unknown[]): void;
  addCommandComplete(message: unknown): void;
  parseRow(fields: unknown[]): unknown;
}

/** What the driver's connections can do, as far as it is needed here; its types ask for arguments that are gone. */
interface DriverConnection {
  readonly stream: Writable;
  /** Statements that the server keeps, and those that it has been told to, by name. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string | undefined; text: string }): void;
  bind(values: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
  sendCopyFail(reason: string): void;
  sync(): void;
}

/**
 * How the rows of the statements are read that the server of a connection keeps, by their name. They are described once:
 * a statement that is kept never changes what it selects, the server would rather refuse it.
 */
const rowDescriptions = new WeakMap<DriverConnection, Map<string, RowParser>>();

function rowDescriptionsOf(connection: DriverConnection): Map<string, RowParser> {
  let descriptions = rowDescriptions.get(connection);
  if (!descriptions) rowDescriptions.set(connection, (descriptions = new Map()));
  return descriptions;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** Values as they are sent: text, bytes or null. Throws for one that cannot be. */
export function encodeParams(values: readonly unknown[]): unknown[] {
  return values.map(value => prepareValue(value));
}

/**
 * Statements that leave in one write and end with one `Sync`, so that the server answers all of them in one message.
 * Sent one by one each is answered by itself, and to wake a process for an answer takes longer than most of these
 * statements do. They run in their order; when one fails, the server leaves out those behind it, and all of them fail
 * with its error. Those that nobody waits for may leave before the others, so that the server runs them while the rest
 * is being made.
 *
 * The driver takes it for a query of its own, and calls the methods that begin with `handle`.
 */
export class QueryPipeline implements pg.Submittable {
  /** Set by the driver, which wants to be told of the end. */
  callback: (() => void) | undefined;
  private readonly queries: PendingQuery[] = [];
  /** Of the statement that is being answered. */
  private currentIndex = 0;
  /** How many have been sent. */
  private sentCount = 0;
  private connection: DriverConnection | undefined;
  private isSubmitted = false;
  private isFlushed = false;
  private failure: { readonly error: unknown } | undefined;

  /** @param types how values are read. */
  constructor(private readonly types: pg.CustomTypesConfig) {}

  /** Adds a statement. Only before the burst has left. */
  enqueue(query: QueuedQuery): Promise<pg.QueryResult> {
    if (this.failure) return Promise.reject(this.failure.error);
    const result = this.createResult();
    const completion = Promise.withResolvers<pg.QueryResult>();
    this.queries.push({ ...query, result, completion });
    return completion.promise;
  }

  /** The name of the statement that is being answered: the driver notes what the server keeps. */
  get name(): string | undefined {
    return this.queries[this.currentIndex]?.name;
  }

  /** The text of the statement that is being answered. */
  get text(): string | undefined {
    return this.queries[this.currentIndex]?.text;
  }

  /** Sends what has been asked so far. The server runs it and keeps the answers until the rest has left. */
  flushPartial(client: pg.ClientBase): void {
    if (this.isSubmitted) return this.sendQueued();
    this.isSubmitted = true;
    client.query(this);
  }

  /** Sends the rest. */
  flush(client: pg.ClientBase): void {
    this.isFlushed = true;
    this.flushPartial(client);
  }

  submit(connection: unknown): void {
    this.connection = connection as DriverConnection;
    this.sendQueued();
  }

  /** The rows are read by a result of its own, which holds none of them: it is kept. */
  handleRowDescription({ fields }: { fields: unknown[] }): void {
    const part = this.queries[this.currentIndex]!;
    part.rowParser = this.createResult();
    part.rowParser.addFields(fields);
  }

  /** Nobody catches what is thrown here: the driver calls it when bytes arrive. */
  handleDataRow({ fields }: { fields: unknown[] }): void {
    const part = this.queries[this.currentIndex]!;
    try {
      part.result.rows.push(part.rowParser!.parseRow(fields) as pg.QueryResultRow);
    } catch (error) {
      part.parseError ??= error;
    }
  }

  handleCommandComplete(message: unknown): void {
    const { name, result, completion, parseError, rowParser } = this.queries[this.currentIndex++]!;
    if (name !== undefined) rowDescriptionsOf(this.connection!).set(name, rowParser ?? this.createResult());
    result.addCommandComplete(message);
    if (parseError === undefined) completion.resolve(result);
    else completion.reject(parseError);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** There is nothing to copy: the server answers that with an error. */
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
    this.failure = { error };
    this.callback?.();
  }

  private sendQueued(): void {
    const { connection } = this;
    if (!connection) return;
    connection.stream.cork();
    for (const part of this.queries.slice(this.sentCount)) part.rowParser = sendQuery(connection, part);
    this.sentCount = this.queries.length;
    if (this.isFlushed) connection.sync();
    connection.stream.uncork();
  }

  private createResult(): PendingQuery['result'] {
    return new pg.Result('object', this.types as typeof pg.types) as PendingQuery['result'];
  }
}

/** @returns how its rows are read, where that is known already. */
function sendQuery(connection: DriverConnection, { name, text, values }: QueuedQuery): RowParser | undefined {
  const isPrepared =
    name !== undefined && (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]);
  if (!isPrepared) {
    connection.parse({ name, text });
    if (name !== undefined) connection.submittedNamedStatements[name] = text;
  }
  const shape = isPrepared ? rowDescriptionsOf(connection).get(name) : undefined;
  connection.bind({ statement: name, values });
  if (!shape) connection.describe({ type: 'P', name: '' });
  connection.execute({ portal: '' });
  return shape;
}
