import { generateKey } from '#kernel/auth/key-format.js';
import type { Client } from '../support/hub.js';
import { type OAuthGround, postForm } from './oauth.fixture.js';

/** The page itself: what it lets through, and what it lets nobody do. */
export function pageCases(ground: () => OAuthGround): void {
  let admin: Client;
  beforeAll(async () => {
    admin = await ground().hub.workspace();
  });
  const begin = async () =>
    (
      await postForm<{ verification_uri_complete: string; device_code: string }>(
        ground(),
        '/oauth/device_authorization',
        { client_id: 'rapport-cli', scope: 'read admin' },
      )
    ).body;

  it('runs no script, loads nothing, cannot be framed, and is not cached', async () => {
    const { headers, html } = await ground()
      .person()
      .open((await begin()).verification_uri_complete);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('set-cookie')).toMatch(/^rapport_consent=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(html).not.toMatch(/<script|style="|\son\w+=|https?:\/\//);
    expect(html).toMatch(/<label class="label" for="api_key">/);
    expect(html).toContain('is used only once');
  });

  it('never ticks managing beforehand, and carries no key from one step to the next', async () => {
    const person = ground().person();
    const page = await person.open((await begin()).verification_uri_complete);
    const decided = await person.press('sign_in', page, { api_key: ` ${admin.key} ` });
    expect(Object.keys(decided.fields).toSorted()).toEqual(['scope_read', 'state']);
    expect(decided.html).toContain('name="scope_admin"');
    const { fields, html, headers } = decided;
    for (const text of [html, JSON.stringify([...headers]), JSON.stringify(fields)]) {
      expect(text).not.toContain(admin.key.slice(13, -4));
    }
  });

  it('believes a form only from the browser that it was given to', async () => {
    const uri = (await begin()).verification_uri_complete;
    const person = ground().person();
    const response = await person.open(uri);
    const forged = { ...response, fields: { state: `${response.fields['state']!.slice(0, -3)}AAA` } };
    const outsider = ground().person();
    await outsider.open(uri);
    const attempts = [
      ground().person().press('sign_in', response, { api_key: admin.key }),
      outsider.press('sign_in', response, { api_key: admin.key }),
      person.press('sign_in', forged, { api_key: admin.key }),
      person.press('sign_in', { ...response, fields: {} }, { api_key: admin.key }),
    ];
    for (const { status, html } of await Promise.all(attempts))
      expect([status, html]).toEqual([400, expect.stringContaining('too old')]);
    const skipped = await person.press('approve', response, { scope_read: 'yes' });
    expect([skipped.status, skipped.html]).toEqual([400, expect.stringContaining('not valid')]);
    expect((await person.press('sign_in', response, { api_key: admin.key })).html).toContain('Acme');
  });

  it('lets nobody decide by a key that may not manage, or that was revoked in the meantime', async () => {
    const uri = (await begin()).verification_uri_complete;
    const person = ground().person();
    const plain = await admin.post<{ key: string }>('/v2/api-keys', { name: 'plain' });
    const manager = await admin.post<{ key: string; id: string }>('/v2/api-keys', {
      name: 'm',
      scopes: ['read', 'admin'],
    });
    const refused = await person.press('sign_in', await person.open(uri), { api_key: plain.body.key });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('may not manage')]);
    const decided = await person.press('sign_in', refused, { api_key: manager.body.key });
    await admin.delete(`/v2/api-keys/${manager.body.id}`);
    const late = await person.press('approve', decided);
    expect([late.status, late.html]).toEqual([400, expect.stringContaining('not valid')]);
  });

  it('writes no key, code or verifier into the log', async () => {
    const { verification_uri_complete, device_code } = await begin();
    await ground().person().approve(verification_uri_complete, admin.key);
    const fields = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'rapport-cli',
      device_code,
    };
    const { body } = await postForm<{ access_token: string }>(ground(), '/oauth/token', fields);
    const secrets = [admin.key, device_code, body.access_token, ...ground().secrets];
    for (const secret of secrets) expect(ground().log()).not.toContain(secret);
    expect(secrets.length).toBeGreaterThan(10);
    expect(ground().log()).toContain('/oauth/token');
    expect(ground().log()).toContain('issued an API key for a sign-in');
    expect(ground().log()).toContain('a code was used twice');
  });

  it('delays wrong guesses, and accepts the right code and key at once', async () => {
    const uri = (await begin()).verification_uri_complete;
    const person = ground().person();
    const requested = await person.open(uri);
    const guess = () => ground().person().open('/oauth/device?user_code=BBBBBBBB');
    const guesses = await Promise.all(Array.from({ length: 25 }, guess));
    const statuses = guesses.map(({ status }) => status);
    expect([...new Set(statuses)].toSorted()).toEqual([404, 429]);
    expect(guesses.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^[1-8]$/);
    expect((await person.open(uri)).status).toBe(200);

    const wrong = () => person.press('sign_in', requested, { api_key: generateKey().key });
    const tried = await Promise.all(Array.from({ length: 25 }, wrong));
    expect([...new Set(tried.map(({ status }) => status))].toSorted()).toEqual([400, 429]);
    expect((await person.press('sign_in', requested, { api_key: admin.key })).html).toContain('Acme');
  }, 30_000);
}
