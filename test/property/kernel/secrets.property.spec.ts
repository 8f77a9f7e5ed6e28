import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import {
  UnsealError,
  type SecretContext,
  SecretBox,
  parseSecretKeys,
  type SecretKey,
  formatSecretKeys,
} from '#kernel/secrets/secret-box.js';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(key => createSecretKey(key));
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
const ring: fc.Arbitrary<SecretKey[]> = fc.uniqueArray(fc.record({ id, key: bytes }), {
  minLength: 1,
  maxLength: 4,
  selector: key => key.id,
});
const place: fc.Arbitrary<SecretContext> = fc.record({ workspace: fc.uuid(), owner: fc.uuid(), field: fc.string() });
// The beginning keeps a secret from being a part of a key's ID or of a stack trace by chance.
const secretText = fc.stringMatching(/^[!-~]{8,40}$/).map(drawn => `secret=${drawn}`);
const text = fc.string({ unit: 'grapheme' }).map(given => given.toWellFormed());

test('what was sealed opens again, for its place, whatever its content', () => {
  fc.assert(
    fc.property(ring, place, text, (keys, where, secret) => {
      const box = new SecretBox(keys);
      expect(box.open(where, box.seal(where, secret))).toBe(secret);
    }),
  );
});

test('no part of the text stands in what was sealed, and no two sealed texts are alike', () => {
  fc.assert(
    fc.property(ring, place, secretText, (keys, where, secret) => {
      const box = new SecretBox(keys);
      const [one, other] = [box.seal(where, secret), box.seal(where, secret)];
      expect(one).not.toBe(other);
      expect(one).not.toContain(secret);
      expect(Buffer.from(one.split(':')[2]!, 'base64url').toString('latin1')).not.toContain(secret);
    }),
  );
});

test('a key with the same ID but other bytes opens nothing, and says so', () => {
  fc.assert(
    fc.property(ring, place, text, bytes, (keys, where, secret, other) => {
      const sealed = new SecretBox(keys).seal(where, secret);
      const swapped = new SecretBox([{ id: keys[0]!.id, key: other }]);
      fc.pre(!other.equals(keys[0]!.key));
      expect(new SecretBox(keys).canOpen(where, sealed)).toBe(true);
      expect(swapped.canOpen(where, sealed)).toBe(false);
      expect(swapped.canOpen(where, 'no sealed text')).toBe(false);
    }),
  );
});

test('it opens at no other place', () => {
  fc.assert(
    fc.property(ring, place, place, text, (keys, where, elsewhere, secret) => {
      fc.pre(JSON.stringify(where) !== JSON.stringify(elsewhere));
      const box = new SecretBox(keys);
      const sealed = box.seal(where, secret);
      for (const field of ['workspace', 'owner', 'field'] as const) {
        if (where[field] === elsewhere[field]) continue;
        expect(() => box.open({ ...where, [field]: elsewhere[field] }, sealed)).toThrow(UnsealError);
      }
    }),
  );
});

test('whichever byte is changed, it is noticed, and the error holds nothing of the text', () => {
  fc.assert(
    fc.property(ring, place, secretText, fc.nat(), (keys, where, secret, at) => {
      const box = new SecretBox(keys);
      const [, keyId, encoded] = box.seal(where, secret).split(':') as [string, string, string];
      const changed = Buffer.from(encoded, 'base64url');
      changed[at % changed.length]! ^= 1 << (at % 8);
      const attempt = () => box.open(where, `sealed:${keyId}:${changed.toString('base64url')}`);
      expect(attempt).toThrow(UnsealError);
      try {
        attempt();
      } catch (error) {
        expect(`${(error as Error).stack}`).not.toContain(secret);
      }
    }),
  );
});

test('another key under the same id opens nothing; a key that is gone is named', () => {
  fc.assert(
    fc.property(id, bytes, bytes, place, text, (keyId, key, other, where, secret) => {
      fc.pre(!key.equals(other));
      const sealed = new SecretBox([{ id: keyId, key }]).seal(where, secret);
      expect(() => new SecretBox([{ id: keyId, key: other }]).open(where, sealed)).toThrow(UnsealError);
      expect(() => new SecretBox([{ id: `${keyId.slice(1)}!`, key }]).open(where, sealed)).toThrow(`"${keyId}"`);
    }),
  );
});

test('after a new key came first, the old ones still open, and resealing needs only the new one', () => {
  fc.assert(
    fc.property(ring, bytes, place, text, (keys, key, where, secret) => {
      const before = new SecretBox(keys);
      const now = new SecretBox([{ id: 'newest-key', key }, ...keys]);
      const sealed = before.seal(where, secret);
      expect([now.isCurrent(sealed), now.open(where, sealed)]).toEqual([false, secret]);
      const again = now.reseal(where, sealed);
      expect(now.isCurrent(again)).toBe(true);
      expect(new SecretBox([{ id: 'newest-key', key }]).open(where, again)).toBe(secret);
    }),
  );
});

test('SECRET_KEYS reads back what was written', () => {
  fc.assert(
    fc.property(ring, keys => {
      const again = parseSecretKeys(formatSecretKeys(keys)) as SecretKey[];
      expect(again.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
      expect(again.every(({ key }, n) => key.equals(keys[n]!.key))).toBe(true);
    }),
  );
});

test('a value that is no list of keys is refused by a sentence that repeats nothing of it', () => {
  const good = Buffer.alloc(32, 7).toString('base64');
  for (const bad of ['', good, `a:${good.slice(4)}`, `a:${good},b`, `a b:${good}`, `:${good}`, `a:${good},a:${good}`]) {
    const problem = parseSecretKeys(bad);
    expect(typeof problem).toBe('string');
    expect(problem).not.toContain(good.slice(4, 20));
  }
});
