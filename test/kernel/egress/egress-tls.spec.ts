import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type AllowlistEntries, parseEgressAllowlist } from '#kernel/egress/egress-rules.js';
import { EgressClient } from '#kernel/egress/egress.client.js';

/** A certificate that no authority has signed, and its key: they protect nothing outside this suite. */
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const cert = fixture('self-signed.cert.pem');

let requests = 0;
const server = createServer({ cert, key: fixture('self-signed.key.pem') }, (_, response) => {
  requests += 1;
  response.end('hello');
});
const portOf = () => (server.address() as AddressInfo).port;

beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => void (requests = 0));
afterAll(() => new Promise(resolve => server.close(resolve)));

/** Calls the server as a client that trusts its certificate, and returns the status. */
const callTrusting = () =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(), ca: cert, agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });

test('a server with a certificate that no authority signed receives no request', async () => {
  const entries = parseEgressAllowlist('127.0.0.1') as AllowlistEntries;
  const listed = new EgressClient({ allowlist: { setting: 'EGRESS_ALLOWLIST', entries } });
  const url = `https://127.0.0.1:${portOf()}`;
  const trusted = new EgressClient({ trustedUrls: [url] });
  for (const client of [listed, trusted]) {
    await expect(client.send({ url, body: 'secret', method: 'POST' })).rejects.toMatchObject({ fault: 'unreachable' });
    await client.close();
  }
  expect(requests).toBe(0);
  expect(await callTrusting()).toBe(200);
  expect(requests).toBe(1);
});
