import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { until } from '../support/until.js';
import type { Place } from './cli.fixture.js';

interface Imported {
  readonly run_id: string;
  readonly status: string;
  readonly rows: number;
  readonly created: number;
  readonly matched: number;
  readonly leads: number;
  readonly rejected: number;
  readonly rejected_file: string | null;
  readonly mapping: readonly { header: string; field: string | null }[];
}

interface Undone {
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly observations: number;
  readonly leads: number;
}

/** Imports of CSV files. */
export function importCases(place: Place): void {
  const write = (name: string, lines: readonly string[]): string => {
    const file = path.join(place.home.dir, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const peopleRows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `p${from + i}@firm.com,Ann,"Lee, ${from + i}",Boss`);
  const header = 'E-Mail,First Name,Last Name,Shoe size';
  const leadsIn = async (list: string) =>
    (
      await place.acme.get<{ leads: { list_name: string; name: string; fields: object }[] }>('/v2/leads?limit=1000')
    ).body.leads.filter(lead => lead.list_name === list);

  it('adds rows to a list, keeps unknown columns with the lead, and saves rejected rows with reasons', async () => {
    const file = write('fair.csv', [
      `\ufeff${header}`,
      ...peopleRows(0, 7),
      'no-address,Bo,Bad,Boss',
      'x@y.com,a,b,c,too,many',
    ]);
    const { exit, out, err } = await place.home.run(['import', file, '--yes']);
    expect([exit, out]).toEqual([
      7,
      expect.stringMatching(
        /rows +9\nnew +7[\s\S]*added to list +7\n[\s\S]*rejected +2, with reasons in [\s\S]*list +fair/,
      ),
    ]);
    expect(err).toMatch(/E-Mail +email +p0@firm\.com/);
    const leads = await leadsIn('fair');
    expect(leads).toHaveLength(7);
    expect(leads.map(({ name }) => name)).toContain('Ann Lee, 3');
    expect(leads[0]!.fields).toMatchObject({ 'Shoe size': 'Boss' });
    const rejected = readFileSync(file.replace('.csv', '.rejected.csv'), 'utf8').split('\r\n');
    expect(rejected[1]).toMatch(/^9,email,.*is not an e-mail address.*,no-address,Bo,Bad,Boss/);
    expect(rejected[2]).toMatch(/^10,.*x@y\.com,a,b,c,too,many/);
  });

  it('changes nothing when it runs again', async () => {
    const file = write('again.csv', [header, ...peopleRows(100, 106)]);
    const first = await place.home.json<Imported>(['import', file]);
    const second = await place.home.json<Imported>(['import', file]);
    expect(first).toMatchObject({ status: 'finished', created: 6, leads: 6, rejected: 0, rejected_file: null });
    expect(second).toMatchObject({ created: 0, matched: 6, leads: 0 });
    expect(await leadsIn('again')).toHaveLength(6);
  });

  it('takes an import back, after a dry run', async () => {
    const file = write('wrong.csv', [header, ...peopleRows(200, 204)]);
    const { import_id: id } = await place.home.json<{ import_id: string }>(['import', file]);
    const counted = await place.home.json<Undone>(['undo-import', id, '--dry-run']);
    expect(counted).toMatchObject({ import_id: id, file: 'wrong.csv', dry_run: true, leads: 4 });
    expect(await leadsIn('wrong')).toHaveLength(4);
    const { exit, out } = await place.home.run(['undo-import', id, '--yes', '--reason', 'wrong file']);
    expect([exit, out]).toEqual([
      0,
      `observations          ${counted.observations}\nleads                 4\npeople and companies  4 removed\n`,
    ]);
    expect(await leadsIn('wrong')).toEqual([]);
    const unknown = await place.home.run(['undo-import', 'no-such-import']);
    expect(unknown.exit).not.toBe(0);
    expect(unknown.err).toContain('The import does not exist.');
  });

  it('stops on a signal, before anything was sent', async () => {
    const file = write('stop.csv', [header, ...peopleRows(300, 302)]);
    const { exit } = await place.home.run(['import', file], { signal: AbortSignal.abort() });
    expect(exit).toBe(130);
    expect(await leadsIn('stop')).toHaveLength(0);
  });

  it('pauses the run on Ctrl-C, and resumes it by the same command', async () => {
    const file = write('long.csv', [header, ...peopleRows(1_000, 9_000)]);
    const controller = new AbortController();
    const readRuns = async () =>
      (await place.acme.get<{ runs: { id: string; status: string }[] }>('/v2/plugins/csv-import/runs')).body.runs;
    const before = (await readRuns()).length;
    const stopped = place.home.run(['import', file], { signal: controller.signal });
    await until('the run has begun', async () => (await readRuns()).length > before);
    controller.abort();
    const { exit, err } = await stopped;
    expect([exit, err]).toEqual([130, expect.stringContaining('same command again to resume')]);
    const [paused] = await readRuns();
    expect(paused!.status).toBe('paused');
    const resumed = await place.home.json<Imported>(['import', file]);
    expect(resumed).toMatchObject({ run_id: paused!.id, rows: 8_000, created: 8_000, leads: 8_000 });
  });

  it('maps by the given options, and counts in a dry run without writing', async () => {
    const file = write('map.csv', ['Adresse;Rolle;Notiz;Notiz', 'm1@firm.com;CTO;secret;x', 'm2@firm.com;;;']);
    const words = ['import', file, '--map', 'Adresse=email', '--map', 'Rolle=title', '--map', '#3=', '--map', '#4='];
    const preview = await place.home.json<Imported>([...words, '--dry-run']);
    expect(preview).toMatchObject({ dry_run: true, rows: 2, created: 2, leads: 2 });
    expect(preview.mapping.map(({ field }) => field)).toEqual(['email', 'title', null, null]);
    expect(await leadsIn('map')).toHaveLength(0);
    expect(await place.home.json<Imported>(words)).toMatchObject({ created: 2, rejected: 0 });
    const people = ['import', file, '--target', 'people', '--dry-run', '--map', 'Adresse=email'];
    const { out } = await place.home.run(people);
    expect(out).toMatch(/A dry run: nothing was written\.\nrows +2\nnew +0\nknown +2/);
    expect(await place.home.run([...people, '--list', 'Fair'])).toMatchObject({
      exit: 5,
      err: expect.stringContaining('`list` needs the target `leads`'),
    });
    const mails = write('mails.csv', ['Mail,Work,Title,Job', 'a@firm.com,b@firm.com,CTO,CFO']);
    const both = await place.home.json<Imported>([
      'import',
      mails,
      '--map',
      'Work=email',
      '--map',
      'Job=title',
      '--dry-run',
    ]);
    expect(both.mapping.map(({ field }) => field)).toEqual(['email', 'email', null, 'title']);
    const torn = write('torn.csv', [header, 'none,x,y,z', ...peopleRows(9_100, 9_101)]);
    const dry = await place.home.json<Imported>(['import', torn, '--dry-run']);
    expect(readFileSync(dry.rejected_file!, 'utf8')).toContain('none,x,y,z');
  });

  it('reads a sheet of a workbook', async () => {
    const file = path.join(place.home.dir, 'fair.xlsx');
    const sheets = [
      { name: 'Notes', rows: [['x']] },
      { name: 'People', rows: [['E-mail', 'Job'], ...[9_200, 9_201].map(n => [`p${n}@acme.com`, 'CTO'])] },
    ];
    writeFileSync(file, await writeXlsx({ sheets }));
    const imported = await place.home.json<Imported>(['import', file, '--sheet', 'People', '--list', 'Fair', '--yes']);
    expect(imported).toMatchObject({ rows: 2, created: 2, rejected_file: null });
  });

  it.each([
    ['there is no file', [], '', 2, 'is not there'],
    ['no column identifies a row', ['Shoe size', '44'], '', 5, 'No column identifies a row'],
    ['a mapping names no column', [header, 'a@b.com,,,'], 'Nope=title', 2, 'has no column "Nope"'],
    ['two columns have the name', ['Mail,Mail', 'a@b.com,c@d.com'], 'Mail=email', 2, '#1 or #2'],
    ['a field is malformed', [header, 'a@b.com,,,'], 'E-Mail=E Mail', 2, 'is not a mapping'],
    ['a field is unknown', [header, 'a@b.com,,,'], 'Shoe size=shoe_size', 5, 'columns'],
    ['the file is an archive', ['PK\u0003\u0004'], '', 5, 'no Excel workbook'],
  ])('does not begin when %s', async (_, lines, map, exit, sentence) => {
    const file = lines.length > 0 ? write('bad.csv', lines) : path.join(place.home.dir, 'missing.csv');
    const words = ['import', file, ...(map === '' ? [] : ['--map', map])];
    const result = await place.home.run(words);
    expect({ ...result, err: result.err }).toMatchObject({ exit, out: '', err: expect.stringContaining(sentence) });
    expect(existsSync(file.replace('.csv', '.rejected.csv'))).toBe(false);
  });
}
