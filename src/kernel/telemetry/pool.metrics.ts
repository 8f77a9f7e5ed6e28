import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** Registers gauges of the open, idle and awaited PostgreSQL connections. */
export function measurePool(
  { pool, work }: Pick<Database, 'pool'> & { readonly work: Pick<UnitOfWork, 'waitingForTurn'> },
  registry: Registry,
): void {
  new Gauge({
    name: 'rapport_db_pool_connections',
    help: 'Connections of this process to PostgreSQL, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'rapport_db_pool_waiting',
    help: 'Callers that wait for a connection to PostgreSQL.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  new Gauge({
    name: 'rapport_db_turn_waiting',
    help: 'Transactions that wait for the turn of their workspace.',
    registers: [registry],
    collect() {
      this.set(work.waitingForTurn);
    },
  });
}
