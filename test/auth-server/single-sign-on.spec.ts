import { createPasswordReset } from '../../src/auth-server/users/password-resets.service.js';
import { Authenticator } from '../support/authenticator.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { OidcTestProvider, type ProviderPerson } from '../support/oidc-provider.js';
import { PASSWORD } from '../support/sign-in.js';

let provider: OidcTestProvider;
let hub: TestHub;
let acme: Client;
let count = 0;

beforeAll(async () => {
  provider = await OidcTestProvider.start({ publicUrl: PUBLIC_URL });
  hub = await startTestHub({ PUBLIC_URL, TRUST_PROXY: '1', ...provider.settings });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await provider?.end();
});

interface CurrentUser {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspaces: readonly { readonly id: string; readonly role: string }[];
  readonly has_password: boolean;
  readonly single_sign_on: { readonly provider_name: string; readonly connected: boolean } | null;
}

/** Opens a browser in a network of its own, whose wrong tries do not delay those of other tests. */
const browse = (url = hub.url) => new BrowserSession(url, { 'x-forwarded-for': `198.51.100.${++count}` });
const refusal = ({ status, body }: { status: number; body: object }) => [status, 'error' in body && body.error];
const newPerson = (): ProviderPerson & { readonly email: string } => ({
  sub: `subject-${++count}`,
  email: `user${count}@people.example`,
  name: 'Grace Hopper',
});
const page = (path: string) => ({ status: 303, location: `${PUBLIC_URL}${path}` });

async function invite(email: string) {
  const { body } = await acme.post<{ token: string }>('/v2/workspace/invitations', { email, role: 'admin' });
  return body.token;
}

async function begin(browser: BrowserSession, body: object = {}, path = '/auth/single-sign-on') {
  const { status, body: begun } = await browser.send<{ url: string }>('POST', path, body);
  expect(status).toBe(200);
  return begun.url;
}

async function signIn(person: ProviderPerson | null, body: object = {}, browser = browse()) {
  const back = await provider.signIn(await begin(browser, body), person);
  return { browser, back, answer: await browser.visit(back) };
}

const me = async (browser: BrowserSession) => (await browser.send<CurrentUser>('GET', '/auth/me')).body;

/** Adds a person with a password. */
async function joinWithPassword(email = newPerson().email) {
  const token = await invite(email);
  const browser = browse();
  await browser.send('POST', `/auth/invitations/${token}/accept`, { name: 'Ada', password: PASSWORD });
  return { browser, email };
}

async function connect(browser: BrowserSession, person: ProviderPerson, proof: object = { password: PASSWORD }) {
  const url = await begin(browser, { ...proof, to: '/w/x/settings/profile' }, '/auth/single-sign-on/connect');
  return browser.visit(await provider.signIn(url, person));
}

describe('an invitation accepted by single sign-on', () => {
  it('creates an account without a password, which signs in at the provider from then on', async () => {
    const person = newPerson();
    const { browser, answer } = await signIn(person, { invitation: await invite(person.email), to: '/w/x/people' });
    expect(answer).toEqual(page('/w/x/people'));
    const first = await me(browser);
    expect(first).toMatchObject({
      user: { name: 'Grace Hopper', email: person.email },
      workspaces: [{ id: acme.workspaceId, role: 'admin' }],
      has_password: false,
      single_sign_on: { provider_name: 'Acme SSO', connected: true },
    });

    const again = await signIn({ ...person, email: 'renamed@people.example' });
    expect(again.answer).toEqual(page('/'));
    expect((await me(again.browser)).user).toEqual(first.user);
    const { body } = await acme.get<{ events: { action: string }[] }>('/v2/workspace/audit');
    expect(body.events.map(({ action }) => action)).toEqual(expect.arrayContaining(['member.join', 'session.create']));
  });

  it('adds the workspace to an account that is connected', async () => {
    const person = newPerson();
    await signIn(person, { invitation: await invite(person.email) });
    const other = await hub.workspace();
    const { body } = await other.post<{ token: string }>('/v2/workspace/invitations', {
      email: person.email,
      role: 'viewer',
    });
    const renamed = { ...person, email: 'renamed@people.example' };
    const { browser } = await signIn(renamed, { invitation: body.token });
    expect((await me(browser)).workspaces).toHaveLength(2);
  });

  it('is refused where the provider names another address, and stays open', async () => {
    const [invited, other] = [newPerson(), newPerson()];
    const token = await invite(invited.email);
    for (const person of [other, { sub: other.sub }, { ...invited, email_verified: false }]) {
      const { browser, answer } = await signIn(person, { invitation: token });
      expect(answer).toEqual(page('/sign-in?refused=invited_otherwise'));
      expect(refusal(await browser.send('GET', '/auth/me'))).toEqual([401, 'unauthorized']);
    }
    expect((await signIn(invited, { invitation: token })).answer).toEqual(page('/'));
    expect(refusal(await browse().send('POST', '/auth/single-sign-on', { invitation: token }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('does not open an account of the same address that is not connected', async () => {
    const person = newPerson();
    await joinWithPassword(person.email);
    acme = await hub.workspace();
    const { browser, answer } = await signIn(person, { invitation: await invite(person.email) });
    expect(answer).toEqual(page('/sign-in?refused=account_exists'));
    expect(refusal(await browser.send('GET', '/auth/me'))).toEqual([401, 'unauthorized']);
  });

  it('is accepted once, also by two browsers at a time', async () => {
    const person = newPerson();
    const invitation = await invite(person.email);
    const backs = await Promise.all(
      [browse(), browse()].map(async browser => ({
        browser,
        back: await provider.signIn(await begin(browser, { invitation }), person),
      })),
    );
    const answers = await Promise.all(backs.map(({ browser, back }) => browser.visit(back)));
    expect(answers.map(({ location }) => location).toSorted()).toEqual([
      `${PUBLIC_URL}/`,
      `${PUBLIC_URL}/sign-in?refused=not_found`,
    ]);
  });
});

describe('a connected account', () => {
  it('signs in without password and code', async () => {
    const { browser, email } = await joinWithPassword();
    const setup = await browser.send<{ uri: string }>('POST', '/auth/second-factor', { password: PASSWORD });
    const app = new Authenticator(setup.body.uri);
    await browser.send('POST', '/auth/second-factor/confirm', { code: app.next() });
    const person = newPerson();
    const path = '/auth/single-sign-on/connect';
    const proof = { password: PASSWORD };
    expect(refusal(await browser.send('POST', path, { password: 'a wrong password' }))).toEqual([
      401,
      'sign_in_failed',
    ]);
    expect(refusal(await browser.send('POST', path, proof))).toEqual([401, 'second_factor_required']);
    expect(await connect(browser, person, { ...proof, code: app.next() })).toEqual(page('/w/x/settings/profile'));
    expect(await me(browser)).toMatchObject({ has_password: true, single_sign_on: { connected: true } });

    const later = await signIn(person);
    expect(later.answer).toEqual(page('/'));
    expect((await me(later.browser)).user.email).toBe(email);
    const { body } = await acme.get<{ events: { action: string; actor: object }[] }>('/v2/workspace/audit');
    expect(body.events.map(({ action }) => action)).toContain('member.connect_single_sign_on');
  });

  it('is disconnected with its password, and signs in no more', async () => {
    const { browser } = await joinWithPassword();
    const person = newPerson();
    await connect(browser, person);
    const path = '/auth/single-sign-on/disconnect';
    expect(refusal(await browser.send('POST', path, { password: 'a wrong password' }))).toEqual([
      401,
      'sign_in_failed',
    ]);
    expect((await browser.send('POST', path, { password: PASSWORD })).body).toEqual({ disconnected: true });
    expect((await me(browser)).single_sign_on).toMatchObject({ connected: false });
    expect((await signIn(person)).answer).toEqual(page('/sign-in?refused=single_sign_on_unknown'));
    expect(refusal(await browser.send('POST', path, { password: PASSWORD }))).toEqual([404, 'not_found']);
  });

  it('shares its identity with no other account, and has one at a time', async () => {
    const [first, second] = [await joinWithPassword(), await joinWithPassword()];
    const [shared, later] = [newPerson(), newPerson()];
    await connect(first.browser, shared);
    expect(await connect(second.browser, shared)).toEqual(page('/w/x/settings/profile?refused=single_sign_on_taken'));
    expect(await connect(first.browser, later)).toEqual(page('/w/x/settings/profile'));
    expect((await signIn(shared)).answer).toEqual(page('/sign-in?refused=single_sign_on_unknown'));
    expect(await connect(second.browser, shared)).toEqual(page('/w/x/settings/profile'));
  });

  it('is the one of the session that began, which must not have ended', async () => {
    const { browser } = await joinWithPassword();
    const url = await begin(browser, { password: PASSWORD }, '/auth/single-sign-on/connect');
    await browser.send('POST', '/auth/sign-out');
    const back = await provider.signIn(url, newPerson());
    expect(await browser.visit(back)).toEqual(page('/?refused=single_sign_on_failed'));
    expect(refusal(await browse().send('POST', '/auth/single-sign-on/connect', { password: PASSWORD }))).toEqual([
      401,
      'unauthorized',
    ]);
  });

  it('without a password gets one by a reset of the operator', async () => {
    const person = newPerson();
    await signIn(person, { invitation: await invite(person.email) });
    const body = { email: person.email, password: PASSWORD };
    expect(refusal(await browse().send('POST', '/auth/sign-in', body))).toEqual([401, 'sign_in_failed']);
    const reset = await hub.database.work.auth(tx => createPasswordReset(tx, person.email));
    await browse().send('POST', '/auth/password/reset', { token: reset!.token, password: PASSWORD });
    const browser = browse();
    expect((await browser.send('POST', '/auth/sign-in', body)).status).toBe(200);
    expect(await me(browser)).toMatchObject({ has_password: true, single_sign_on: { connected: true } });
  });
});

describe('a sign-in at the provider', () => {
  it('opens no account by its address alone', async () => {
    const { email } = await joinWithPassword();
    const { browser, answer } = await signIn({ ...newPerson(), email });
    expect(answer).toEqual(page('/sign-in?refused=single_sign_on_unknown'));
    expect(refusal(await browser.send('GET', '/auth/me'))).toEqual([401, 'unauthorized']);
  });

  it('that the person cancels signs nobody in', async () => {
    expect((await signIn(null)).answer).toEqual(page('/sign-in?refused=single_sign_on_failed'));
  });

  it('ends in the browser that began it, once', async () => {
    const person = newPerson();
    const { browser } = await signIn(person, { invitation: await invite(person.email) });
    const back = await provider.signIn(await begin(browser), person);
    const failed = page('/sign-in?refused=single_sign_on_failed');
    const other = browse();
    await begin(other);
    expect(await other.visit(back)).toEqual(failed);
    expect(await browse().visit(back)).toEqual(failed);
    expect(await browse().visit('/auth/single-sign-on/callback')).toEqual(failed);
    expect(await browser.visit(back)).toEqual(page('/'));
    expect(await browser.visit(back)).toEqual(failed);
  });

  it('has ten minutes', async () => {
    const browser = browse();
    const back = await provider.signIn(await begin(browser), newPerson());
    await hub.database.work.auth(tx =>
      tx.query(
        `UPDATE rapport_auth.verifications SET expires_at = now() WHERE starts_with(identifier, 'single-sign-on ')`,
      ),
    );
    expect(await browser.visit(back)).toEqual(page('/sign-in?refused=single_sign_on_failed'));
  });

  it.each(['nonce', 'verifier'])('is refused if the %s is another one', async field => {
    const person = newPerson();
    await signIn(person, { invitation: await invite(person.email) });
    const browser = browse();
    const back = await provider.signIn(await begin(browser), person);
    await hub.database.work.auth(tx =>
      tx.query(
        `UPDATE rapport_auth.verifications SET value = jsonb_set(value::jsonb, ARRAY[$1], to_jsonb(repeat('x', 43)))::text
       WHERE starts_with(identifier, 'single-sign-on ')`,
        [field],
      ),
    );
    expect(await browser.visit(back)).toEqual(page('/sign-in?refused=single_sign_on_failed'));
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'leads to the first page instead of %s',
    async to => {
      const person = newPerson();
      const invitation = await invite(person.email);
      expect((await signIn(person, { to, invitation })).answer).toEqual(page('/'));
    },
  );

  it('stays on this hub with a path that names another host', async () => {
    const person = newPerson();
    const invitation = await invite(person.email);
    expect((await signIn(person, { to: '/.//evil.example', invitation })).answer).toEqual(page('//evil.example'));
  });

  it('is begun by the pages of the hub only', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(refusal(await browse().send('POST', '/auth/single-sign-on', {}, foreign))).toEqual([403, 'foreign_origin']);
  });

  it('keeps its secret in a cookie for the way back only', async () => {
    const { headers } = await browse().send('POST', '/auth/single-sign-on', {});
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^rapport_single_sign_on=[\w-]{43}; Path=\/auth\/single-sign-on\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });
});

describe('a provider', () => {
  it('whose signature does not fit its keys signs nobody in', async () => {
    const other = await OidcTestProvider.start({ publicUrl: PUBLIC_URL });
    const own = await startTestHub({ PUBLIC_URL, ...other.settings });
    other.publishesOtherKeys = true;
    const browser = browse(own.url);
    const back = await other.signIn(await begin(browser), newPerson());
    expect(await browser.visit(back)).toEqual(page('/sign-in?refused=single_sign_on_failed'));
    await own.end();
    await other.end();
  });

  it('may take the secret in the body and put the address into the ID token', async () => {
    const other = await OidcTestProvider.start({
      publicUrl: PUBLIC_URL,
      clientAuth: 'client_secret_post',
      hasFullIdTokens: true,
    });
    const own = await startTestHub({ PUBLIC_URL, ...other.settings });
    acme = await own.workspace();
    const person = newPerson();
    const browser = browse(own.url);
    const url = await begin(browser, { invitation: await invite(person.email) });
    expect(await browser.visit(await other.signIn(url, person))).toEqual(page('/'));
    await own.end();
    await other.end();
  });

  it('that does not respond is named, and called again by the next sign-in', async () => {
    const other = await OidcTestProvider.start({ publicUrl: PUBLIC_URL });
    const own = await startTestHub({ PUBLIC_URL, ...other.settings });
    const browser = browse(own.url);
    other.isDown = true;
    expect(refusal(await browser.send('POST', '/auth/single-sign-on', {}))).toEqual([
      502,
      'single_sign_on_unavailable',
    ]);
    other.isDown = false;
    const back = await other.signIn(await begin(browser), newPerson());
    await other.end();
    expect(await browser.visit(back)).toEqual(page('/sign-in?refused=single_sign_on_unavailable'));
    await own.end();
  });

  it('stands in the state of sign-in', async () => {
    expect((await browse().send('GET', '/auth/state')).body).toMatchObject({ single_sign_on: 'Acme SSO' });
  });
});

it('a hub without single sign-on says so', async () => {
  const own = await startTestHub({ PUBLIC_URL });
  const browser = browse(own.url);
  expect((await browser.send('GET', '/auth/state')).body).toMatchObject({ single_sign_on: null });
  expect(refusal(await browser.send('POST', '/auth/single-sign-on', {}))).toEqual([404, 'not_found']);
  expect(await browser.visit('/auth/single-sign-on/callback?code=x&state=y')).toEqual(
    page('/sign-in?refused=single_sign_on_failed'),
  );
  await own.end();
});
