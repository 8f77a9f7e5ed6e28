import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { hashKey, isValidFormat, generateKey } from '#kernel/auth/key-format.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a minted key', () => {
  it('is rap_live_, 30 random digits and the CRC32 of both in six digits', () => {
    const { key } = generateKey();
    expect(key).toMatch(/^rap_live_[0-9A-Za-z]{36}$/);
    const check = Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(check).toBe(crc32(key.slice(0, -6)));
  });

  it('is known by its SHA-256, and recognised by how it begins and ends', () => {
    const { key, hash, prefix, lastFour } = generateKey();
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(hashKey(key)).toEqual(hash);
    expect(key.startsWith(prefix) && key.endsWith(lastFour)).toBe(true);
    expect(prefix).toHaveLength(13);
  });

  it('never comes twice, and uses every digit', () => {
    const keys = Array.from({ length: 500 }, () => generateKey().key);
    expect(new Set(keys).size).toBe(500);
    const digits = new Set(keys.flatMap(key => Array.from(key.slice(9, 39))));
    expect([...digits].toSorted().join('')).toBe(BASE62);
  });
});

describe('the checksum', () => {
  const key = 'rap_live_0123456789ABCDEFGHIJabcdefghij3h0lYp';

  it('accepts what the mint makes', () => {
    for (let i = 0; i < 200; i++) expect(isValidFormat(generateKey().key)).toBe(true);
  });

  it('finds every single wrong digit and every two that changed places', () => {
    const minted = generateKey().key;
    fc.assert(
      fc.property(fc.nat(35), fc.constantFrom(...BASE62), (at, digit) => {
        const place = 9 + at;
        const mistyped = minted.slice(0, place) + digit + minted.slice(place + 1);
        expect(isValidFormat(mistyped)).toBe(mistyped === minted);
      }),
    );
    fc.assert(
      fc.property(fc.nat(34), at => {
        const [before, one, two, after] = [
          minted.slice(0, 9 + at),
          minted[9 + at]!,
          minted[10 + at]!,
          minted.slice(11 + at),
        ];
        const swapped = before + two + one + after;
        expect(isValidFormat(swapped)).toBe(one === two);
      }),
    );
  });

  it('finds what is cut, lengthened or in another case', () => {
    const minted = generateKey().key;
    const wrong = [
      '',
      minted.slice(1),
      minted.slice(0, -1),
      `${minted}0`,
      ` ${minted}`,
      `${minted}\n`,
      minted.toUpperCase(),
      key,
    ];
    for (const text of wrong) expect([text, isValidFormat(text)]).toEqual([text, false]);
  });

  it('refuses any other text without failing', () => {
    fc.assert(fc.property(fc.string(), text => expect(isValidFormat(text)).toBe(false)));
  });
});
