import type pg from 'pg';

/** A statement as it was sent. */
export interface Sent {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Listens to what goes to the database over one pool. */
export interface StatementLog {
  /** Every statement so far, transaction by transaction that was begun as this role; BEGIN and COMMIT are of them. */
  of(role: 'rapport_app' | 'rapport_system'): readonly (readonly Sent[])[];
  /** How often an answer was waited for, in the transactions of this role: with each `Sync` the server gives what it has. */
  roundTripsOf(role: 'rapport_app' | 'rapport_system'): number;
  clear(): void;
}

/** What the driver sends. */
interface Wire {
  /** The texts of the statements that the server keeps, by name, and of those it has been told to keep. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  query(text: string): void;
  parse(statement: { name?: string; text: string }): void;
  bind(call: { statement?: string; values?: readonly unknown[] }): void;
  sync(): void;
}

class SentTransaction {
  readonly sent: Sent[] = [];
  roundTrips = 0;

  is(role: string): boolean {
    return this.sent.some(({ sql, values }) => sql.includes(`set_config('role'`) && values.includes(role));
  }
}

/** Has every connection of a pool tell what it sends, before it is sent. */
export function listenTo(pool: pg.Pool): StatementLog {
  const transactions: SentTransaction[] = [];
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', client => {
    if (known.has(client)) return;
    known.add(client);
    const { connection } = client as unknown as { connection: Wire };
    listenToOne(connection, transactions);
  });
  const of = (role: string) => transactions.filter(transaction => transaction.is(role));
  return {
    of: role => of(role).map(({ sent }) => sent),
    roundTripsOf: role => of(role).reduce((sum, { roundTrips }) => sum + roundTrips, 0),
    clear: () => void transactions.splice(0),
  };
}

function listenToOne(wire: Wire, transactions: SentTransaction[]): void {
  let nameless = '';
  let current = new SentTransaction();
  const textOf = (name: string) => wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]!;
  const take = (text: string, values: readonly unknown[]) => {
    if (text.startsWith('BEGIN')) transactions.push((current = new SentTransaction()));
    current.sent.push({ sql: text, values });
  };
  const { query, parse, bind, sync } = wire;
  Object.assign(wire, {
    query(text: string) {
      for (const part of text.split(';').filter(sql => sql.trim() !== '')) take(part, []);
      current.roundTrips++;
      query.call(wire, text);
    },
    parse(statement: { name?: string; text: string }) {
      if (!statement.name) nameless = statement.text;
      parse.call(wire, statement);
    },
    bind(call: { statement?: string; values?: readonly unknown[] }) {
      take(call.statement ? textOf(call.statement) : nameless, call.values ?? []);
      bind.call(wire, call);
    },
    sync() {
      current.roundTrips++;
      sync.call(wire);
    },
  } satisfies Partial<Wire>);
}
