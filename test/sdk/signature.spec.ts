import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { deliverWebhook } from '#sdk/testing/call-webhook.js';
import { type InboundSignature, signInbound, verifyInbound } from '#sdk/index.js';

const raw = Buffer.from('{"triggerEvent":"BOOKING_CREATED"}');
const at = new Date('2026-11-20T09:00:00Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

const kinds: Record<string, [InboundSignature, string]> = {
  'hex over the body': [{ algorithm: 'hmac-sha256', header: 'x-cal-signature-256', secretFrom: 'generated' }, 'hush'],
  'a prefix before it': [
    { algorithm: 'hmac-sha256', header: 'x-hub-signature-256', prefix: 'sha256=', secretFrom: 'generated' },
    'hush',
  ],
  'base64 of sha1': [{ algorithm: 'hmac-sha1', header: 'x-signature', encoding: 'base64', secretFrom: 'key' }, 'hush'],
  'time and body': [
    {
      algorithm: 'hmac-sha256',
      header: 'x-slack-signature',
      prefix: 'v0=',
      secretFrom: 'signing_secret',
      signed: 'v0:{timestamp}:{body}',
      timestampHeader: 'x-slack-request-timestamp',
    },
    'hush',
  ],
  'standard webhooks': [
    { algorithm: 'standard-webhooks', secretFrom: 'generated' },
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ],
};

describe('signatures of webhooks', () => {
  it.each(Object.entries(kinds))('takes what it has signed: %s', (_name, [signature, secret]) => {
    const headers = signInbound(signature, secret, { raw, id: 'evt-1', at });
    expect(verifyInbound(signature, secret, raw, headers, later(10))).toBe('ok');
    expect(verifyInbound(signature, `${secret.slice(0, -2)}AA`, raw, headers, at)).toBe('wrong');
    expect(verifyInbound(signature, secret, Buffer.from('{}'), headers, at)).toBe('wrong');
    expect(verifyInbound(signature, secret, raw, {}, at)).toBe('missing');
  });

  it('refuses what was signed long ago, or ahead of time, where the time is signed', () => {
    for (const name of ['time and body', 'standard webhooks']) {
      const [signature, secret] = kinds[name]!;
      const headers = signInbound(signature, secret, { raw, id: 'evt-1', at });
      expect(verifyInbound(signature, secret, raw, headers, later(301))).toBe('stale');
      expect(verifyInbound(signature, secret, raw, headers, later(-301))).toBe('stale');
    }
  });

  it('agrees with the published example of standard webhooks', () => {
    const [signature, secret] = kinds['standard webhooks']!;
    const body = Buffer.from('{"test": 2432232314}');
    const content = { raw: body, id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_000) };
    const headers = signInbound(signature, secret, content);
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
    expect(verifyInbound(signature, secret, body, rotated, content.at)).toBe('ok');
  });

  it('reads hex in capital letters', () => {
    const [signature, secret] = kinds['hex over the body']!;
    const [[name, value]] = Object.entries(signInbound(signature, secret, { raw, id: '', at })) as [[string, string]];
    expect(verifyInbound(signature, secret, raw, { [name]: value.toUpperCase() }, at)).toBe('ok');
  });
});

it.each([
  { algorithm: 'standard-webhooks', secretFrom: 'generated' },
  { algorithm: 'hmac-sha256', header: 'x-signature', encoding: 'base64', secretFrom: 'generated' },
] as const)('the harness refuses what nobody has signed: $algorithm', signature => {
  const manifest = { id: 'acme', inbound: { post: { signature } } } as unknown as PluginManifest;
  const secrets = { generated: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
  const answer = (signed: boolean) =>
    deliverWebhook(manifest, 'post', secrets, new Date(), { a: 1 }, { signed }).response;
  expect([answer(true).status, answer(false).status]).toEqual([200, 401]);
});
