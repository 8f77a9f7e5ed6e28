import pg from 'pg';
import { serve } from '../env/serve.ts';
import { type Extent, driveLoad, type Sample } from './sample.ts';
import { type Limit, statementOf } from './statements.ts';

/** Load on the database itself: one statement again and again, on several connections, with the raw driver. */
export interface SqlJob {
  readonly url: string;
  readonly connections: number;
  readonly extent: Extent;
  readonly limit: Limit;
}

serve<SqlJob, Sample>(async ({ url, connections, extent, limit }) => {
  const statement = statementOf(limit);
  const lanes = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  await Promise.all(lanes.map(lane => lane.connect()));
  const sample = await driveLoad(lanes, extent, async (lane, tally) => {
    const values = statement.values();
    const began = performance.now();
    await lane.query({ name: limit.name, text: statement.text, values });
    tally.done(performance.now() - began);
  });
  await Promise.all(lanes.map(lane => lane.end()));
  return sample;
});
