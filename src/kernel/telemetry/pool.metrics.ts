import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Registers gauges of the open, idle and awaited PostgreSQL connections. */
export function measurePool(pool: pg.Pool, registry: Registry): void {
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
}
