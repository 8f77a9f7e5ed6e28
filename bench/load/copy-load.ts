import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { serve } from '../env/serve.ts';

/** A file that is parsed and copied as it is into a table of texts. */
export interface CopyJob {
  readonly url: string;
  readonly file: string;
  readonly columns: number;
}

/** Milliseconds that parsing a file and copying it into an empty table takes. */
serve<CopyJob, number>(async ({ url, file, columns }) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    await client.query(`CREATE TABLE IF NOT EXISTS bare_rows (${names.map(name => `${name} text`).join(', ')})`);
    await client.query('TRUNCATE bare_rows');
    const began = performance.now();
    await pipeline(
      createReadStream(file),
      parse({ fromLine: 2 }),
      async function* (rows: AsyncIterable<readonly string[]>) {
        for await (const cells of rows) yield `${cells.join('\t')}\n`;
      },
      client.query(copyFrom('COPY bare_rows FROM STDIN')),
    );
    return performance.now() - began;
  } finally {
    await client.end();
  }
});
