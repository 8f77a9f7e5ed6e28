import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  toSigningKey,
  generateSecret,
  signContent,
  buildSignatureHeaders,
} from '../../../plugins/triggers/src/send.js';

interface Vector {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
  readonly signature: string;
}

describe('signatures', () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../vectors/triggers/signatures.json', import.meta.url), 'utf8'),
  ) as Vector[];

  it.each(vectors)('of $id are those of Standard Webhooks', ({ secret, signature, ...signed }) => {
    expect(signContent(secret, signed)).toBe(signature);
  });

  it('are verified by another implementation, of every secret that is valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), fc.integer({ min: 1, max: 3 }), (text, id, count) => {
        const body = JSON.stringify({ text });
        const secrets = Array.from({ length: count }, generateSecret);
        const headers = buildSignatureHeaders(secrets, {
          id: `msg_${id}`,
          timestamp: Math.floor(Date.now() / 1000),
          body,
        });
        for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
        expect(() => new Webhook(generateSecret()).verify(body, headers)).toThrow('signature');
      }),
      { numRuns: 25 },
    );
  });

  it('do not fit when a byte is another one, in the body, the id, the time or the signature', () => {
    const secret = generateSecret();
    const body = JSON.stringify({ type: 'reply.received', data: { value: 'yes' } });
    const headers = buildSignatureHeaders([secret], { id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body });
    const other = (text: string, at: number) =>
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
    const verify = (sent: string, given: Record<string, string>) => new Webhook(secret).verify(sent, given);
    expect(verify(body, headers)).toBeDefined();
    for (let at = 0; at < body.length; at++) expect(() => verify(other(body, at), headers)).toThrow();
    for (const [name, value] of Object.entries(headers)) {
      // The last character of base64 holds bits that stand for nothing.
      for (let at = 0; at < value.length - 2; at++) {
        expect(() => verify(body, { ...headers, [name]: other(value, at) })).toThrow();
      }
    }
  });

  it('take keys of 24 to 64 bytes alone', () => {
    for (const bytes of [0, 1, 23, 65, 100]) {
      expect(() => toSigningKey(`whsec_${Buffer.alloc(bytes, 7).toString('base64')}`)).toThrow(RangeError);
    }
    expect(toSigningKey(generateSecret()).symmetricKeySize).toBe(32);
  });
});
