import fc from 'fast-check';
import { splitName } from '../../../plugins/csv-import/src/mapping/values.js';
import { detectDialect } from '../../../plugins/csv-import/src/reading/dialect.js';
import { type CsvRecord, MAX_RECORD_LENGTH, RecordParser } from '../../../plugins/csv-import/src/reading/records.js';
import { detectEncoding, readFile } from './read-file.ts';

function parse(
  text: string,
  size = text.length,
  format = { delimiter: ',', newline: '\n' as '\n' | '\r' },
): CsvRecord[] {
  const parser = new RecordParser({ quote: '"', ...format });
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += size) records.push(...parser.push(text.slice(at, at + size), false));
  return [...records, ...parser.push('', true)];
}
const cellsOf = (text: string) => parse(text).map(({ cells }) => cells);

describe('RecordParser', () => {
  it('counts physical lines also inside quotes', () => {
    const records = parse('a,b\r\n"x\r\ny",1\r\n\r\nz,2\r\n');
    expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [2, 'x\r\ny', '1'],
      [4, ''],
      [5, 'z', '2'],
    ]);
  });

  it('rejects only the line of a quote that is never closed', () => {
    const records = parse('a,b\n1,"x\n2,"y",z\n3,w\n4,"v\n5,u\n');
    expect(records.map(({ line, cells, problem }) => [line, problem ?? cells])).toEqual([
      [1, ['a', 'b']],
      [2, 'unclosed_quote'],
      [3, ['2', 'y', 'z']],
      [4, ['3', 'w']],
      [5, 'unclosed_quote'],
      [6, ['5', 'u']],
    ]);
  });

  it('keeps text after a closing quote, quotes inside of a cell, and NUL', () => {
    expect(cellsOf('"Bob" Ray,5" pipe,"a""b"\n"x"\0,1\n')).toEqual([
      ['Bob Ray', '5" pipe', 'a"b'],
      ['x\0', '1'],
    ]);
  });

  it('ends a record that is too long, and goes on with the next line', () => {
    const long = 'x'.repeat(MAX_RECORD_LENGTH + 10);
    const records = parse(`a\n"${long}\nb\n`, 50_000);
    expect(records.map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [2, 'unclosed_quote'],
      [3, undefined],
    ]);
  });

  it('reads lines that end with a carriage return only', () => {
    expect(
      parse('a,b\r1,2\r', 3, { delimiter: ',', newline: '\r' }).map(({ line, cells }) => [line, ...cells]),
    ).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
  });

  it('reads what was written, whatever the pieces, and loses no character', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', '='), maxLength: 6 });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (table, size) => {
        const text = table.map(row => `${row.map(each => `"${each.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
        const records = parse(text, size);
        expect(records.map(({ cells }) => cells)).toEqual(table);
        expect(records.map(each => each.text).join('')).toBe(text);
      }),
    );
  });

  it('loses no character of any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (given, size) => {
        const records = parse(given, size);
        expect(records.map(each => each.text).join('')).toBe(given);
        expect(records.map(({ cells }) => cells)).toEqual(cellsOf(given));
        for (const { line, text: own } of records) {
          const at =
            given
              .split('\n')
              .slice(0, line - 1)
              .join('\n').length + (line > 1 ? 1 : 0);
          expect(given.slice(at, at + own.length)).toBe(own);
        }
      }),
    );
  });
});

describe('EncodingDetector', () => {
  const detect = (...parts: readonly (string | readonly number[])[]) =>
    detectEncoding(
      Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
    );

  it('takes valid UTF-8 as such, and ASCII too', () => {
    expect(detect('Name\nJörg 🙂\n')).toMatchObject({ encoding: 'utf-8', bomBytes: 0, doubtfulLine: null });
    expect(detect('Name\nAda\n')).toMatchObject({ encoding: 'utf-8', reason: expect.stringContaining('ASCII') });
    expect(detect([0xef, 0xbb, 0xbf], 'Name\n')).toMatchObject({ encoding: 'utf-8', bomBytes: 3 });
  });

  it('takes UTF-16 with and without a byte order mark', () => {
    expect(detectEncoding(Buffer.from('\ufeffName\n', 'utf16le'))).toMatchObject({ encoding: 'utf-16le', bomBytes: 2 });
    expect(detectEncoding(Buffer.from('Name;Ort\n', 'utf16le'))).toMatchObject({ encoding: 'utf-16le', bomBytes: 0 });
    expect(detectEncoding(Buffer.from('Name;Ort\n', 'utf16le').swap16())).toMatchObject({ encoding: 'utf-16be' });
  });

  it('takes other bytes as windows-1252 and names the first line with them', () => {
    expect(detect('Name\nAda\nM', [0xfc], 'ller ', [0x80], '\n')).toMatchObject({
      encoding: 'windows-1252',
      doubtfulLine: 3,
      reason: expect.stringContaining('Line 3'),
    });
  });

  it('refuses UTF-8 with damaged bytes, and bytes without a meaning, with their line', () => {
    expect(detect('Jörg\nZoë\nM', [0xfc], 'ller\n')).toMatchObject({
      line: 3,
      error: expect.stringContaining('Line 3'),
    });
    expect(detect('Ada\n', [0x81], '\n')).toMatchObject({ line: 2, error: expect.stringContaining('windows-1252') });
  });
});

describe('a windows-1252 file', () => {
  it('is read without a damaged character', async () => {
    const text = Buffer.concat([
      Buffer.from('Email;Umsatz;Notiz\na@b.de;1,5;'),
      Buffer.from([0x80, 0x93, 0xfc, 0x94]),
      Buffer.from('\n'),
    ]);
    expect((await readFile(text)).people.get(2)!.note).toBe('€“ü”');
  });
});

describe('detectDialect', () => {
  it('decides the delimiter by the header, whatever the cells hold', () => {
    const text = 'Name;E-Mail;Firma\nA;a@b.de;Acme, Inc, Berlin, DE\nB;b@b.de;Beta, Inc, Bonn, DE\n';
    expect(detectDialect(text, true)).toMatchObject({ delimiter: ';', header: ['Name', 'E-Mail', 'Firma'] });
    expect(detectDialect('Name|Email\nA|a@b.de', true)).toMatchObject({ delimiter: '|' });
    expect(detectDialect('Foo\tBar\n1\t2\n', true)).toMatchObject({ delimiter: '\t', header: ['Foo', 'Bar'] });
  });

  it('numbers the columns of a file without a header', () => {
    expect(detectDialect('Ada,ada@acme.io\nBo,bo@acme.io\n', true)).toMatchObject({
      headerLine: null,
      header: ['Column 1', 'Column 2'],
      dataLine: 1,
      dataStart: 0,
    });
  });

  it('returns undefined for a file without text', () => {
    expect(detectDialect('', true)).toBeUndefined();
    expect(detectDialect('\n\n', true)).toBeUndefined();
  });
});

describe('a file', () => {
  it('is read on at any row where reading stopped', async () => {
    const text = 'Email,Notes\nä@acme.io,"x\ny"\n\n\nb@acme.io,1\nc@acme.io,"2"\n';
    for (const encoding of ['utf-8', 'utf-16le'] as const) {
      const whole = await readFile(
        Buffer.from(encoding === 'utf-8' ? text : `\ufeff${text}`, encoding === 'utf-8' ? 'utf8' : 'utf16le'),
      );
      const { readRows } = await import('../../../plugins/csv-import/src/reading/rows.js');
      const bytes = Buffer.from(
        encoding === 'utf-8' ? text : `\ufeff${text}`,
        encoding === 'utf-8' ? 'utf8' : 'utf16le',
      );
      for (const { next } of whole.rows) {
        const rest: number[] = [];
        async function* from() {
          yield bytes.subarray(next.offset);
        }
        for await (const { line } of readRows(from(), whole.format, next)) rest.push(line);
        expect(rest).toEqual(whole.rows.map(({ line }) => line).filter(line => line >= next.line));
      }
    }
  });

  it('rejects rows with too many cells, NUL and damaged characters', async () => {
    const { people, rejected } = await readFile('Email,Name\na@b.io,A,x\nb@b.io,\0\nc@b.io,M\ufffdller\nd@b.io\n');
    expect([...rejected.keys()]).toEqual([2, 3, 4]);
    expect([...people.keys()]).toEqual([5]);
  });

  it('keeps columns of one name apart and takes a column by its cells if its header is unknown', async () => {
    const { fields } = await readFile('Name,Email,Email,Foo\nA,a@b.io,a@c.io,https://linkedin.com/in/a\n');
    expect(fields).toEqual({ '0 Name': 'name', '1 Email': 'email', '2 Email': 'email', '3 Foo': 'linkedin_url' });
  });
});

describe('splitName', () => {
  it.each([
    ['Byron, Ada', { name: 'Ada Byron', first_name: 'Ada', last_name: 'Byron' }],
    ['Dr. Ada Byron, PhD', { name: 'Ada Byron', first_name: 'Ada', last_name: 'Byron' }],
    ['Ludwig van Beethoven', { name: 'Ludwig van Beethoven', first_name: 'Ludwig', last_name: 'van Beethoven' }],
    ['Maria Garcia Lopez', { name: 'Maria Garcia Lopez', first_name: 'Maria' }],
    ['Cher', { name: 'Cher' }],
  ])('splits %s', (given, parts) => {
    expect(splitName(given)).toEqual(parts);
  });
});
