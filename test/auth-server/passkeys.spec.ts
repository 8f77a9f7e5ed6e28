import { Authenticator } from '../support/authenticator.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { type Misbehaviour, PasskeyDevice } from '../support/passkey-device.js';
import { PASSWORD } from '../support/sign-in.js';

let hub: TestHub;
let acme: Client;
let count = 0;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL, TRUST_PROXY: '1' });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly last_used_at: string | null;
}
interface Options {
  readonly options: { readonly challenge: string; readonly excludeCredentials?: readonly { readonly id: string }[] };
}

/** Opens a browser in a network of its own, whose wrong tries do not delay those of other tests. */
const browse = () => new BrowserSession(hub.url, { 'x-forwarded-for': `198.51.100.${++count}` });
const refusal = ({ status, body }: { status: number; body: object }) => [status, 'error' in body && body.error];

async function join() {
  const email = `user${++count}@people.example`;
  const { body } = await acme.post<{ token: string }>('/v2/workspace/invitations', { email, role: 'admin' });
  const browser = browse();
  const accept = { name: 'Ada', password: PASSWORD };
  const joined = await browser.send<{ user: { id: string } }>('POST', `/auth/invitations/${body.token}/accept`, accept);
  return { browser, email, id: joined.body.user.id };
}

async function begin(browser: BrowserSession) {
  const { status, body } = await browser.send<Options>('POST', '/auth/passkeys/options', { password: PASSWORD });
  expect(status).toBe(200);
  return body.options;
}

const add = (browser: BrowserSession, credential: object, name = 'Laptop') =>
  browser.send<Passkey>('POST', '/auth/passkeys', { name, credential });

/** Adds a person with a passkey. */
async function enrol() {
  const person = await join();
  const device = new PasskeyDevice(PUBLIC_URL);
  const { status, body } = await add(person.browser, device.create(await begin(person.browser)));
  expect(status).toBe(201);
  return { ...person, device, passkey: body };
}

async function challenge(browser: BrowserSession) {
  return (await browser.send<Options>('POST', '/auth/passkeys/sign-in/options')).body.options;
}

async function signIn(device: PasskeyDevice, wrong: Misbehaviour = {}, browser = browse()) {
  const credential = device.get(await challenge(browser), wrong);
  return { browser, credential, ...(await browser.send('POST', '/auth/passkeys/sign-in', { credential })) };
}

describe('a passkey', () => {
  it('signs its person in, without a password and a code', async () => {
    const { email, id, device, passkey, browser } = await enrol();
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Laptop',
      synced: false,
      created_at: expect.any(String),
      last_used_at: null,
    });
    const setup = await browser.send<{ uri: string }>('POST', '/auth/second-factor', { password: PASSWORD });
    await browser.send('POST', '/auth/second-factor/confirm', { code: new Authenticator(setup.body.uri).next() });
    const signedIn = await signIn(device);
    expect([signedIn.status, signedIn.body]).toMatchObject([
      200,
      { user: { id, email }, workspaces: [{ name: 'Acme' }] },
    ]);
    expect((await signedIn.browser.send('GET', '/v2/people')).status).toBe(200);
    const { body } = await signedIn.browser.send<{ passkeys: Passkey[] }>('GET', '/auth/passkeys');
    expect(body.passkeys).toEqual([{ ...passkey, last_used_at: expect.any(String) }]);
    const sessions = await signedIn.browser.send('GET', '/auth/sessions');
    expect(sessions.body).toMatchObject({
      sessions: [{ address: expect.stringMatching(/^198\.51\.100\./), current: true }, {}],
    });
  });

  it.each<[string, Misbehaviour]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['nobody verified by the device', { isVerified: false }],
  ])('is refused with %s, when it is added and when it signs in', async (_, wrong) => {
    const { browser, device } = await enrol();
    const other = new PasskeyDevice(PUBLIC_URL);
    expect(refusal(await add(browser, other.create(await begin(browser), wrong)))).toEqual([401, 'passkey_failed']);
    const refused = await signIn(device, wrong);
    expect(refusal(refused)).toEqual([401, 'passkey_failed']);
    expect((await refused.browser.send('GET', '/auth/me')).status).toBe(401);
    expect((await signIn(device)).status).toBe(200);
  });

  it.each<[string, Misbehaviour]>([
    ['a certificate, whose chain would be fetched', { format: 'packed', isCertified: true }],
    ['a format that nobody asks for', { format: 'apple' }],
    ['a format that does not exist', { format: 'made-up' }],
  ])('is not added with %s', async (_, wrong) => {
    const { browser } = await join();
    const credential = new PasskeyDevice(PUBLIC_URL).create(await begin(browser), wrong);
    expect(refusal(await add(browser, credential))).toEqual([401, 'passkey_failed']);
  });

  it('answers each challenge once, and only its own', async () => {
    const { browser, device } = await enrol();
    const first = await signIn(device);
    const again = await browse().send('POST', '/auth/passkeys/sign-in', { credential: first.credential });
    expect(refusal(again)).toEqual([401, 'passkey_failed']);

    const registration = await begin(browser);
    const swapped = await browse().send('POST', '/auth/passkeys/sign-in', { credential: device.get(registration) });
    expect(refusal(swapped)).toEqual([401, 'passkey_failed']);
    const created = new PasskeyDevice(PUBLIC_URL).create(registration);
    const other = await join();
    expect(refusal(await add(other.browser, created))).toEqual([401, 'passkey_failed']);
    expect((await add(browser, created)).status).toBe(201);
    expect(refusal(await add(browser, created))).toEqual([401, 'passkey_failed']);

    const old = await begin(browser);
    await hub.database.pool.query("UPDATE rapport_auth.verifications SET expires_at = now() - interval '1 second'");
    expect(refusal(await add(browser, new PasskeyDevice(PUBLIC_URL).create(old)))).toEqual([401, 'passkey_failed']);
  });

  it('is refused if its count goes back, as that of a copy does', async () => {
    const { device } = await enrol();
    expect((await signIn(device)).status).toBe(200);
    device.signCount = 0;
    expect(refusal(await signIn(device))).toEqual([401, 'passkey_failed']);
    device.signCount = 5;
    expect((await signIn(device)).status).toBe(200);
  });

  it('belongs to one person, who alone removes it', async () => {
    const { browser, device, passkey } = await enrol();
    const other = await join();
    expect(refusal(await add(other.browser, device.create(await begin(other.browser))))).toEqual([
      401,
      'passkey_failed',
    ]);
    expect((await other.browser.send('DELETE', `/auth/passkeys/${passkey.id}`)).status).toBe(404);
    expect((await browser.send('DELETE', '/auth/passkeys/no-uuid')).status).toBe(404);
    const removed = await browser.send('DELETE', `/auth/passkeys/${passkey.id}`);
    expect(removed.body).toEqual({ id: passkey.id, removed: true });
    expect(refusal(await signIn(device))).toEqual([401, 'passkey_failed']);
  });

  it('is added after the password, and after a code if the account has a second factor', async () => {
    const { browser, device } = await enrol();
    const ask = (password: string, code?: string) =>
      browser.send<Options>('POST', '/auth/passkeys/options', { password, ...(code !== undefined && { code }) });
    expect(refusal(await ask('another password'))).toEqual([401, 'sign_in_failed']);
    expect((await ask(PASSWORD)).body.options.excludeCredentials).toMatchObject([
      { id: device.id.toString('base64url') },
    ]);
    const setup = await browser.send<{ uri: string; recovery_codes: string[] }>('POST', '/auth/second-factor', {
      password: PASSWORD,
    });
    await browser.send('POST', '/auth/second-factor/confirm', { code: new Authenticator(setup.body.uri).next() });
    expect(refusal(await ask(PASSWORD))).toEqual([401, 'second_factor_required']);
    expect((await ask(PASSWORD, setup.body.recovery_codes[0])).status).toBe(200);
  });

  it('is one of at most twenty of its person', async () => {
    const { browser, id } = await join();
    await hub.database.pool.query(
      `INSERT INTO rapport_auth.passkeys (id, user_id, name, credential_id, public_key, sign_count, transports, is_synced)
       SELECT gen_random_uuid(), $1::uuid, 'x', $1::text || n, '', 0, '{}', false FROM generate_series(1, 20) n`,
      [id],
    );
    const { status, body } = await browser.send('POST', '/auth/passkeys/options', { password: PASSWORD });
    expect([status, body]).toMatchObject([403, { error: 'quota_exceeded', limit: 20, used: 20 }]);
  });

  it('is recorded in the audit log', async () => {
    const { browser, id, passkey } = await enrol();
    await browser.send('DELETE', `/auth/passkeys/${passkey.id}`);
    const { body } = await acme.get<{ events: { action: string; actor: object }[] }>('/v2/workspace/audit');
    const events = body.events.filter(({ action }) => action.endsWith('passkey'));
    const actor = { kind: 'person', id };
    expect(events).toMatchObject([
      { action: 'member.remove_passkey', actor },
      { action: 'member.add_passkey', actor },
    ]);
  });

  it('names the field of a credential that is wrong', async () => {
    const { browser } = await join();
    const { status, body } = await add(browser, { id: 'x', type: 'public-key' });
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', details: [{ field: 'credential' }] }]);
    expect((await browse().send('GET', '/auth/passkeys')).status).toBe(401);
    expect((await browse().send('POST', '/auth/passkeys/options', { password: PASSWORD })).status).toBe(401);
  });
});
