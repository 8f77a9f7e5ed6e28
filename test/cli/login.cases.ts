import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { BrowserUser } from '../support/network/browser-user.js';
import type { Place } from './cli.fixture.js';

/** Signing in by a code that somebody approves elsewhere. */
export function loginCases(place: Place): void {
  it('saves the key that a person granted in a browser, and revokes it when it signs out', async () => {
    const env = { RAPPORT_API_KEY: '' };
    let code: string | undefined;
    let approved: Promise<unknown> | undefined;
    const received = (text: string) => {
      code ??= /user_code=([A-Z]{4}-[A-Z]{4})/.exec(text)?.[1];
      if (code !== undefined) approved ??= approve(place, code);
    };
    const signedIn = await place.home.run(['login', '--name', 'night-desk', '--json'], { env, heard: received });
    await approved;
    expect(signedIn).toMatchObject({ exit: 0, err: expect.stringContaining(`  ${code}\n`) });
    const file = path.join(place.home.env['XDG_CONFIG_HOME']!, 'rapport/credentials.json');
    const { api_key, key_id } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(JSON.parse(signedIn.out)).toMatchObject({ key_id, workspace: { id: place.acme.workspaceId } });
    expect(signedIn.out + signedIn.err).not.toContain(api_key);
    const { api_keys } = (await place.acme.get<{ api_keys: { id: string }[] }>('/v2/api-keys')).body;
    expect(api_keys.find(({ id }) => id === key_id)).toMatchObject({
      origin: 'cli',
      scopes: ['read', 'write'],
      name: 'Rapport CLI (night-desk)',
    });
    expect((await place.home.run(['logout'], { env })).out).toContain('the key is revoked');
    expect((await place.home.run(['whoami'], { env: { RAPPORT_API_KEY: api_key! } })).exit).toBe(3);
  });

  it.each([
    ['denied', [{ error: 'authorization_pending' }, { error: 'access_denied' }], 5, 'was denied'],
    ['left alone', [{ error: 'expired_token' }], 1, 'in time'],
    ['asked of a hub that has none', undefined, 1, 'login --key'],
  ])('says so when it is %s', async (_, answers, exit, sentence) => {
    const hub = await fakeHub(answers);
    const { err, ...end } = await place.home.run(['login', '--base-url', hub.url, '--no-browser']);
    await hub.close();
    expect({ ...end, err }).toEqual({ exit, out: '', err: expect.stringContaining(sentence) });
  });

  it('waits as long as a busy hub asks, and tells it who calls', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['x-rapport-client']?.toString(), request.headers['idempotency-key']?.toString());
      if (seen.length === 2) response.writeHead(503, { 'retry-after': '0' }).end('{}');
      else response.end('{"entity_id":null,"recorded":1,"duplicates":0,"claims_recomputed":[]}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const output = await place.home.run(['record', 'a@b.com', 'title=CTO', '--base-url', url]);
    server.close();
    expect(output).toMatchObject({ exit: 0, out: expect.stringContaining('Recorded 1 observation') });
    expect(seen).toEqual([expect.stringMatching(/^cli\//), expect.any(String), seen[0], seen[1]]);
  });
}

async function approve(place: Place, code: string): Promise<void> {
  const { publicUrl } = place.hub.app.get<Env>(ENV, { strict: false });
  const person = new BrowserUser(place.hub.url, publicUrl);
  await person.approveByKey(`/approve?user_code=${code}`, place.acme.key);
}

/** A hub that gives codes without a pause, and answers questions for the key in this order. */
async function fakeHub(answers: readonly object[] | undefined) {
  const left = [...(answers ?? [])];
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (answers === undefined) return answer(404, { error: 'not_found' });
    if (request.url === '/.well-known/oauth-authorization-server') {
      return answer(200, { device_authorization_endpoint: `${url}/device`, token_endpoint: `${url}/token` });
    }
    if (request.url === '/token') return answer(400, left.shift()!);
    return answer(200, { device_code: 'd', user_code: 'ABCD-EFGH', verification_uri: `${url}/go`, interval: 0 });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
