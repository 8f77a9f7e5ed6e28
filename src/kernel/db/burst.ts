import type { Writable } from 'node:stream';
import pg from 'pg';

/** One statement of a {@link Burst}. */
export interface Asked {
  readonly text: string;
  /** As {@link wireValues} gives them. */
  readonly values: readonly unknown[];
  /** The server keeps it by this name, if there is one. */
  readonly name?: string;
}

interface Part extends Asked {
  readonly result: pg.Result & Rows;
  readonly answer: PromiseWithResolvers<pg.QueryResult>;
  /** How its rows are read; absent until the server has described them. */
  shape?: Rows | undefined;
  /** Why a row of it could not be read. */
  failure?: unknown;
}

/** What the driver's results can do and its types do not tell. */
interface Rows {
  addFields(fields: unknown[]): void;
  addCommandComplete(message: unknown): void;
  parseRow(fields: unknown[]): unknown;
}

/** What the driver's connections can do, as far as it is needed here; its types ask for arguments that are gone. */
interface Wire {
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
const shapes = new WeakMap<Wire, Map<string, Rows>>();

function shapesOf(wire: Wire): Map<string, Rows> {
  let known = shapes.get(wire);
  if (!known) shapes.set(wire, (known = new Map()));
  return known;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** Values as they are sent: text, bytes or null. Throws for one that cannot be. */
export function wireValues(values: readonly unknown[]): unknown[] {
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
export class Burst implements pg.Submittable {
  /** Set by the driver, which wants to be told of the end. */
  callback: (() => void) | undefined;
  private readonly parts: Part[] = [];
  /** Of the statement that is being answered. */
  private place = 0;
  /** How many have been sent. */
  private sent = 0;
  private wire: Wire | undefined;
  private given = false;
  private ends = false;
  private failure: { readonly error: unknown } | undefined;

  /** @param types how values are read. */
  constructor(private readonly types: pg.CustomTypesConfig) {}

  /** Adds a statement. Only before the burst has left. */
  ask(asked: Asked): Promise<pg.QueryResult> {
    if (this.failure) return Promise.reject(this.failure.error);
    const result = this.emptyResult();
    const answer = Promise.withResolvers<pg.QueryResult>();
    this.parts.push({ ...asked, result, answer });
    return answer.promise;
  }

  /** The name of the statement that is being answered: the driver notes what the server keeps. */
  get name(): string | undefined {
    return this.parts[this.place]?.name;
  }

  /** The text of the statement that is being answered. */
  get text(): string | undefined {
    return this.parts[this.place]?.text;
  }

  /** Sends what has been asked so far. The server runs it and keeps the answers until the rest has left. */
  leaveInPart(client: pg.ClientBase): void {
    if (this.given) return this.send();
    this.given = true;
    client.query(this);
  }

  /** Sends the rest. */
  leave(client: pg.ClientBase): void {
    this.ends = true;
    this.leaveInPart(client);
  }

  submit(connection: unknown): void {
    this.wire = connection as Wire;
    this.send();
  }

  /** The rows are read by a result of its own, which holds none of them: it is kept. */
  handleRowDescription({ fields }: { fields: unknown[] }): void {
    const part = this.parts[this.place]!;
    part.shape = this.emptyResult();
    part.shape.addFields(fields);
  }

  /** Nobody catches what is thrown here: the driver calls it when bytes arrive. */
  handleDataRow({ fields }: { fields: unknown[] }): void {
    const part = this.parts[this.place]!;
    try {
      part.result.rows.push(part.shape!.parseRow(fields) as pg.QueryResultRow);
    } catch (error) {
      part.failure ??= error;
    }
  }

  handleCommandComplete(message: unknown): void {
    const { name, result, answer, failure, shape } = this.parts[this.place++]!;
    if (name !== undefined) shapesOf(this.wire!).set(name, shape ?? this.emptyResult());
    result.addCommandComplete(message);
    if (failure === undefined) answer.resolve(result);
    else answer.reject(failure);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** There is nothing to copy: the server answers that with an error. */
  handleCopyInResponse(connection: unknown): void {
    (connection as Wire).sendCopyFail('no data is copied in here');
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    this.callback?.();
  }

  handleError(error: unknown, connection: unknown): void {
    const { submittedNamedStatements } = connection as Wire;
    for (const { name, answer } of this.parts.slice(this.place)) {
      if (name !== undefined) delete submittedNamedStatements[name];
      answer.reject(error);
    }
    this.place = this.parts.length;
    this.failure = { error };
    this.callback?.();
  }

  private send(): void {
    const { wire } = this;
    if (!wire) return;
    wire.stream.cork();
    for (const part of this.parts.slice(this.sent)) part.shape = send(wire, part);
    this.sent = this.parts.length;
    if (this.ends) wire.sync();
    wire.stream.uncork();
  }

  private emptyResult(): Part['result'] {
    return new pg.Result('object', this.types as typeof pg.types) as Part['result'];
  }
}

/** @returns how its rows are read, where that is known already. */
function send(wire: Wire, { name, text, values }: Asked): Rows | undefined {
  const isKept = name !== undefined && (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]);
  if (!isKept) {
    wire.parse({ name, text });
    if (name !== undefined) wire.submittedNamedStatements[name] = text;
  }
  const shape = isKept ? shapesOf(wire).get(name) : undefined;
  wire.bind({ statement: name, values });
  if (!shape) wire.describe({ type: 'P', name: '' });
  wire.execute({ portal: '' });
  return shape;
}
