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
  clear(): void;
}

/** Has every connection of a pool tell what it is asked, before it asks the server. */
export function listenTo(pool: pg.Pool): StatementLog {
  const transactions: Sent[][] = [];
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', client => {
    if (known.has(client)) return;
    known.add(client);
    const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
    let current: Sent[] = [];
    client.query = ((...args: unknown[]) => {
      const [first, given] = args as [string | { text: string; values?: unknown[] }, unknown[]?];
      const { text, values = given ?? [] } = typeof first === 'string' ? { text: first } : first;
      if (text.startsWith('BEGIN')) transactions.push((current = []));
      for (const sql of text.split(';').filter(part => part.trim() !== '')) current.push({ sql, values });
      return ask(...args);
    }) as typeof client.query;
  });
  return {
    of: role => transactions.filter(sent => sent.some(({ sql }) => sql.includes(`set_config('role', '${role}'`))),
    clear: () => void transactions.splice(0),
  };
}
