import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { Authenticator } from '../support/authenticator.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, TEST_KEYS, testEnv, type TestHub } from '../support/hub.js';
import { rapportHere } from '../support/process/rapport-command.js';
import { PASSWORD } from '../support/sign-in.js';

const NEW_KEY = `fresh:${Buffer.alloc(32, 9).toString('base64')}`;
const SETTINGS = { PUBLIC_URL, TRUST_PROXY: '1' };

let hub: TestHub;
let acme: Client;
let count = 0;

beforeAll(async () => {
  // Every process holds the new key of a rotation, and none encrypts with it yet.
  hub = await startTestHub({ ...SETTINGS, SECRET_KEYS: `${TEST_KEYS},${NEW_KEY}` });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

interface Person {
  readonly browser: BrowserSession;
  readonly email: string;
  readonly id: string;
}

interface ProtectedPerson extends Person {
  readonly app: Authenticator;
  readonly recoveryCodes: readonly string[];
}

interface Setup {
  readonly uri: string;
  readonly secret: string;
  readonly recovery_codes: readonly string[];
}

/** Opens a browser in a network of its own, whose wrong codes do not delay those of other tests. */
const browse = () => new BrowserSession(hub.url, { 'x-forwarded-for': `198.51.100.${++count}` });
const begin = (browser: BrowserSession, password = PASSWORD) =>
  browser.send<Setup>('POST', '/auth/second-factor', { password });
const confirm = (browser: BrowserSession, code: string) =>
  browser.send('POST', '/auth/second-factor/confirm', { code });
const signIn = (email: string, code?: string, { password = PASSWORD, browser = browse() } = {}) =>
  browser.send('POST', '/auth/sign-in', { email, password, ...(code !== undefined && { code }) });

/** Adds a person without a second factor. */
async function join(): Promise<Person> {
  const email = `user${++count}@people.example`;
  const { body } = await acme.post<{ token: string }>('/v2/workspace/invitations', { email, role: 'admin' });
  const browser = browse();
  const accept = { name: 'Ada', password: PASSWORD };
  const joined = await browser.send<{ user: { id: string } }>('POST', `/auth/invitations/${body.token}/accept`, accept);
  return { browser, email, id: joined.body.user.id };
}

/** Adds a person who has turned a second factor on. */
async function protect(): Promise<ProtectedPerson> {
  const person = await join();
  const { body } = await begin(person.browser);
  const app = new Authenticator(body.uri);
  expect((await confirm(person.browser, app.next())).status).toBe(200);
  return { ...person, app, recoveryCodes: body.recovery_codes };
}

const refusal = ({ status, body }: { status: number; body: object }) => [status, 'error' in body && body.error];

describe('a second factor', () => {
  it('holds after its first code, and ends the other sessions', async () => {
    const { browser, email } = await join();
    const phone = browse();
    await signIn(email, undefined, { browser: phone });
    expect(refusal(await begin(browser, 'another password'))).toEqual([401, 'sign_in_failed']);
    expect(refusal(await confirm(browser, '123456'))).toEqual([404, 'not_found']);
    const { status, body } = await begin(browser);
    expect([status, body]).toEqual([
      201,
      {
        uri: expect.stringMatching(/^otpauth:\/\/totp\/Rapport:user\d+%40people\.example\?/),
        secret: expect.stringMatching(/^[A-Z2-7]{32,}$/),
        recovery_codes: Array.from({ length: 10 }, () => expect.stringMatching(/^\w{5}-\w{5}$/)),
      },
    ]);
    expect(new URL(body.uri).searchParams.get('secret')).toBe(body.secret);
    expect((await signIn(email)).status).toBe(200);
    expect((await browser.send('GET', '/auth/second-factor')).body).toEqual({ enabled: false, recovery_codes_left: 0 });
    const app = new Authenticator(body.uri);
    for (const wrong of ['000000x', body.recovery_codes[0]!])
      expect(refusal(await confirm(browser, wrong))).toEqual([401, 'second_factor_failed']);
    const confirmed = await confirm(browser, app.next());
    expect(confirmed.body).toEqual({ enabled: true, recovery_codes_left: 10 });
    expect((await phone.send('GET', '/auth/me')).status).toBe(401);
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
    expect(refusal(await begin(browser))).toEqual([409, 'second_factor_enabled']);
    expect(refusal(await confirm(browser, app.next()))).toEqual([409, 'second_factor_enabled']);
  });

  it('is needed to sign in, after the password', async () => {
    const { email, app } = await protect();
    const browser = browse();
    const unproven = await signIn(email, undefined, { browser });
    expect(refusal(unproven)).toEqual([401, 'second_factor_required']);
    expect([unproven.headers.getSetCookie(), browser.cookie]).toEqual([[], '']);
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    const code = app.next();
    expect(refusal(await signIn(email, code, { password: 'another password' }))).toEqual([401, 'sign_in_failed']);
    expect(refusal(await signIn(email, 'abcde-fghij', { browser }))).toEqual([401, 'second_factor_failed']);
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    const signedIn = await signIn(email, `${code.slice(0, 3)} ${code.slice(3)}`, { browser });
    expect([signedIn.status, signedIn.body]).toMatchObject([200, { user: { email }, workspaces: [{ name: 'Acme' }] }]);
    expect((await browser.send('GET', '/v2/people')).status).toBe(200);
  });

  it('takes each code once, also from two requests at a time', async () => {
    const { email, app } = await protect();
    const code = app.next();
    const both = await Promise.all([signIn(email, code), signIn(email, code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('takes each recovery code once', async () => {
    const { email, browser, recoveryCodes } = await protect();
    const [first = '', second = ''] = recoveryCodes;
    const both = await Promise.all([signIn(email, first), signIn(email, first)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await signIn(email, second)).status).toBe(200);
    expect((await browser.send('GET', '/auth/second-factor')).body).toEqual({ enabled: true, recovery_codes_left: 8 });
  });

  it('takes no code for a quarter of an hour after ten wrong ones in a row', async () => {
    const { email, id, app, browser, recoveryCodes } = await protect();
    const set = (assignment: string) =>
      hub.database.pool.query(`UPDATE rapport_auth.second_factors SET ${assignment} WHERE user_id = $1`, [id]);
    await set('failed_attempts = 8');
    expect(refusal(await signIn(email, 'abcde-fghij'))).toEqual([401, 'second_factor_failed']);
    const disable = () =>
      browser.send('POST', '/auth/second-factor/disable', { password: PASSWORD, code: 'abcde-fghij' });
    expect(refusal(await disable())).toEqual([401, 'second_factor_failed']);
    expect(refusal(await disable())).toEqual([429, 'rate_limited']);
    expect(refusal(await signIn(email, app.next()))).toEqual([429, 'rate_limited']);
    const locked = await signIn(email, recoveryCodes[0]);
    expect([refusal(locked), locked.headers.get('retry-after')]).toEqual([[429, 'rate_limited'], '900']);
    await set("lock_ends_at = now() - interval '1 second'");
    expect((await signIn(email, recoveryCodes[0])).status).toBe(200);
  });

  it('is needed to join another workspace with the account', async () => {
    const { email, app } = await protect();
    const other = await hub.workspace();
    const { body } = await other.post<{ token: string }>('/v2/workspace/invitations', { email, role: 'member' });
    const accept = (code?: string) =>
      browse().send('POST', `/auth/invitations/${body.token}/accept`, { password: PASSWORD, code });
    expect(refusal(await accept())).toEqual([401, 'second_factor_required']);
    expect(refusal(await accept('abcde-fghij'))).toEqual([401, 'second_factor_failed']);
    const accepted = await accept(app.next());
    expect([accepted.status, accepted.body]).toMatchObject([200, { workspaces: [{}, {}] }]);
  });

  it('is turned off, and gets new recovery codes, by the password and a code', async () => {
    const { email, browser, recoveryCodes, app } = await protect();
    const [first = '', second = ''] = recoveryCodes;
    const send = (action: string, code: string, password = PASSWORD) =>
      browser.send<{ recovery_codes: string[] }>('POST', `/auth/second-factor/${action}`, { password, code });
    expect((await send('recovery-codes', first, 'another password')).status).toBe(401);
    expect((await send('recovery-codes', 'abcde-fghij')).status).toBe(401);
    const replaced = await send('recovery-codes', first);
    expect([replaced.status, replaced.body.recovery_codes.length]).toEqual([201, 10]);
    expect((await send('disable', second)).status).toBe(401);
    expect((await send('disable', app.next(), 'another password')).status).toBe(401);
    const off = await send('disable', replaced.body.recovery_codes[0]!);
    expect([off.status, off.body]).toEqual([200, { enabled: false, recovery_codes_left: 0 }]);
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    expect((await send('disable', second)).status).toBe(404);
    expect((await begin(browser)).status).toBe(201);
  });

  it('is recorded in the audit log, and shown to the members', async () => {
    const { id, browser, recoveryCodes } = await protect();
    await browser.send('POST', '/auth/second-factor/disable', { password: PASSWORD, code: recoveryCodes[0] });
    const readActions = async () =>
      (await acme.get<{ events: { action: string; actor: object }[] }>('/v2/workspace/audit')).body.events
        .filter(({ action }) => action.endsWith('second_factor'))
        .map(({ action, actor }) => ({ action, actor }));
    const actor = { kind: 'person', id };
    expect(await readActions()).toEqual([
      { action: 'member.disable_second_factor', actor },
      { action: 'member.enable_second_factor', actor },
    ]);
    const other = await protect();
    const { body } = await acme.get<{ members: { user_id: string; second_factor: boolean }[] }>(
      '/v2/workspace/members',
    );
    expect(body.members.map(member => [member.user_id, member.second_factor])).toEqual([
      [id, false],
      [other.id, true],
    ]);
  });

  it('is set up by a person with a session only, from the pages of the hub', async () => {
    expect((await browse().send('GET', '/auth/second-factor')).status).toBe(401);
    expect((await begin(browse())).status).toBe(401);
    const { browser } = await join();
    const foreign = { origin: 'https://evil.example' };
    const forged = await browser.send('POST', '/auth/second-factor', { password: PASSWORD }, foreign);
    expect(refusal(forged)).toEqual([403, 'foreign_origin']);
    const nameless = await browser.send('POST', '/auth/second-factor/confirm', { code: '' });
    expect(nameless.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'code' }] });
  });
});

describe('the secret of a second factor', () => {
  it('is stored encrypted, and so are the recovery codes', async () => {
    const { id, recoveryCodes } = await protect();
    const { rows } = await hub.database.pool.query<{ secret: string; recovery_codes: string }>(
      'SELECT secret, recovery_codes FROM rapport_auth.second_factors WHERE user_id = $1',
      [id],
    );
    expect(rows[0]).toEqual({
      secret: expect.stringMatching(/^\$ba\$\d+\$[0-9a-f]+$/),
      recovery_codes: expect.stringMatching(/^\$ba\$\d+\$[0-9a-f]+$/),
    });
    expect(JSON.stringify(rows)).not.toContain(recoveryCodes[0]);
  });

  it('is encrypted again by a rotation of keys, after which the key before may go', async () => {
    const { email, app, recoveryCodes } = await protect();
    const rotate = async (keys: string, ...words: string[]) => {
      const env = { DATABASE_URL: hub.database.url, SECRET_KEYS: keys };
      const { code, out, err } = await rapportHere(['admin', 'secrets', 'rotate', '--json', ...words], env);
      return code === 0 ? (JSON.parse(out) as { people: { read: number; resealed: number } | null }).people : err;
    };
    const bothKeys = `${NEW_KEY},${TEST_KEYS}`;
    const dry = await rotate(bothKeys, '--dry-run');
    expect(dry).toEqual({ read: expect.any(Number), resealed: expect.any(Number) });
    expect(await rotate(bothKeys, '--workspace', acme.workspaceId)).toBeNull();
    expect(await rotate(bothKeys)).toEqual(dry);
    expect(await rotate(bothKeys)).toEqual({ ...(dry as object), resealed: 0 });
    expect(await rotate(TEST_KEYS)).toContain('a key that SECRET_KEYS does not hold');

    const start = (keys: string) =>
      startHub(testEnv(hub.database.url, { ...SETTINGS, SECRET_KEYS: keys }), createLogger('silent'));
    const next = await start(NEW_KEY);
    expect((await signIn(email, app.next(), { browser: new BrowserSession(next.url) })).status).toBe(200);
    await next.close();
    const old = await start(TEST_KEYS);
    const locked = await signIn(email, recoveryCodes[0], { browser: new BrowserSession(old.url) });
    expect(refusal(locked)).toEqual([503, 'unavailable']);
    await old.close();
  });
});
