import fc from 'fast-check';
import { JsonScanner, type ScanExcess } from '#kernel/http/json.scanner.js';

const NO_LIMITS = { maxDepth: 1_000, maxNames: Infinity, maxMembers: Infinity, maxValues: Infinity };

/** Depth, names and values of a parsed text, counted the plain way; a list or object that is empty counts once more. */
function count(value: unknown): { depth: number; names: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, names: 0, values: 1 };
  const inner = Object.values(value).map(count);
  const sum = (pick: (each: ReturnType<typeof count>) => number) => inner.reduce((all, each) => all + pick(each), 0);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    names: sum(({ names }) => names) + (Array.isArray(value) ? 0 : inner.length),
    values:
      1 +
      Math.max(
        1,
        sum(({ values }) => values),
      ),
  };
}

function scan(text: string, limits: Partial<typeof NO_LIMITS>, slice = Infinity): ScanExcess | undefined {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(bytes, { ...NO_LIMITS, ...limits });
  for (let from = 0; from < bytes.length; from += slice) {
    const excess = scanner.scan(from, Math.min(from + slice, bytes.length));
    if (excess) return excess;
  }
  return undefined;
}

const slices = fc.integer({ min: 1, max: 40 });

describe('JsonScanner', () => {
  it('finds as many levels, names and values as the parser builds, however the text is cut', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), slices, (text, slice) => {
        const { depth, names, values } = count(JSON.parse(text));
        const exact = { maxDepth: depth, maxNames: names, maxValues: values };
        expect(scan(text, exact, slice)).toBeUndefined();
        if (depth > 0) expect(scan(text, { maxDepth: depth - 1 }, slice)?.bound).toBe('depth');
        if (names > 0) expect(scan(text, { maxNames: names - 1 }, slice)?.bound).toBe('names');
        if (values > 1) expect(scan(text, { maxValues: values - 1 }, slice)?.bound).toBe('values');
      }),
    );
  });

  it('flags every text with a NUL or half a surrogate pair, and every reserved name', () => {
    const oddities = fc.constantFrom('\\u0000', '\\ud800', '\\uDFFF', '\\uDabc');
    fc.assert(
      fc.property(fc.string(), oddities, slices, (before, oddity, slice) => {
        const bytes = Buffer.from(`[${JSON.stringify(before).slice(0, -1)}${oddity}"]`);
        const scanner = new JsonScanner(bytes, NO_LIMITS);
        for (let from = 0; from < bytes.length; from += slice) scanner.scan(from, Math.min(from + slice, bytes.length));
        expect(scanner.mayHoldUnstorableText).toBe(true);
      }),
    );
    for (const name of ['__proto__', 'constructor', '\\u005f_proto__', 'c\\u006fnstructor']) {
      const bytes = Buffer.from(`{"a":[{"${name}":{}}]}`);
      const scanner = new JsonScanner(bytes, NO_LIMITS);
      scanner.scan(0, bytes.length);
      expect(scanner.mayHoldReservedName).toBe(true);
    }
  });

  it('flags every number beyond what JSON numbers can hold, however the text is cut', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 300, maxLength: 330 });
    const exponents = fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('e', 'E', 'e+'));
    const numbers = fc.oneof(
      digits.map(text => `1${text}`),
      fc.tuple(exponents, fc.nat(999)).map(([[n, e], power]) => `${Math.trunc(n % 1e6)}.5${e}${power}`),
      fc.integer().map(String),
    );
    fc.assert(
      fc.property(numbers, slices, (number, slice) => {
        const bytes = Buffer.from(`{"a":[true,${number}]}`);
        const scanner = new JsonScanner(bytes, NO_LIMITS);
        for (let from = 0; from < bytes.length; from += slice) scanner.scan(from, Math.min(from + slice, bytes.length));
        if (!Number.isFinite(JSON.parse(number))) expect(scanner.mayHoldInfinity).toBe(true);
      }),
    );
  });

  it('flags no plain text and no plain name', () => {
    const text = JSON.stringify({ proto: '__proto__ constructor', a: '\n é 漢 \\u0000 1e400', n: [1.5, 2e9, true] });
    const bytes = Buffer.from(text);
    const scanner = new JsonScanner(bytes, NO_LIMITS);
    scanner.scan(0, bytes.length);
    expect([scanner.mayHoldReservedName, scanner.mayHoldUnstorableText]).toEqual([false, false]);
    expect(scanner.mayHoldInfinity).toBe(false);
  });

  it('counts the members of one object, and no items of a list', () => {
    const text = '[{"a":1,"b":[1,2,3]},{"c":{"d":1,"e":2,"f":3}},1,2]';
    expect(scan(text, { maxMembers: 3 })).toBeUndefined();
    expect(scan(text, { maxMembers: 2 })).toEqual({ bound: 'members' });
  });

  it('stops at the first value that is too deep and names it', () => {
    const bytes = Buffer.from(`{"a":1,"b c":[0,{"d":${'['.repeat(1_000_000)}`);
    const scanner = new JsonScanner(bytes, { ...NO_LIMITS, maxDepth: 5 });
    expect(scanner.scan(0, bytes.length)).toEqual({ bound: 'depth', path: 'b c[1].d[0][0]' });
  });

  it('never throws, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 4 }), (bytes, maxDepth) => {
        new JsonScanner(bytes, { maxDepth, maxNames: 5, maxMembers: 3, maxValues: 5 }).scan(0, bytes.length);
      }),
    );
    const brackets = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', ',', ':', '\\', 'u', '0') });
    fc.assert(fc.property(brackets, slices, (text, slice) => void scan(text, { maxDepth: 3 }, slice)));
  });
});
