import { OAuthSweeper } from '#auth-server/oauth/oauth.sweeper.js';
import type { Client } from '../support/hub.js';
import { type OAuthGround, postForm, type TokenBody } from './oauth.fixture.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** The device grant, from the first question to the key, and every way in which it ends otherwise. */
export function deviceCases(ground: () => OAuthGround): void {
  let admin: Client;
  beforeAll(async () => {
    admin = await ground().hub.workspace();
  });

  const begin = async (more: Record<string, string> = {}) =>
    (await postForm<Device>(ground(), '/oauth/device_authorization', { client_id: 'rapport-cli', ...more })).body;
  const fetchKey = (device_code: string, client_id = 'rapport-cli') =>
    postForm<TokenBody>(ground(), '/oauth/token', { grant_type: DEVICE_GRANT, client_id, device_code });
  /** A client may ask again at once: the interval has passed. */
  const letTimePass = (column: 'polled_at' | 'expires_at') =>
    ground().hub.database.work.system(tx =>
      tx.query(`UPDATE oauth_device_requests SET ${column} = now() - interval '1 minute'`),
    );

  it('gives a key of the approver’s workspace, once, and shows it in the list', async () => {
    const device = await begin({ scope: 'read write', device_name: 'night-desk' });
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${ground().publicUrl}/approve`,
      verification_uri_complete: `${ground().publicUrl}/approve?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await fetchKey(device.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });

    const person = ground().person();
    const opened = await person.openApproval(device.verification_uri_complete);
    expect(opened.body).toMatchObject({
      program: {
        name: 'Rapport CLI (night-desk)',
        verified_by: null,
        origin: 'cli',
        redirect_uri: null,
        user_code: device.user_code,
        address: '127.0.0.1',
      },
      key_days: 365,
      renewal_days: null,
      user: null,
      workspaces: [],
    });
    expect((await person.identify(opened.ticket, admin.key)).body.workspace).toMatchObject({ name: 'Acme' });
    const end = await person.approveByKey(device.verification_uri_complete, admin.key);
    expect([end.status, end.body]).toEqual([200, { approved: true, redirect_to: null }]);

    await letTimePass('polled_at');
    const { status, body, headers } = await fetchKey(device.device_code);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^rap_live_/),
      token_type: 'Bearer',
      expires_in: 365 * 86_400,
      scope: 'read write',
      key_id: expect.any(String),
      workspace_id: admin.workspaceId,
      workspace_name: 'Acme',
    });
    const { api_keys } = (await admin.get<{ api_keys: object[] }>('/v2/api-keys')).body;
    expect(api_keys[0]).toMatchObject({
      id: body.key_id,
      name: 'Rapport CLI (night-desk)',
      origin: 'cli',
      scopes: ['read', 'write'],
      expires_at: expect.any(String),
    });
    expect(await ground().statusWith(body.access_token)).toBe(200);

    expect(await fetchKey(device.device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await ground().statusWith(body.access_token)).toBe(401);
  });

  it('takes a code however it is typed', async () => {
    const { user_code } = await begin();
    const person = ground().person();
    for (const typed of [user_code.toLowerCase(), user_code.replace('-', ''), ` ${user_code.replace('-', ' ')} `]) {
      const { status, body } = await person.openApproval(`/approve?user_code=${encodeURIComponent(typed)}`);
      expect([status, body.program['user_code']]).toEqual([200, user_code]);
    }
  });

  it('tells a hasty client to slow down, by five seconds each time', async () => {
    const { device_code } = await begin();
    const errors = [];
    for (let response = 0; response < 3; response++) errors.push((await fetchKey(device_code)).body);
    expect(errors).toEqual([
      expect.objectContaining({ error: 'authorization_pending' }),
      expect.objectContaining({ error: 'slow_down', error_description: expect.stringContaining('10 seconds') }),
      expect.objectContaining({ error: 'slow_down', error_description: expect.stringContaining('15 seconds') }),
    ]);
    await letTimePass('polled_at');
    expect((await fetchKey(device_code)).body).toMatchObject({ error: 'authorization_pending' });
  });

  it('says who was denied, who was late and who is unknown', async () => {
    const denied = await begin();
    const person = ground().person();
    const end = await person.deny(await person.openApproval(denied.verification_uri_complete));
    expect(end.body).toEqual({ approved: false, redirect_to: null });
    expect((await fetchKey(denied.device_code)).body).toMatchObject({ error: 'access_denied' });
    expect((await person.openApproval(denied.verification_uri_complete)).status).toBe(404);

    const late = await begin();
    const requested = await person.openApproval(late.verification_uri_complete);
    await letTimePass('expires_at');
    expect((await fetchKey(late.device_code)).body).toMatchObject({ error: 'expired_token' });
    const tooLate = await person.approve(requested, { api_key: admin.key, scopes: ['read'] });
    expect([tooLate.status, tooLate.body.detail]).toEqual([
      404,
      expect.stringContaining('your program needs a new one'),
    ]);

    expect((await fetchKey('made-up')).body).toMatchObject({ error: 'invalid_grant' });
    const other = await begin();
    expect((await fetchKey(other.device_code, 'https://other.test/client')).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('makes one key when two ask for it at the same moment, and trusts neither', async () => {
    const workspace = await ground().hub.workspace();
    const { device_code, verification_uri_complete } = await begin();
    await ground().person().approveByKey(verification_uri_complete, workspace.key);
    const answers = await Promise.all([fetchKey(device_code), fetchKey(device_code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const inState = async (state: string) =>
      (await workspace.get<{ api_keys: object[] }>(`/v2/api-keys?state=${state}`)).body.api_keys;
    expect([(await inState('revoked')).length, (await inState('active')).length]).toEqual([1, 1]);
  });

  it('gives no key once the approver’s own was revoked', async () => {
    const workspace = await ground().hub.workspace();
    const { device_code, verification_uri_complete } = await begin();
    await ground().person().approveByKey(verification_uri_complete, workspace.key);
    const { api_keys } = (await workspace.get<{ api_keys: { id: string }[] }>('/v2/api-keys')).body;
    await workspace.delete(`/v2/api-keys/${api_keys[0]!.id}`);
    expect((await fetchKey(device_code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('ends its key by revocation, and by that no other', async () => {
    const { device_code, verification_uri_complete } = await begin();
    await ground().person().approveByKey(verification_uri_complete, admin.key);
    const { access_token } = (await fetchKey(device_code)).body;
    expect(await ground().statusWith(access_token)).toBe(200);
    for (const token of [access_token, access_token, 'nonsense'])
      expect((await postForm(ground(), '/oauth/revoke', { token })).status).toBe(200);
    expect(await ground().statusWith(access_token)).toBe(401);
    expect((await postForm(ground(), '/oauth/revoke', { token: admin.key })).body).toMatchObject({
      error: 'unsupported_token_type',
    });
    expect(await ground().statusWith(admin.key)).toBe(200);
  });

  it('is forgotten a day after its end, and what was granted with it', async () => {
    const { verification_uri_complete } = await begin();
    await ground().person().approveByKey(verification_uri_complete, admin.key);
    const { work, pool } = ground().hub.database;
    const stored = async () =>
      (await pool.query<{ rows: number }>('SELECT count(*)::int AS rows FROM oauth_device_requests')).rows[0]!.rows;
    const sweeper = ground().hub.app.get(OAuthSweeper, { strict: false });
    await letTimePass('expires_at');
    expect([await sweeper.sweep(), await stored()]).toEqual([0, expect.any(Number)]);
    await work.system(tx => tx.query("UPDATE oauth_device_requests SET expires_at = now() - interval '25 hours'"));
    await work.run(admin.workspaceId, tx =>
      tx.query("UPDATE oauth_grants SET expires_at = now() - interval '25 hours'"),
    );
    expect(await sweeper.sweep()).toBeGreaterThan(1);
    expect(await stored()).toBe(0);
    expect(await work.run(admin.workspaceId, tx => tx.query('SELECT id FROM oauth_grants'))).toEqual([]);
  });

  it.each([
    [{}, 'invalid_request'],
    [{ client_id: 'nobody' }, 'invalid_client'],
    [{ client_id: 'rapport-cli', scope: 'internal' }, 'invalid_scope'],
    [{ client_id: 'rapport-cli', scope: 'openid' }, 'invalid_scope'],
  ])('refuses to begin with %j: %s', async (fields, error) => {
    const answer = await postForm(ground(), '/oauth/device_authorization', fields as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([
      error === 'invalid_client' ? 401 : 400,
      expect.objectContaining({ error }),
    ]);
  });
}
