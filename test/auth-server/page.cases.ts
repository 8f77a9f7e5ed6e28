import { generateKey } from '#kernel/auth/key-format.js';
import { ApprovalTicketsService } from '#auth-server/consent/approval-tickets.service.js';
import type { Client } from '../support/hub.js';
import { type OAuthGround, postForm, register } from './oauth.fixture.js';

const CALLBACK = 'http://127.0.0.1:4712/callback';

/** What the approval page lets through, and what it lets nobody do. */
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
  const addressOfAgent = async () => {
    const client_id = await register(ground(), { client_name: 'Agent', redirect_uris: [CALLBACK] });
    return `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: CALLBACK,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`;
  };

  it('is a page of the console, to which a ticket of its own leads, and is not cached', async () => {
    const { status, location, headers } = await ground()
      .person()
      .open(await addressOfAgent());
    expect(status).toBe(303);
    expect(location).toMatch(`${ground().publicUrl}/approve?ticket=`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(headers.get('set-cookie')).toBeNull();
    const page = await ground().person().open(location);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  });

  it('shows an error as a page that runs no script, loads nothing and cannot be framed', async () => {
    const { status, headers, html } = await ground().person().open('/oauth/authorize?client_id=nobody');
    expect(status).toBe(400);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(html).not.toMatch(/<script|style="|\son\w+=|https?:\/\//);
  });

  it('never selects managing at first', async () => {
    const { body } = await ground()
      .person()
      .openApproval((await begin()).verification_uri_complete);
    expect(body.scopes).toEqual([
      { scope: 'read', requested: true, preselected: true },
      { scope: 'settings', requested: false, preselected: false },
      { scope: 'admin', requested: true, preselected: false },
    ]);
  });

  it('accepts decisions only from the pages of this hub', async () => {
    const { ticket } = await ground()
      .person()
      .openApproval((await begin()).verification_uri_complete);
    const foreignHeaders: Record<string, string | null>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'x-rapport-client': null },
    ];
    for (const foreign of foreignHeaders) {
      const body = { ticket, approve: true, scopes: ['read'], api_key: admin.key };
      const answer = await ground().person().send('POST', '/auth/approvals/decision', body, foreign);
      expect([answer.status, answer.body['error']]).toEqual([403, 'foreign_origin']);
    }
  });

  it('opens no ticket that is forged or older than ten minutes', async () => {
    const person = ground().person();
    const opened = await person.openApproval(await addressOfAgent());
    expect(opened.status).toBe(200);
    const forged = `${opened.ticket.slice(0, -3)}AAA`;
    for (const ticket of [forged, 'x'.repeat(60)]) {
      const answer = await person.approve({ ...opened, ticket }, { api_key: admin.key, scopes: ['read'] });
      expect([answer.status, answer.body.error]).toEqual([410, 'approval_expired']);
    }
    const tickets = ground().hub.app.get(ApprovalTicketsService, { strict: false });
    expect(tickets.open(opened.ticket, Date.now() + 590_000)).toMatchObject({ clientName: 'Agent' });
    expect(tickets.open(opened.ticket, Date.now() + 600_001)).toBeUndefined();
  });

  it('lets nobody decide without a session or key, and everybody deny', async () => {
    const person = ground().person();
    const opened = await person.openApproval(await addressOfAgent());
    const refused = await person.approve(opened, { scopes: ['read'] });
    expect([refused.status, refused.body.error]).toEqual([401, 'unauthorized']);
    const denied = await person.deny(opened);
    expect([denied.status, denied.location!.searchParams.get('error')]).toEqual([200, 'access_denied']);
  });

  it('lets nobody decide by a key that may not manage, or that was revoked in the meantime', async () => {
    const opened = await ground()
      .person()
      .openApproval((await begin()).verification_uri_complete);
    const person = ground().person();
    const plain = await admin.post<{ key: string }>('/v2/api-keys', { name: 'plain' });
    const manager = await admin.post<{ key: string; id: string }>('/v2/api-keys', {
      name: 'm',
      scopes: ['read', 'admin'],
    });
    const refused = await person.identify(opened.ticket, plain.body.key);
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: 'api_key', message: expect.stringContaining('may not manage') }],
    ]);
    expect((await person.identify(opened.ticket, manager.body.key)).body).toMatchObject({
      name: 'm',
      workspace: { name: 'Acme', scopes: expect.arrayContaining(['read', 'admin']) },
    });
    await admin.delete(`/v2/api-keys/${manager.body.id}`);
    const late = await person.approve(opened, { api_key: manager.body.key, scopes: ['read'] });
    expect([late.status, late.body.details]).toEqual([
      400,
      [{ field: 'api_key', message: expect.stringContaining('not valid') }],
    ]);
  });

  it('writes no key, code or verifier into the log', async () => {
    const { verification_uri_complete, device_code } = await begin();
    await ground().person().approveByKey(verification_uri_complete, admin.key);
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
    const opened = await person.openApproval(uri);
    const guess = () => ground().person().openApproval('/approve?user_code=BBBBBBBB');
    const guesses = await Promise.all(Array.from({ length: 25 }, guess));
    const statuses = guesses.map(({ status }) => status);
    expect([...new Set(statuses)].toSorted()).toEqual([404, 429]);
    expect(guesses.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^[1-8]$/);
    expect((await person.openApproval(uri)).status).toBe(200);

    const wrong = () => person.identify(opened.ticket, generateKey().key);
    const tried = await Promise.all(Array.from({ length: 25 }, wrong));
    expect([...new Set(tried.map(({ status }) => status))].toSorted()).toEqual([400, 429]);
    expect((await person.identify(opened.ticket, ` ${admin.key} `)).body.workspace).toMatchObject({ name: 'Acme' });
  }, 30_000);
}
