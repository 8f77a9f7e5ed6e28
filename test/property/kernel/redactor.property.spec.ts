import fc from 'fast-check';
import { redactError } from '#kernel/egress/egress-errors.js';
import { redactDeep, createRedactor } from '#kernel/egress/redactor.js';

/** Anything that could be a secret: printable, long enough, and not made of what a redacted text is made of. */
const secret = fc.string({ minLength: 8, maxLength: 60 }).filter(text => new Set(text).size > 5 && text.isWellFormed());

test('a secret stands in no redacted text, however it travels there', () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
      const redact = createRedactor([hidden]);
      const carriers = [
        hidden,
        encodeURIComponent(hidden),
        new URLSearchParams({ k: hidden }).toString().slice(2),
        JSON.stringify(hidden).slice(1, -1),
        Buffer.from(`${hidden}`).toString('base64'),
        Buffer.from(`user:${hidden}`).toString('base64'),
        Buffer.from(`${before}:${hidden}:x`).toString('base64url'),
      ];
      for (const carried of carriers) {
        const text = redact(`${before}${carried}${after}`);
        expect(text).toContain('[hidden]');
        expect(text).not.toContain(hidden);
      }
    }),
  );
});

test('nothing of an error, a nested value or the name of a field escapes', () => {
  fc.assert(
    fc.property(secret, hidden => {
      const error = Object.assign(new Error(`refused ${hidden}`, { cause: new Error(hidden) }), { url: `x?${hidden}` });
      const clean = redactDeep(createRedactor([hidden]), {
        error,
        list: [{ [hidden]: [hidden] }],
        date: new Date(0),
        n: 1,
      });
      expect(JSON.stringify(clean)).not.toContain(JSON.stringify(hidden).slice(1, -1));
      expect(clean).toMatchObject({ n: 1, error: { type: 'Error' } });
    }),
  );
});

test('an error without a secret is the very same; with one, a copy that is as good', () => {
  fc.assert(
    fc.property(secret, fc.boolean(), fc.boolean(), (hidden, inMessage, inCause) => {
      // What is a word of the stack anyway, such as "property", is no secret of this error.
      fc.pre(!new Error('no').stack!.includes(hidden));
      const mark = Symbol.for('rapport:permanent-error');
      const say = (is: boolean) => (is ? `no: ${hidden}` : 'no');
      const cause = new AggregateError([new TypeError(say(inCause))], 'several');
      const error = Object.assign(new RangeError(say(inMessage), { cause }), { [mark]: true, afterMs: 7 });
      const clean = redactError(createRedactor([hidden]), error) as typeof error;
      expect(clean === error).toBe(!inMessage && !inCause);
      expect(clean).toBeInstanceOf(RangeError);
      expect(clean).toMatchObject({ [mark]: true, afterMs: 7 });
      const inner = (clean.cause as AggregateError).errors[0] as Error;
      for (const each of [clean, inner]) expect(`${each.message} ${each.stack}`).not.toContain(hidden);
      expect(inner).toBeInstanceOf(TypeError);
    }),
  );
});

test('what leads round in circles, or is too much, comes to an end', () => {
  const node: Record<string, unknown> = {};
  for (let i = 0; i < 50; i++) node[`n${i}`] = node;
  const error = Object.assign(new Error('it is sesame!'), { node });
  error.cause = error;
  expect((redactError(createRedactor(['sesame']), error) as Error).message).toBe('it is [hidden]!');
});

test('of two secrets, one inside the other, no rest stays', () => {
  expect(createRedactor(['abcd', 'abcdefgh'])('x abcdefgh y abcd z')).toBe('x [hidden] y [hidden] z');
});

test('without secrets, and with ones too short to be any, a text stays as it is', () => {
  fc.assert(fc.property(fc.string(), text => expect(createRedactor(['', 'abc'])(text)).toBe(text)));
});
