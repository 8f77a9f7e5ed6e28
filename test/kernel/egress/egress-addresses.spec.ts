import { createServer, type Server, type AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { parseEgressAllowlist, type AllowlistEntries, EgressRules, HostResolver } from '#kernel/egress/egress-rules.js';
import { EgressRefusedError } from '#kernel/egress/egress-errors.js';
import { EgressClient } from '#kernel/egress/egress.client.js';

const allowing = (text: string) => ({
  allowlist: { setting: 'EGRESS_ALLOWLIST', entries: parseEgressAllowlist(text) as AllowlistEntries },
});

/** Listens on every address of this machine; whoever connects has got past the guard. */
let canary: Server;
let port: number;
let hits = 0;

beforeAll(async () => {
  canary = createServer(socket => {
    hits++;
    socket.destroy();
  });
  await new Promise<void>(resolve => canary.listen(0, '::', resolve));
  ({ port } = canary.address() as AddressInfo);
});
afterAll(() => new Promise(resolve => canary.close(resolve)));

const spellings = [
  '127.0.0.1 127.0.0.2 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.1 017700000001',
  '0177.0x0.0.1 127.0.0.1. 127.1. 0 0.0.0.0 0x0 00 １２７.０.０.１ ①②⑦.0.0.1 127。0。0。1 127%2e0%2e0%2e1 %31%32%37.0.0.1',
  '[::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::]',
  '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 0xa9fea9fe 2852039166 100.64.0.1 192.0.0.8',
  '198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 192.0.2.1 198.51.100.7 203.0.113.9 [fc00::1] [fd00:ec2::254]',
  '[fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [5f00::1] [100::1] [2001::1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]',
  'localhost LOCALHOST LocalHost',
]
  .join(' ')
  .trim()
  .split(/\s+/);

test('there are at least forty spellings', () => expect(new Set(spellings).size).toBeGreaterThanOrEqual(60));

test.each(spellings)('%s is refused, over http and https, and nobody connects', async host => {
  const client = new EgressClient(allowing(''));
  for (const scheme of ['http', 'https']) {
    const sent = client.send({ url: `${scheme}://${host}:${port}/`, timeoutMs: 3_000 });
    await expect(sent).rejects.toBeInstanceOf(EgressRefusedError);
  }
  expect(hits).toBe(0);
  await client.close();
});

test.each([
  'http://u:p@example.com/',
  'https://example.com:22/',
  'https://example.com:6379x/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  'https://',
  '//example.com',
  'gopher://example.com/',
  'unix:/var/run/x.sock',
  `https://example.com/${'x'.repeat(5000)}`,
  'http://8.8.8.8/',
  'https://8.8.8.8:25/',
])('%s is no address that can be called', async url => {
  const client = new EgressClient(allowing(''));
  await expect(client.check(url)).rejects.toBeInstanceOf(EgressRefusedError);
  await expect(client.send({ url })).rejects.toBeInstanceOf(EgressRefusedError);
});

test.each(['https://example.com/', 'https://example.com:8443/x?y=z', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])(
  '%s can be called',
  url => expect(new EgressRules(allowing('')).parseDestination(url).href).toBe(url),
);

describe('a name', () => {
  /** Resolves to each of these in turn, and counts how often it was asked. */
  function resolving(...answers: string[][]) {
    const requests = { times: 0 };
    const resolve = (_: string, found: (error: null, addresses: LookupAddress[]) => void) => {
      const addresses = answers[Math.min(requests.times++, answers.length - 1)]!;
      found(
        null,
        addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    const resolver = new HostResolver();
    resolver.resolve = resolve;
    return { asked: requests, resolver };
  }

  test.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['fd00::1'],
    ['0.0.0.0'],
  ])('that leads to %s is refused', async address => {
    const client = new EgressClient(allowing(''), resolving([address]).resolver);
    await expect(client.send({ url: `https://evil.example:${port}/` })).rejects.toThrow(/not public/);
    expect(hits).toBe(0);
  });

  test.each([
    [['127.0.0.1'], /not public.*operator of this hub to add the host to EGRESS_ALLOWLIST/],
    [['10.0.0.1', 'fd00::1'], /not public/],
    [['8.8.8.8', '10.0.0.1'], undefined],
    [['8.8.8.8'], undefined],
  ])('that resolves to %p is judged without being called', async (addresses, refusal) => {
    const { asked: response, resolver } = resolving(addresses);
    const client = new EgressClient(allowing(''), resolver);
    const checked = client.check('https://name.example/');
    if (refusal) await expect(checked).rejects.toThrow(refusal);
    else expect((await checked).href).toBe('https://name.example/');
    expect(response.times).toBe(1);
    await client.close();
  });

  test.each(['EAI_AGAIN', 'ENOTFOUND', 'ESERVFAIL'])(
    'that the resolver fails on with %s is no forbidden one',
    async code => {
      const resolver = new HostResolver();
      resolver.resolve = (_, found) => found(Object.assign(new Error('no answer'), { code }), []);
      const client = new EgressClient(allowing(''), resolver);
      expect((await client.check('https://name.example/')).hostname).toBe('name.example');
      await expect(client.send({ url: 'https://name.example/' })).rejects.toMatchObject({ fault: 'unreachable' });
      await client.close();
    },
  );

  test('is resolved once: what it would say the second time does not matter', async () => {
    const { asked: requested, resolver } = resolving(['192.0.2.1', '198.51.100.1'], ['127.0.0.1']);
    const client = new EgressClient(allowing('192.0.2.0/24'), resolver);
    await expect(client.send({ url: `http://rebind.example:${port}/`, timeoutMs: 300 })).rejects.toThrow(
      /no complete response|no response/,
    );
    expect({ asked: requested.times, hits }).toEqual({ asked: 1, hits: 0 });
    await client.close();
  });

  test('that leads to a public and a private address is not called at the private one', async () => {
    const { resolver } = resolving(['127.0.0.1', '192.0.2.1']);
    const client = new EgressClient(allowing('192.0.2.1'), resolver);
    await expect(client.send({ url: `http://both.example:${port}/`, timeoutMs: 300 })).rejects.toThrow();
    expect(hits).toBe(0);
    await client.close();
  });

  test('over plain http a public address is refused as well', async () => {
    const client = new EgressClient(allowing(''), resolving(['8.8.8.8']).resolver);
    await expect(client.send({ url: 'http://public.example/' })).rejects.toThrow(/Only https/);
  });
});

describe('what the operator allows', () => {
  const reaches = async (allow: string, url: string, trusted?: string) => {
    const before = hits;
    const client = new EgressClient({ ...allowing(allow), trustedUrls: trusted ? [trusted] : [] });
    await client.send({ url, timeoutMs: 3_000 }).catch(() => undefined);
    await client.close();
    return hits > before;
  };

  test('is reached by address, network and name', async () => {
    for (const allow of ['127.0.0.1', '127.0.0.0/8', '10.0.0.1, 127.0.0.1/32'])
      expect(await reaches(allow, `http://127.1:${port}/`)).toBe(true);
    expect(await reaches('127.0.0.1', `http://localhost:${port}/`)).toBe(true);
    expect(await reaches('localhost', `http://localhost:${port}/`)).toBe(true);
    expect(await reaches('', `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/v1`)).toBe(true);
  });

  test('opens nothing else', async () => {
    expect(await reaches('127.0.0.2, 10.0.0.0/8', `http://127.0.0.1:${port}/`)).toBe(false);
    expect(await reaches('localhost', `http://127.0.0.1:${port}/`)).toBe(false);
    expect(await reaches('', `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port + 1}`)).toBe(false);
    expect(await reaches('', `http://localhost:${port}/`, `http://127.0.0.1:${port}`)).toBe(false);
  });
});
