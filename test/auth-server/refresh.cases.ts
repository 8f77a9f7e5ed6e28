import { createHash, randomBytes } from 'node:crypto';
import { OAuthSweeper } from '#auth-server/oauth/oauth.sweeper.js';
import type { Client } from '../support/hub.js';
import { AgentMemory, ARRIVING } from './agents.js';
import { type OAuthGround, postForm, register, type TokenBody } from './oauth.fixture.js';

const CALLBACK = 'http://127.0.0.1:4711/callback';
const DAY_MS = 86_400_000;

interface RefreshableBody extends TokenBody {
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Refresh tokens: a program goes on without an approval, and a stolen token ends its sign-in. */
export function refreshCases(ground: () => OAuthGround): void {
  let admin: Client;
  let clientId: string;
  beforeEach(async () => {
    admin = await ground().hub.workspace();
    clientId = await register(ground(), { client_name: 'Agent', redirect_uris: [CALLBACK] });
  });

  /** Signs a program in by a browser. @returns what its code was exchanged for, and the exchange to repeat */
  async function signIn(key = admin.key) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read',
    });
    const { location } = await ground().person().approveByKey(`/oauth/authorize?${query}`, key);
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      code: location!.searchParams.get('code')!,
      code_verifier: verifier,
    };
    const exchange = () => postForm<RefreshableBody>(ground(), '/oauth/token', fields);
    return { ...(await exchange()).body, exchange };
  }

  const refresh = (refresh_token: string, client_id = clientId) =>
    postForm<RefreshableBody>(ground(), '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });
  const update = (sql: string) => ground().hub.database.work.run(admin.workspaceId, tx => tx.query(sql));
  const endKeys = () => update("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE origin = 'oauth'");
  const ageTokens = (column: string, age: string) =>
    update(`UPDATE oauth_refresh_tokens SET ${column} = now() - interval '${age}'`);
  const listKeys = async () =>
    (
      await admin.get<{ api_keys: { id: string; origin: string; scopes: string[]; expires_at: string }[] }>(
        '/v2/api-keys',
      )
    ).body.api_keys.filter(({ origin }) => origin === 'oauth');

  it('gets the next key without an approval, also after the key has expired', async () => {
    const first = await signIn();
    await endKeys();
    expect(await ground().statusWith(first.access_token)).toBe(401);
    const { status, body, headers } = await refresh(first.refresh_token);
    expect([status, headers.get('cache-control'), body]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(/^rap_live_/),
        token_type: 'Bearer',
        expires_in: 90 * 86_400,
        refresh_token: expect.any(String),
        scope: 'read',
        key_id: expect.any(String),
        workspace_id: admin.workspaceId,
        workspace_name: 'Acme',
      },
    ]);
    expect(await ground().statusWith(body.access_token)).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('leaves the key before a minute, for requests that are under way', async () => {
    const first = await signIn();
    const { body } = await refresh(first.refresh_token);
    expect(await ground().statusWith(first.access_token)).toBe(200);
    const keys = await listKeys();
    expect(keys.map(({ id }) => id)).toEqual([body.key_id, first.key_id]);
    const left = keys.map(({ expires_at }) => Date.parse(expires_at) - Date.now());
    expect(left[0]).toBeGreaterThan(89 * DAY_MS);
    expect(left[1]).toBeLessThanOrEqual(60_000);
  });

  it('takes the token before again for a minute, as the reply may have been lost', async () => {
    const first = await signIn();
    await refresh(first.refresh_token);
    const again = await refresh(first.refresh_token);
    expect(again.status).toBe(200);
    expect((await refresh(again.body.refresh_token)).status).toBe(200);
  });

  it('ends the sign-in if a token comes back later, because it was stolen', async () => {
    const first = await signIn();
    const second = (await refresh(first.refresh_token)).body;
    await ageTokens('issued_at', '61 seconds');
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await ground().statusWith(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(400);
    expect(ground().log()).toContain('a refresh token was used twice');
  });

  it('ends when the code of its sign-in comes again', async () => {
    const first = await signIn();
    const second = (await refresh(first.refresh_token)).body;
    expect((await first.exchange()).status).toBe(400);
    expect(await ground().statusWith(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  it('ends when its key is revoked, in the list or by the program', async () => {
    const listed = await signIn();
    await admin.delete(`/v2/api-keys/${listed.key_id}`);
    expect((await refresh(listed.refresh_token)).body.error).toBe('invalid_grant');

    const left = await signIn();
    await postForm(ground(), '/oauth/revoke', { token: left.access_token });
    expect((await refresh(left.refresh_token)).body.error).toBe('invalid_grant');

    const forgotten = await signIn();
    expect((await postForm(ground(), '/oauth/revoke', { token: forgotten.refresh_token })).status).toBe(200);
    expect(await ground().statusWith(forgotten.access_token)).toBe(401);
    expect((await refresh(forgotten.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends with the key of who approved, and never outlives it', async () => {
    const approver = await admin.post<{ id: string; key: string }>('/v2/api-keys', {
      name: 'approver',
      scopes: ['read', 'admin'],
      expires_in_days: 30,
    });
    const first = await signIn(approver.body.key);
    const { body } = await refresh(first.refresh_token);
    expect(body.expires_in).toBeLessThanOrEqual(30 * 86_400);
    const [row] = await update(
      'SELECT expires_at <= now() + interval \'30 days\' AS "isBounded" FROM oauth_refresh_tokens',
    );
    expect(row).toEqual({ isBounded: true });
    await admin.delete(`/v2/api-keys/${approver.body.id}`);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('expires when it was not used for 180 days, and is deleted', async () => {
    const { refresh_token } = await signIn();
    const [row] = await update(
      `SELECT expires_at - now() BETWEEN interval '179 days' AND interval '180 days' AS "isRight" FROM oauth_refresh_tokens`,
    );
    expect(row).toEqual({ isRight: true });
    await ageTokens('expires_at', '1 second');
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant');
    await new OAuthSweeper(ground().hub.database.work).sweep();
    expect(await update('SELECT FROM oauth_refresh_tokens')).toEqual([]);
  });

  it('is refused from another client, changed, moved to another workspace, and missing', async () => {
    const { refresh_token } = await signIn();
    const other = await register(ground(), { client_name: 'Other', redirect_uris: [CALLBACK] });
    const bytes = Buffer.from(refresh_token, 'base64url');
    Buffer.from((await ground().hub.workspace()).workspaceId.replaceAll('-', ''), 'hex').copy(bytes);
    for (const [token, client] of [
      [refresh_token, other],
      [bytes.toString('base64url'), clientId],
      ['made-up', clientId],
    ] as const)
      expect(await refresh(token, client)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const missing = await postForm(ground(), '/oauth/token', { grant_type: 'refresh_token', client_id: clientId });
    expect(missing).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('is stored as a hash', async () => {
    const { refresh_token } = await signIn();
    const rows = await update('SELECT * FROM oauth_refresh_tokens');
    expect(JSON.stringify(rows)).not.toContain(refresh_token);
    expect(rows).toMatchObject([{ previous_hash: null, client_id: clientId }]);
  });

  it.each(ARRIVING)('is used by %s when the key has expired', async (_, arrive) => {
    const memory = new AgentMemory();
    const agent = arrive(new URL('/mcp', ground().publicUrl), memory);
    await expect(agent.connect()).rejects.toThrow();
    const { location } = await ground().person().approveByKey(memory.kept.sentTo!, admin.key);
    await agent.finish(location!);
    await endKeys();
    delete memory.kept.sentTo;
    expect(await agent.tools()).toContain('record');
    expect(memory.kept.sentTo).toBeUndefined();
    expect(await listKeys()).toHaveLength(1);
  });
}
