import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inspectSample } from '../../../plugins/csv-import/src/reading/inspect.js';
import { readRows } from '../../../plugins/csv-import/src/reading/rows.js';
import { detectEncoding } from './read-file.ts';

type Row = Readonly<Record<string, string>>;

const folder = path.dirname(createRequire(import.meta.url).resolve('csv-spectrum'));
const names = readdirSync(path.join(folder, 'csvs')).map(file => path.basename(file, '.csv'));
const readExpected = (name: string) =>
  JSON.parse(readFileSync(path.join(folder, `json/${name}.json`), 'utf8')) as Row[];

/** Reads a file of the collection as objects by header, in pieces of a few bytes; or returns why it is refused. */
async function read(name: string): Promise<Row[] | string> {
  const bytes = readFileSync(path.join(folder, `csvs/${name}.csv`));
  const encoding = detectEncoding(bytes);
  if ('error' in encoding) return encoding.error;
  const { format, start } = (await inspectSample(bytes, true, encoding))!;
  const rows: Row[] = [];
  for await (const { cells, problem } of readRows(pieces(bytes.subarray(start.offset)), format, start)) {
    if (problem !== undefined) return problem;
    rows.push(Object.fromEntries(format.header.map((header, i) => [header, cells[i] ?? ''])));
  }
  return rows;
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

describe('files of csv-spectrum', () => {
  const damaged = 'location_coordinates';

  it.each(names.filter(name => name !== damaged))('%s is read as its authors expect', async name => {
    expect(await read(name)).toEqual(readExpected(name));
  });

  // Its coordinates hold the character that stands for a lost one: importing it would spread the damage.
  it(`${damaged} is refused, because a character of it was lost`, async () => {
    expect(await read(damaged)).toBe(
      'A cell holds �, the sign of a damaged character. Export the file again as UTF-8.',
    );
  });
});
