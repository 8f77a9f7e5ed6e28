import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clientOf } from '../support/hub.js';
import { rapport } from '../support/process/rapport-command.js';
import type { Place } from './cli.fixture.js';

/** Command lines against a hub. */
export function commandCases(place: Place): void {
  const credentials = () => path.join(place.home.env['XDG_CONFIG_HOME']!, 'rapport/credentials.json');
  /** Without the variables: what is saved counts. */
  const bare = { RAPPORT_API_KEY: '', RAPPORT_BASE_URL: '' };

  describe('signing in with a key', () => {
    it('shows the key to the hub, and saves it for its owner alone', async () => {
      const { exit, out } = await place.home.run(['login', '--key', '--base-url', `${place.hub.url}/some/path`], {
        stdin: `${place.acme.key}\n`,
        env: bare,
      });
      expect([exit, out]).toEqual([0, expect.stringContaining('Signed in')]);
      const saved = JSON.parse(readFileSync(credentials(), 'utf8'));
      expect(saved).toEqual({
        base_url: place.hub.url,
        api_key: place.acme.key,
        key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(statSync(credentials()).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(credentials())).mode & 0o777).toBe(0o700);
      expect((await place.home.run(['whoami'], { env: bare })).out).toContain('from: file');
    });

    it('saves nothing when the hub refuses the key', async () => {
      const { exit, err } = await place.home.run(['login', '--key', '--json'], {
        stdin: 'rap_live_wrong_key_that_is_none',
      });
      expect([exit, JSON.parse(err)]).toEqual([3, expect.objectContaining({ error: 'unauthorized', exit_code: 3 })]);
      expect(() => statSync(credentials())).toThrow(/ENOENT/);
    });

    it('revokes the key at the hub when it signs out, and only forgets it with --local', async () => {
      const make = async () =>
        (await place.acme.post<{ key: string; id: string }>('/v2/api-keys', { name: 'cli', scopes: ['read', 'admin'] }))
          .body;
      const answers = (key: string) => clientOf(place.hub.url, key).get('/v2/people?limit=1');
      const signIn = async (key: string) =>
        expect(await place.home.run(['login', '--key'], { stdin: key })).toMatchObject({ exit: 0 });
      const [first, second] = [await make(), await make()];
      await signIn(first.key);
      expect(await place.home.json(['logout'])).toMatchObject({ signed_out: true, revoked: true, key_id: first.id });
      expect((await answers(first.key)).status).toBe(401);
      await signIn(second.key);
      expect(await place.home.json(['logout', '--local'])).toMatchObject({ revoked: false });
      expect((await answers(second.key)).status).toBe(200);
      expect(await place.home.run(['logout'])).toMatchObject({ exit: 3, err: expect.stringContaining('no saved key') });
    });
  });

  describe('which hub, as which key', () => {
    it('lets variables win over the file, and the option over both', async () => {
      const other = await place.hub.workspace();
      await place.home.run(['login', '--key'], { stdin: other.key });
      const from = async (env: Record<string, string>, ...more: string[]) =>
        (await place.home.run(['whoami', ...more], { env })).out.match(/from: \w+/g);
      expect(await from({})).toEqual(['from: RAPPORT_BASE_URL', 'from: RAPPORT_API_KEY']);
      expect(await from(bare)).toEqual(['from: file', 'from: file']);
      expect(await from({ RAPPORT_API_KEY: '' }, '--base-url', place.hub.url)).toEqual(['from: option', 'from: file']);
    });

    it('reads the key from the file that RAPPORT_API_KEY_FILE names, and says what is wrong with one', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'rapport-key-'));
      const file = path.join(folder, 'key');
      const who = () => place.home.run(['whoami'], { env: { RAPPORT_API_KEY: '', RAPPORT_API_KEY_FILE: file } });
      try {
        const missing = await who();
        expect([missing.exit, missing.err]).toEqual([2, expect.stringContaining(`${file} cannot be read (ENOENT)`)]);
        await writeFile(file, '\n');
        expect(await who()).toMatchObject({ exit: 2, err: expect.stringContaining('is empty') });
        await writeFile(file, `${place.acme.key}\n`);
        expect(await who()).toMatchObject({ exit: 0, out: expect.stringContaining('from: RAPPORT_API_KEY_FILE') });
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('sends a saved key to its own hub and to no other', async () => {
      await place.home.run(['login', '--key'], { stdin: place.acme.key });
      const { exit, err } = await place.home.run(['whoami', '--base-url', 'http://elsewhere.invalid'], { env: bare });
      expect([exit, err]).toEqual([3, expect.stringContaining('is not sent to http://elsewhere.invalid')]);
    });

    it.each([
      ['nobody is signed in', ['whoami'], bare, 3, 'Run rapport login'],
      ['the hub does not answer', ['keys', 'list'], { RAPPORT_BASE_URL: 'http://127.0.0.1:1' }, 6, 'cannot be reached'],
      ['the address is none', ['whoami', '--base-url', 'rapport'], {}, 2, 'is not an address of a hub'],
      ['there is no such thing', ['account', 'nobody@acme.com'], {}, 4, 'No entity'],
      ['the hub refuses it', ['record', 'Ada', 'title=CEO'], {}, 5, 'focus'],
      ['a word is missing', ['account'], {}, 2, "missing required argument 'entity'"],
      ['there is nobody to ask', ['record', 'ada@acme.com'], {}, 2, 'There is nothing to record'],
    ])('when %s, says so on stderr and by the exit code', async (_, words, env, code, sentence) => {
      const received = await place.home.run(words, { env });
      expect(received).toEqual({ exit: code, out: '', err: expect.stringContaining(sentence) });
      const asJson = await place.home.run([...words, '--json'], { env });
      expect([asJson.exit, asJson.out]).toEqual([code, '']);
      expect(JSON.parse(asJson.err)).toMatchObject({ error: expect.any(String), exit_code: code });
    });
  });

  describe('what is known', () => {
    it('is recorded, and read back', async () => {
      const recorded = await place.home.json([
        'record',
        'ada@acme.com',
        'name=Ada Lovelace',
        'headcount=120',
        '--source',
        'crm:x',
      ]);
      expect(recorded).toMatchObject({ recorded: 2, claims_recomputed: expect.arrayContaining(['headcount', 'name']) });
      await place.home.json(['record', 'ada@acme.com', '--event', 'email_replied=Asked for prices']);
      const account = await place.home.json<{
        claims: Record<string, { value: unknown; sources: { source: string }[] }>;
      }>(['account', 'ada@acme.com']);
      expect(account.claims['headcount']).toMatchObject({ value: 120, sources: [{ source: 'crm:x' }] });
      const { out } = await place.home.run(['account', 'ada@acme.com']);
      expect(out).toMatch(/Ada Lovelace[\s\S]*headcount +120 .*yes[\s\S]*interaction\.email_replied +Asked for prices/);
    });

    it('is not to be acted on where it is only inferred', async () => {
      for (const source of ['agent', 'note', 'dialer'])
        await place.home.json(['record', 'kurt@gmail.com', 'title=CTO', '--source', source, '--method', 'llm']);
      const { out } = await place.home.run(['account', 'kurt@gmail.com']);
      expect(out).toMatch(/title +CTO +0\.8\d +fresh +inferred .*verify first/);
    });

    it('ends with an empty value, and is only checked with --dry-run', async () => {
      await place.home.json(['record', 'grace@acme.com', 'title=CTO']);
      const rehearsed = await place.home.run(['record', 'grace@acme.com', 'title=', '--dry-run']);
      expect(rehearsed.out).toContain('Would record 1 observation.');
      expect((await place.home.run(['account', 'grace@acme.com'])).out).toMatch(/title +CTO/);
    });

    it('is shown with what the rules read in a text', async () => {
      const { out } = await place.home.run(['record', 'alan@acme.com', '--text', 'Alan is now CRO.', '--dry-run']);
      expect(out).toContain('  read: title = CRO\n');
    });

    it('is read from open text that comes through a pipe', async () => {
      const { out } = await place.home.run(['record', 'alan@acme.com', '--text', '-', '--dry-run', '--json'], {
        stdin: 'Alan is now VP of Sales at Acme.',
      });
      expect(JSON.parse(out)).toMatchObject({
        observations: expect.arrayContaining([expect.objectContaining({ property: 'title' })]),
      });
    });

    it('asks back when a name means several', async () => {
      for (const at of ['one.com', 'two.com']) await place.home.json(['record', `sam@${at}`, 'name=Sam Sample']);
      const { exit, err } = await place.home.run(['account', 'Sam Sample']);
      expect([exit, err]).toEqual([
        8,
        expect.stringMatching(/matches more than one entity[\s\S]*[0-9a-f-]{36} +Sam Sample/),
      ]);
      expect(await place.home.json(['account', 'Sam Sample'])).toMatchObject({ status: 'ambiguous' });
    });

    it('offers what a name may mean, and the next command', async () => {
      await place.home.json(['record', 'tim@tiny.com', 'name=Timothy Tinbergen']);
      const { exit, err } = await place.home.run(['account', 'Tim Tinbergn']);
      expect([exit, err]).toEqual([
        8,
        expect.stringMatching(
          /No entity is named exactly "Tim Tinbergn"[\s\S]*[0-9a-f-]{36} +Timothy Tinbergen[\s\S]*rapport account [0-9a-f-]{36}/,
        ),
      ]);
      const none = await place.home.run(['account', 'Zzyzx Qwpgh']);
      expect([none.exit, none.err]).toEqual([4, expect.stringContaining('"Zzyzx Qwpgh"')]);
    });

    it('is found by part of a name', async () => {
      await place.home.json(['record', 'tim@tiny.com', 'name=Timothy Tinbergen']);
      const { out } = await place.home.run(['find', 'tinberg', 'tim', '--type', 'person']);
      expect(out).toMatch(/[0-9a-f-]{36} +person +Timothy Tinbergen/);
      expect(await place.home.json(['find', 'tinberg', '--limit', '1'])).toMatchObject({ count: 1 });
      expect((await place.home.run(['find', 'x', '--type', 'lead'])).exit).toBe(2);
    });

    it('is found in notes', async () => {
      await place.acme.post('/v2/notes', {
        focus: 'ada@acme.com',
        content: 'They renew in March.',
        title: 'Renewal call',
      });
      expect((await place.home.run(['search', 'when', 'do', 'they', 'renew?'])).out).toContain('Renewal call');
      expect(await place.home.json(['search', 'renewal', '--focus', 'ada@acme.com', '--limit', '1'])).toMatchObject({
        count: 1,
      });
    });
  });

  it('makes, lists, rotates and revokes keys', async () => {
    const made = await place.home.json<{ id: string; key: string }>([
      'keys',
      'create',
      '--name',
      'agent',
      '--scopes',
      'read',
    ]);
    expect(made.key).toMatch(/^rap_live_/);
    expect((await place.home.run(['keys', 'list'])).out).toMatch(
      new RegExp(`${made.id} .* read +api +key \\S+ +good .* agent`),
    );
    const next = await place.home.json<{ id: string; key: string }>(['keys', 'rotate', made.id, '--grace-hours', '0']);
    expect(next).toMatchObject({ name: 'agent', scopes: ['read'], previous: { id: made.id } });
    expect((await place.home.run(['keys', 'rotate', next.id, '--grace-hours', 'soon'])).err).toContain('0 to 168');
    expect(await place.home.json(['keys', 'revoke', next.id])).toMatchObject({ id: next.id, revoked: true });
    const refused = await place.home.run(['keys', 'list'], { env: { RAPPORT_API_KEY: made.key } });
    expect(refused.exit).toBe(3);
    expect(refused.out + refused.err).not.toContain(made.key);
  });

  it('says how far the workspace is, in words', async () => {
    const own = await place.hub.workspace('starter');
    const { out } = await place.home.run(['status'], { env: { RAPPORT_API_KEY: own.key } });
    expect(out).toMatch(/\nonboarding +to do: name, website\nicp +to do\n/);
    expect(out).toMatch(/\nintegrations +none\nrecords +none\ncrm sync +not available\n/);
    expect(out).not.toMatch(/true|false/);
  });

  it('checks the connection to the hub, and names the fix', async () => {
    const well = await place.home.json<{ healthy: boolean; checks: { name: string; state: string }[] }>(['doctor']);
    const states = (checks: typeof well.checks) => Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    expect(states(well.checks)).toMatchObject({ hub: 'ok', version: 'ok', clock: 'ok', key: 'ok', mcp: 'ok' });
    const outsider = await place.home.run(['doctor', '--json'], { env: bare });
    expect([outsider.exit, JSON.parse(outsider.out)]).toMatchObject([7, { healthy: false }]);
    const away = await place.home.run(['doctor'], { env: { RAPPORT_BASE_URL: 'http://127.0.0.1:1' } });
    expect(away.out).toMatch(/FAIL {2}hub[\s\S]*-> Start the hub[\s\S]*skip {2}key/);
  });

  it('is one program with that of the hub', async () => {
    const { DATABASE_URL: _, ...env } = process.env;
    const settings = { ...env, ...place.home.env } as Record<string, string>;
    const [who, help, wrong] = await Promise.all([
      rapport(['whoami', '--json'], settings),
      rapport(['--help'], settings),
      rapport(['nonsense', '--json'], settings),
    ]);
    expect([who.code, JSON.parse(who.out)]).toMatchObject([0, { base_url: place.hub.url }]);
    expect(help.out).toMatch(/admin[\s\S]*plugin[\s\S]*login[\s\S]*import[\s\S]*mcp/);
    const refusal = { error: 'usage', detail: "unknown command 'nonsense'", exit_code: 2 };
    expect([wrong.code, wrong.out, JSON.parse(wrong.err)]).toEqual([2, '', refusal]);
    const { exit, err } = await place.home.run(['--json']);
    expect([exit, JSON.parse(err)]).toMatchObject([
      2,
      { error: 'usage', detail: expect.stringMatching(/^A command is missing/) },
    ]);
  });
}
