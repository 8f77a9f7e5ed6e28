import { EgressClient } from '#kernel/egress/egress.client.js';
import { CLIENT_DOCUMENTS_EGRESS } from '#auth-server/clients/client-document.cache.js';
import { MAX_UNUSED_CLIENTS } from '#auth-server/clients/registered-client.store.js';
import { OAuthSweeper } from '#auth-server/oauth/oauth.sweeper.js';
import { isRegisteredRedirectUri, findRedirectUriProblem } from '#auth-server/clients/oauth-client.js';
import { type FakeWeb, startFakeWeb } from '../fakes/fake-web.js';
import { type OAuthGround, post } from './oauth.fixture.js';

const CALLBACK = 'http://localhost:3118/callback';
/** The origin of the documents of clients. */
const AGENT_HOST = 'https://agent.test';

/** Who clients are: those that register, and those whose host vouches for them. */
export function clientCases(ground: () => OAuthGround): void {
  describe('a registration', () => {
    it('returns an ID and no secret', async () => {
      const metadata = { client_name: ' Cursor\n', redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] };
      const { status, body } = await post(ground(), '/oauth/register', metadata);
      expect(status).toBe(201);
      expect(body).toEqual({
        client_id: expect.stringMatching(/^rap_client_[\w-]{22}$/),
        client_id_issued_at: expect.any(Number),
        client_name: 'Cursor',
        redirect_uris: metadata.redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    });

    it('is open however many clients wait: the oldest unused one gives way', async () => {
      const { work } = ground().hub.database;
      const register = async () => {
        const { body } = await post(ground(), '/oauth/register', { redirect_uris: [CALLBACK] });
        return body as unknown as { client_id: string };
      };
      const ids = async (ofThese: string[]) =>
        (
          await work.system(tx =>
            tx.query<{ id: string }>('SELECT id FROM oauth_clients WHERE id = ANY ($1)', [ofThese]),
          )
        ).map(({ id }) => id);
      await work.system(tx =>
        tx.query(
          `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, used_at)
           SELECT 'flood-' || n, 'x', '{}', now() - interval '1 day' + make_interval(secs => n), CASE WHEN n = 0 THEN now() END
           FROM generate_series(0, $1::int) AS n`,
          [MAX_UNUSED_CLIENTS],
        ),
      );
      const { client_id } = await register();
      expect(await ids([client_id, 'flood-0', 'flood-1', 'flood-9999'])).toEqual(
        expect.arrayContaining([client_id, 'flood-0', 'flood-9999']),
      );
      expect(await ids(['flood-1'])).toEqual([]);
      const [unused] = await work.system(tx =>
        tx.query<{ count: number }>('SELECT count(*)::int AS count FROM oauth_clients WHERE used_at IS NULL'),
      );
      expect(unused!.count).toBe(MAX_UNUSED_CLIENTS);
      await work.system(tx => tx.query("DELETE FROM oauth_clients WHERE id LIKE 'flood-%'"));
    });

    it.each<[string, unknown]>([
      ['nothing', {}],
      ['a list', []],
      ['no JSON', '{"redirect_uris":'],
      ['no address', { redirect_uris: [] }],
      ['a text', { redirect_uris: 'https://a.test' }],
      ['words for an address', { redirect_uris: ['not an address'] }],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }],
      ['plain http', { redirect_uris: ['http://agent.test/callback'] }],
      ['a fragment', { redirect_uris: ['https://agent.test/#x'] }],
      ['too many', { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://agent.test/${i}`) }],
      ['too long', { redirect_uris: [`https://agent.test/${'x'.repeat(2_000)}`] }],
      ['no code', { redirect_uris: [CALLBACK], response_types: ['token'] }],
    ])('refuses %s', async (_, metadata) => {
      const { status, body } = await post(ground(), '/oauth/register', metadata);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: expect.stringMatching(/^invalid_(?:client_metadata|request|json)$/) });
    });

    it('is forgotten when nobody has approved it within a week', async () => {
      const { body } = await post(ground(), '/oauth/register', { redirect_uris: [CALLBACK] });
      const { work } = ground().hub.database;
      await work.system(tx => tx.query("UPDATE oauth_clients SET created_at = now() - interval '8 days'"));
      await work.system(tx => tx.query('UPDATE oauth_clients SET used_at = now() WHERE id <> $1', [body['client_id']]));
      expect(await ground().hub.app.get(OAuthSweeper, { strict: false }).sweep()).toBe(1);
      await work.system(tx => tx.query('UPDATE oauth_clients SET created_at = now()'));
    });
  });

  describe('an address as client_id', () => {
    let host: FakeWeb;
    let document: (own: string) => unknown;
    let type: string;
    let status: number;
    let giveBack: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      host = await startFakeWeb((seen, response) => {
        response.writeHead(status, { 'content-type': type, location: '/elsewhere' });
        const output = document(`${AGENT_HOST}${seen.url}`);
        response.end(typeof output === 'string' ? output : JSON.stringify(output));
      });
    });
    beforeAll(() => {
      // Documents come from public hosts only, so a server on loopback plays the public host of these.
      const egress = ground().hub.app.get<EgressClient>(CLIENT_DOCUMENTS_EGRESS, { strict: false });
      const local = new EgressClient({ trustedUrls: [host.url] });
      const send = egress.send.bind(egress);
      egress.send = request =>
        request.url.startsWith(`${AGENT_HOST}/`)
          ? local.send({ ...request, url: request.url.replace(AGENT_HOST, host.url) })
          : send(request);
      giveBack = async () => {
        egress.send = send;
        await local.close();
      };
    });
    afterAll(async () => {
      await giveBack?.();
      await host.close();
    });
    beforeEach(() => {
      document = own => ({ client_id: own, client_name: 'Hosted agent', redirect_uris: [CALLBACK] });
      type = 'application/json';
      status = 200;
    });

    const addressOf = (client_id: string, redirect_uri = CALLBACK) =>
      `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })}`;
    const open = (client_id: string) => ground().person().open(addressOf(client_id));

    it('names the client and the host that vouches for it, and is fetched once', async () => {
      for (const redirect of [CALLBACK, CALLBACK.replace('3118', '9')]) {
        const { body } = await ground()
          .person()
          .openApproval(addressOf(`${AGENT_HOST}/once`, redirect));
        expect(body.program).toMatchObject({
          name: 'Hosted agent',
          verified_by: 'agent.test',
          redirect_uri: redirect,
        });
      }
      expect(host.seen.filter(({ url }) => url === '/once')).toHaveLength(1);
    });

    it.each<[string, () => void]>([
      ['a redirect', () => (status = 302)],
      ['no success', () => (status = 404)],
      ['another type', () => (type = 'text/html')],
      ['no JSON', () => (document = () => '{"client_id":')],
      ['a list', () => (document = () => [])],
      ['another id', () => (document = own => ({ client_id: `${own}x`, redirect_uris: [CALLBACK] }))],
      ['a secret', () => (document = own => ({ client_id: own, client_secret: 'x', redirect_uris: [CALLBACK] }))],
      ['no redirect_uris', () => (document = own => ({ client_id: own }))],
      ['too much', () => (document = own => ({ client_id: own, redirect_uris: [CALLBACK], x: 'x'.repeat(20_000) }))],
    ])('is refused when its host answers with %s', async (what, set) => {
      set();
      const shown = await open(`${AGENT_HOST}/${encodeURIComponent(what)}`);
      expect([shown.status, shown.html]).toEqual([400, expect.stringContaining('client_id cannot be used')]);
    });

    it.each(['https://192.168.0.1/client', 'https://[::1]/client', 'https://localhost:1/client'])(
      'reaches nothing private: %s',
      async id => {
        const shown = await open(id);
        expect([shown.status, shown.html]).toEqual([400, expect.stringContaining('cannot be fetched')]);
      },
    );

    it.each([
      'http://agent.test/client',
      'http://127.0.0.1/client',
      'http://localhost/client',
      'https://agent.test/',
      'https://agent.test/a/../b',
      'https://a:b@agent.test/c',
    ])('is refused by its form: %s', async id => expect((await open(id)).status).toBe(400));
  });

  it('knows where answers may go', () => {
    const registered = ['http://127.0.0.1/cb', 'http://[::1]:80/cb?a=1', 'com.agent:/cb', 'https://agent.test/cb'];
    for (const uri of ['http://127.0.0.1:1/cb', 'http://[::1]:65535/cb?a=1', 'com.agent:/cb', 'https://agent.test/cb'])
      expect([uri, isRegisteredRedirectUri(uri, registered)]).toEqual([uri, true]);
    for (const uri of [
      'http://127.0.0.1:1/cb/',
      'http://127.0.0.1:1/cb?x',
      'http://127.0.0.1:1@evil.test/cb',
      'http://localhost/cb',
      'https://127.0.0.1/cb',
      'https://agent.test:444/cb',
      'https://AGENT.test/cb',
      'com.agent:/cb2',
    ])
      expect([uri, isRegisteredRedirectUri(uri, registered)]).toEqual([uri, false]);
    for (const uri of ['data:text/html,x', 'blob:https://a.test/x', 'wss://a.test', 'view-source:https://a.test'])
      expect([uri, findRedirectUriProblem(uri)]).toEqual([uri, expect.any(String)]);
  });
}
