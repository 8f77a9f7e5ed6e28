import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Place } from './cli.fixture.js';

interface Imported {
  readonly rows: number;
  readonly created: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly calls: number;
  readonly resumed_after: number;
  readonly mapping: Record<string, string | null>;
}

/** Imports of CSV files. */
export function importCases(place: Place): void {
  const write = (name: string, lines: readonly string[]): string => {
    const file = path.join(place.home.dir, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `p${from + i}@firm.com,Ann,"Lee, ${from + i}",Boss`);
  const header = 'E-Mail,First Name,Last Name,Shoe size';
  const leadsIn = async (list: string) =>
    (
      await place.acme.get<{ leads: { list_name: string; name: string; fields: object }[] }>('/v2/leads?limit=1000')
    ).body.leads.filter(lead => lead.list_name === list);

  it('takes rows over, keeps unknown columns with the lead, and tells rejected rows with reasons', async () => {
    const file = write('fair.csv', [
      `\ufeff${header}`,
      ...people(0, 7),
      'no-address,Bo,Bad,Boss',
      'x@y.com,a,b,c,too,many',
    ]);
    const { exit, out } = await place.home.run(['import', file, '--batch-size', '4', '--yes']);
    expect([exit, out]).toEqual([7, expect.stringMatching(/rows +9\nnew +7[\s\S]*rejected +2, with reasons in /)]);
    const leads = await leadsIn('fair');
    expect(leads).toHaveLength(7);
    expect(leads.map(({ name }) => name)).toContain('Ann Lee, 3');
    expect(leads[0]!.fields).toMatchObject({ 'Shoe size': 'Boss' });
    expect(readFileSync(file.replace('.csv', '.rejected.csv'), 'utf8').split('\n')).toEqual([
      `line,error,reason,${header}`,
      expect.stringMatching(/^9,invalid_request,.*e-mail.*,no-address,Bo,Bad,Boss$/),
      '10,bad_shape,The line has 6 cells and the header 4.,x@y.com,a,b,c,too,many',
      '',
    ]);
  });

  it('adds nothing when it runs again, by its own notes or by those of the hub', async () => {
    const file = write('again.csv', [header, ...people(100, 106)]);
    const first = await place.home.json<Imported>(['import', file, '--batch-size', '2']);
    const second = await place.home.json<Imported>(['import', file, '--batch-size', '2']);
    const third = await place.home.json<Imported>(['import', file, '--batch-size', '2', '--again']);
    expect([first.calls, second.calls, third.calls]).toEqual([3, 0, 3]);
    expect([second.created, third.created]).toEqual([6, 6]);
    expect(await leadsIn('again')).toHaveLength(6);
  });

  it('stops on a signal, before anything was sent', async () => {
    const file = write('stop.csv', [header, ...people(300, 302)]);
    const { exit, err } = await place.home.run(['import', file], { signal: AbortSignal.abort() });
    expect([exit, err]).toEqual([130, expect.stringContaining('again to resume the import')]);
    expect(await leadsIn('stop')).toHaveLength(0);
  });

  it('goes on where it was stopped, and cuts off what was half written', async () => {
    const file = write('torn.csv', [header, 'none,x,y,z', ...people(200, 203), 'bad,x,y,z', ...people(203, 205)]);
    const rejects = file.replace('.csv', '.rejected.csv');
    const words = ['import', file, '--batch-size', '2'];
    const whole = await place.home.json<Imported>(words);
    expect(whole).toMatchObject({ rows: 7, created: 5, rejected: 2, calls: 4, resumed_after: 0 });
    const rejected = readFileSync(rejects, 'utf8');
    // As after the first of four calls, in the middle of writing down the second.
    const [notes] = globSync(path.join(place.home.env['XDG_STATE_HOME']!, 'rapport/imports/*.json'));
    const rejectedBytes = Buffer.byteLength(rejected.split('\n').slice(0, 2).join('\n')) + 1;
    const left = { ...JSON.parse(readFileSync(notes!, 'utf8')), finished: false, batches: 1, created: 1, rejected: 1 };
    writeFileSync(notes!, JSON.stringify({ ...left, rejectedBytes }));
    writeFileSync(rejects, `${rejected.slice(0, rejectedBytes)}7,inval`);
    expect(await place.home.json(words)).toEqual({ ...whole, calls: 3, resumed_after: 1 });
    expect(readFileSync(rejects, 'utf8')).toBe(rejected);
    expect(await leadsIn('torn')).toHaveLength(5);
  });

  it('maps by the given options, and shows the mapping without a request to the hub', async () => {
    const file = write('map.csv', ['Adresse;Rolle;Notiz', 'm1@firm.com;CTO;secret', 'm2@firm.com;;']);
    const words = ['import', file, '--map', 'Adresse=email', '--map', 'Rolle=title', '--map', 'Notiz='];
    const away = { RAPPORT_API_KEY: '', RAPPORT_BASE_URL: 'http://127.0.0.1:1' };
    const shown = await place.home.run([...words, '--dry-run', '--json'], { env: away });
    expect(JSON.parse(shown.out)).toMatchObject({
      mapping: { Adresse: 'email', Rolle: 'title', Notiz: null },
      rows: 2,
      sample: [{ email: 'm1@firm.com', title: 'CTO' }, { email: 'm2@firm.com' }],
    });
    expect(await place.home.json<Imported>(words)).toMatchObject({ created: 2, rejected: 0 });
  });

  it.each([
    ['there is no file', [], '', 'is not there'],
    ['no column tells who it is', ['Shoe size', '44'], '', 'No column identifies the person'],
    ['a mapping names no column', [header], 'Nope=title', 'has no column "Nope"'],
    ['a field can be none', [header], 'E-Mail=E Mail', 'is not a mapping'],
  ])('does not begin when %s', async (_, lines, map, sentence) => {
    const file = lines.length > 0 ? write('bad.csv', lines) : path.join(place.home.dir, 'missing.csv');
    const words = ['import', file, ...(map === '' ? [] : ['--map', map])];
    expect(await place.home.run(words)).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(sentence) });
  });

  it('says where a file is torn', async () => {
    const file = write('quote.csv', [header, 'a@firm.com,"never ends,x,y', 'b@firm.com,x,y,z']);
    expect(await place.home.run(['import', file])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('is not valid CSV'),
    });
  });
}
