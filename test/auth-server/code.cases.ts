import { createHash, randomBytes } from 'node:crypto';
import type { AuditResponse } from '#graph/audit/audit.service.js';
import type { Client } from '../support/hub.js';
import { AgentMemory, ARRIVING } from './agents.js';
import { type OAuthGround, postForm, register, type TokenBody } from './oauth.fixture.js';

const CALLBACK = 'http://127.0.0.1:4711/callback';

/** Codes by way of a browser: with the official clients, and with every mistake that a client can make. */
export function codeCases(ground: () => OAuthGround): void {
  let admin: Client;
  let clientId: string;
  beforeAll(async () => {
    admin = await ground().hub.workspace();
    clientId = await register(ground(), {
      client_name: 'Agent',
      redirect_uris: [CALLBACK, 'https://agent.test/back?x=1'],
    });
  });

  const proof = () => {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  };
  const addressWith = (more: Record<string, string | undefined> = {}, challenge = proof().challenge) => {
    const fields = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      state: 'st&te=1',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    };
    const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given)}`;
  };
  const exchange = (fields: Record<string, string>) =>
    postForm<TokenBody>(ground(), '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      ...fields,
    });
  /** An approved request: the code and what proves its owner. */
  const approved = async (key = admin.key, more: Record<string, string> = {}) => {
    const { verifier, challenge } = proof();
    const { location } = await ground().person().approveByKey(addressWith(more, challenge), key);
    return { verifier, location: location!, code: location!.searchParams.get('code')! };
  };

  describe.each(ARRIVING)('%s', (_, arrive) => {
    it('finds its way in by itself, and works until its key is revoked', async () => {
      const memory = new AgentMemory();
      const agent = arrive(new URL('/mcp', ground().publicUrl), memory);
      await expect(agent.connect()).rejects.toThrow();
      const address = memory.kept.sentTo!;
      expect(Object.fromEntries(address.searchParams)).toMatchObject({
        resource: `${ground().publicUrl}/mcp`,
        code_challenge_method: 'S256',
        scope: 'read write',
      });
      const person = ground().person();
      expect((await person.openApproval(address)).body.program).toMatchObject({ name: 'Test <b>Agent</b>' });
      const { location } = await person.approveByKey(address, admin.key);
      expect(location!.href).toContain(memory.redirectUrl);
      expect(Object.fromEntries(location!.searchParams)).toMatchObject({
        state: 'a state of its own',
        iss: ground().publicUrl,
      });
      await agent.finish(location!);
      expect(await agent.tools()).toContain('record');

      const list = (await admin.get<{ api_keys: { id: string; origin: string; name: string }[] }>('/v2/api-keys')).body;
      expect(list.api_keys[0]).toMatchObject({ name: 'Test <b>Agent</b>', origin: 'oauth', scopes: ['read', 'write'] });
      await admin.delete(`/v2/api-keys/${list.api_keys[0]!.id}`);
      await expect(agent.tools()).rejects.toThrow();
    });
  });

  it('answers with code, state and iss, and gives a key for 90 days', async () => {
    const { code, verifier, location } = await approved();
    expect(Object.fromEntries(location.searchParams)).toEqual({ code, state: 'st&te=1', iss: ground().publicUrl });
    const { status, body } = await exchange({ code, code_verifier: verifier, resource: `${ground().publicUrl}/mcp` });
    expect([status, body]).toEqual([200, expect.objectContaining({ expires_in: 90 * 86_400, scope: 'read write' })]);
    expect(await ground().statusWith(body.access_token)).toBe(200);
  });

  it('keeps the query of a redirect_uri, and takes any port of the same machine', async () => {
    const { location } = await approved(admin.key, { redirect_uri: 'https://agent.test/back?x=1' });
    expect(location.href).toMatch(/^https:\/\/agent\.test\/back\?x=1&code=/);
    const elsewhere = CALLBACK.replace('4711', '50001');
    const { code, verifier } = await approved(admin.key, { redirect_uri: elsewhere });
    expect((await exchange({ code, code_verifier: verifier, redirect_uri: CALLBACK })).status).toBe(400);
    expect((await exchange({ code, code_verifier: verifier, redirect_uri: elsewhere })).status).toBe(200);
  });

  it('gives at most what the approver holds and ticks', async () => {
    const made = await admin.post<{ key: string }>('/v2/api-keys', { name: 'no writer', scopes: ['read', 'admin'] });
    const scope = 'admin read write offline_access';
    const careful = await approved(made.body.key, { scope });
    expect((await exchange({ code: careful.code, code_verifier: careful.verifier })).body).toMatchObject({
      scope: 'read',
    });

    const { verifier, challenge } = proof();
    const scopes = ['read', 'write', 'admin'];
    const { location } = await ground()
      .person()
      .approveByKey(addressWith({ scope }, challenge), made.body.key, { scopes });
    const code = location!.searchParams.get('code')!;
    expect((await exchange({ code, code_verifier: verifier })).body).toMatchObject({ scope: 'read admin' });

    const none = await ground().person().approveByKey(addressWith(), admin.key, { scopes: [] });
    expect([none.status, none.body.details]).toEqual([
      400,
      [{ field: 'scopes', message: expect.stringContaining('Select at least one') }],
    ]);
  });

  it('makes one key of a code, and ends it when the code comes again', async () => {
    const workspace = await ground().hub.workspace();
    const { code, verifier } = await approved(workspace.key);
    const answers = await Promise.all([1, 2].map(() => exchange({ code, code_verifier: verifier })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const inState = async (state: string) =>
      (await workspace.get<{ api_keys: object[] }>(`/v2/api-keys?state=${state}`)).body.api_keys;
    expect([(await inState('revoked')).length, (await inState('active')).length]).toEqual([1, 1]);
    const { access_token } = answers.find(({ status }) => status === 200)!.body;
    expect(await ground().statusWith(access_token)).toBe(401);
  });

  it('exchanges nothing for a thief, and yet for the owner', async () => {
    const { code, verifier } = await approved();
    const other = await register(ground(), { redirect_uris: [CALLBACK] });
    const swapped = Buffer.from(code, 'base64url');
    Buffer.from((await ground().hub.workspace()).workspaceId.replaceAll('-', ''), 'hex').copy(swapped);
    const attempts: Record<string, string>[] = [
      { code, code_verifier: proof().verifier },
      { code, code_verifier: verifier, client_id: other },
      { code, code_verifier: verifier, redirect_uri: 'https://agent.test/back?x=1' },
      { code: swapped.toString('base64url'), code_verifier: verifier },
      { code: `${code.slice(0, -4)}AAAA`, code_verifier: verifier },
      { code: 'made-up', code_verifier: verifier },
    ];
    for (const fields of attempts) {
      const { status, body } = await exchange(fields);
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    }
    const wrong = { code, code_verifier: verifier, resource: 'https://elsewhere.test/mcp' };
    expect((await exchange(wrong)).body.error).toBe('invalid_target');
    expect((await exchange({ code, code_verifier: verifier })).status).toBe(200);
  });

  it('lets a code fade', async () => {
    const { code, verifier } = await approved();
    await ground().hub.database.work.run(admin.workspaceId, tx =>
      tx.query("UPDATE oauth_grants SET expires_at = now() - interval '1 second'"),
    );
    expect((await exchange({ code, code_verifier: verifier })).body.error).toBe('invalid_grant');
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ scope: 'internal' }, 'invalid_scope'],
    [{ resource: 'https://elsewhere.test/mcp' }, 'invalid_target'],
  ])('tells a client that sends %j of %s', async (fields, error) => {
    const { status, location } = await ground().person().open(addressWith(fields));
    expect(status).toBe(303);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error,
      state: 'st&te=1',
      iss: ground().publicUrl,
    });
  });

  it.each([
    [{ client_id: 'nobody' }, 'client is unknown'],
    [{ client_id: undefined }, 'Send client_id'],
    [{ redirect_uri: undefined }, 'Send redirect_uri'],
    [{ redirect_uri: `${CALLBACK}/` }, 'redirect_uri'],
    [{ redirect_uri: CALLBACK.replace('127.0.0.1', '127.0.0.1.evil.test') }, 'redirect_uri'],
    [{ redirect_uri: CALLBACK.replace('127.0.0.1', 'localhost') }, 'redirect_uri'],
    [{ redirect_uri: 'https://agent.test:8443/back?x=1' }, 'redirect_uri'],
  ])('leads nobody away for %j', async (fields, words) => {
    const { status, html, location } = await ground().person().open(addressWith(fields));
    expect([status, location, html]).toEqual([400, '', expect.stringContaining(words)]);
  });

  it('sends no browser to an address of the web before its owner has decided', async () => {
    const back = { redirect_uri: 'https://agent.test/back?x=1' };
    for (const fields of [{ scope: 'internal' }, { response_type: 'token' }, { resource: 'https://elsewhere.test' }]) {
      const { status, location } = await ground()
        .person()
        .open(addressWith({ ...back, ...fields }));
      expect([status, location]).toEqual([400, '']);
    }
  });

  it('takes no parameter twice', async () => {
    const { status, html } = await ground().person().open(`${addressWith()}&scope=read&scope=write`);
    expect([status, html]).toEqual([400, expect.stringContaining('scope occurs more than once')]);
  });

  it('tells the client when it was denied', async () => {
    const person = ground().person();
    const { location } = await person.deny(await person.openApproval(addressWith()));
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({ error: 'access_denied', state: 'st&te=1' });
  });

  it('records who approved and who denied, once they have signed in', async () => {
    const workspace = await ground().hub.workspace();
    const { code, verifier } = await approved(workspace.key);
    const { body } = await exchange({ code, code_verifier: verifier });
    const person = ground().person();
    await person.deny(await person.openApproval(addressWith()), { api_key: workspace.key });
    const actionsOf = async (query: string) => {
      const answer = await workspace.get<AuditResponse>(`/v2/workspace/audit?${query}`);
      return answer.body.events.map(({ action, actor }) => [action, actor.kind]);
    };
    expect(await actionsOf('action=sign_in')).toEqual([
      ['sign_in.deny', 'key'],
      ['sign_in.approve', 'key'],
    ]);
    expect(body.access_token).toMatch(/^rap_live_/);
    expect(await actionsOf('action=api_key.create&actor=oauth')).toEqual([['api_key.create', 'oauth']]);
  });

  it.each([
    [{}, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code' }, 'invalid_request'],
    [
      [
        ['grant_type', 'x'],
        ['grant_type', 'y'],
      ],
      'invalid_request',
    ],
  ])('answers the token request %j with %s', async (fields, error) => {
    const { status, body } = await postForm(ground(), '/oauth/token', fields as Record<string, string>);
    expect([status, body]).toEqual([400, expect.objectContaining({ error })]);
  });
}
