import { Authenticator } from '../support/authenticator.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, TEST_KEYS, type TestHub } from '../support/hub.js';
import { rapportHere } from '../support/process/rapport-command.js';
import { PASSWORD, signInPerson, type SignedInPerson } from '../support/sign-in.js';

const EMAIL = 'ada@people.example';

let hub: TestHub;
let acme: Client;
let ada: SignedInPerson;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL });
  acme = await hub.workspace();
  ada = await signInPerson(hub.url, acme, EMAIL, 'owner');
});
afterAll(() => hub?.end());

const run = (...words: string[]) =>
  rapportHere(['admin', 'user', ...words], { DATABASE_URL: hub.database.url, SECRET_KEYS: TEST_KEYS });
const signIn = (password: string) =>
  new BrowserSession(hub.url).send('POST', '/auth/sign-in', { email: EMAIL, password });

describe('rapport admin user', () => {
  it('lists who can sign in', async () => {
    const { out } = await run('list', '--json');
    expect(JSON.parse(out)).toEqual({
      users: [
        { id: ada.id, name: 'Ada', email: EMAIL, memberships: [{ workspace_id: acme.workspaceId, role: 'owner' }] },
      ],
    });
    expect((await run('list')).out).toContain(`owner of ${acme.workspaceId}`);
  });

  it('resets a password: once, for a day, and all sessions end', async () => {
    const make = async () =>
      JSON.parse((await run('reset-password', EMAIL.toUpperCase(), '--json')).out) as { token: string };
    const [replaced, { token }] = [await make(), await make()];
    const reset = (given: string, password = 'a new long password') =>
      new BrowserSession(hub.url).send('POST', '/auth/password/reset', { token: given, password });
    expect((await reset(replaced.token)).status).toBe(404);
    expect((await reset(token, 'short')).body).toMatchObject({ details: [{ field: 'password' }] });
    expect((await ada.browser.send('GET', '/auth/me')).status).toBe(200);
    expect((await reset(token)).body).toEqual({ reset: true });
    expect((await ada.browser.send('GET', '/auth/me')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn('a new long password')).status).toBe(200);
    expect((await reset(token)).status).toBe(404);
    const { body } = await acme.get<{ events: { actor: object; object: object }[] }>(
      '/v2/workspace/audit?action=member.reset_password',
    );
    expect(body.events[0]).toMatchObject({ actor: { kind: 'operator' }, object: { id: ada.id } });
  });

  it('removes a second factor that was lost', async () => {
    const password = 'a new long password';
    const browser = new BrowserSession(hub.url);
    await browser.send('POST', '/auth/sign-in', { email: EMAIL, password });
    const { body } = await browser.send<{ uri: string }>('POST', '/auth/second-factor', { password });
    const code = new Authenticator(body.uri).next();
    expect((await browser.send('POST', '/auth/second-factor/confirm', { code })).status).toBe(200);
    expect((await signIn(password)).body).toMatchObject({ error: 'second_factor_required' });
    const { out } = await run('remove-second-factor', EMAIL.toUpperCase(), '--json');
    expect(JSON.parse(out)).toEqual({ email: EMAIL, removed: true });
    expect((await signIn(password)).status).toBe(200);
    const audit = await acme.get<{ events: { actor: object; object: object }[] }>(
      '/v2/workspace/audit?action=member.disable_second_factor',
    );
    expect(audit.body.events).toMatchObject([{ actor: { kind: 'operator' }, object: { id: ada.id } }]);
    const again = await run('remove-second-factor', EMAIL);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining('Nobody with this address has a second factor.'),
    ]);
  });

  it('says that nobody has an address', async () => {
    const { code, err } = await run('reset-password', 'nobody@people.example');
    expect([code, err]).toEqual([1, expect.stringContaining('Nobody with this address can sign in.')]);
  });
});
