import { parseTrustedProxies } from '#kernel/config/trust-proxy.js';
import { readClientAddress, toNetwork } from '#kernel/limits/client-address.js';

const request = (ip: string, remoteAddress: string) =>
  ({ ip, socket: { remoteAddress } }) as Parameters<typeof readClientAddress>[0];

describe('the address of a client', () => {
  it('is the one of the connection if a forwarded text is no address', () => {
    expect(readClientAddress(request('203.0.113.9', '10.0.0.1'))).toBe('203.0.113.9');
    for (const forged of ['unknown', '<script>', '203.0.113.9:80', ''])
      expect(readClientAddress(request(forged, '10.0.0.1'))).toBe('10.0.0.1');
    expect(readClientAddress(request('::ffff:192.0.2.7', '10.0.0.1'))).toBe('192.0.2.7');
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['unknown', 'unknown'],
  ])('%s belongs to %s', (address, network) => expect(toNetwork(address)).toBe(network));
});

describe('TRUST_PROXY', () => {
  it.each([
    ['', false],
    ['0', false],
    ['2', 2],
    ['10.0.0.0/8, 2001:db8::/32', ['10.0.0.0/8', '2001:db8::/32']],
    ['loopback,192.0.2.1', ['loopback', '192.0.2.1']],
  ])('reads "%s"', (text, proxies) => expect(parseTrustedProxies(text)).toEqual({ proxies }));

  it.each(['true', 'all', '*', '11', '10.0.0.0/40', 'proxy.example.com', '-1', '1.5'])('refuses "%s"', text => {
    expect(typeof parseTrustedProxies(text)).toBe('string');
  });
});
