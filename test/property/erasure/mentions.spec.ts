import fc from 'fast-check';
import { createMentionMatcher, ERASED_MARK, redactJson } from '#domain/erasure/mentions.js';
import { toPersonalTerms } from '#domain/erasure/personal-terms.js';
import type { JsonValue } from '#domain/observation/observation.js';

const word = fc.stringMatching(/^[a-z]{4,10}$/);
const person = fc.record({ first: word, last: word, host: word, digits: fc.stringMatching(/^[1-9][0-9]{9}$/) });
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

const termsOf = ({ first, last, host, digits }: Person) => {
  const email = `${first}.${last}@${host}.com`;
  return toPersonalTerms({
    identifiers: [
      { kind: 'email', value: email, key: email },
      {
        kind: 'linkedin',
        value: `https://www.linkedin.com/in/${first}-${last}`,
        key: `linkedin.com/in/${first}-${last}`,
      },
    ],
    values: [
      { property: 'name', value: `${first} ${last}` },
      { property: 'phone', value: `+1${digits}` },
    ],
  });
};

const nobody = toPersonalTerms({ identifiers: [], values: [{ property: 'name', value: 'Zzzzzzzzzz Zzzzzzzzzz' }] });

/** Spellings of the identifiers of a person. */
const mentionsOf = ({ first, last, host, digits }: Person): string[] => [
  `${first}.${last}@${host}.com`,
  `${first}.${last}+news@${host}.com`.toUpperCase(),
  `${first}.${last}%40${host}.com`,
  `https://de.linkedin.com/in/${first}-${last}/en`,
  `${first} ${last}`,
  `${last}, ${first}`,
  `${first}\n${last}`.toUpperCase(),
  `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
  digits,
];

const spaced = fc.stringMatching(/^[!?;: ]{0,20}$/).map(text => ` ${text} `);
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

it('removes every mention, wherever it stands, and keeps the text around it', () => {
  fc.assert(
    fc.property(person, fc.nat(8), spaced, spaced, (who, n, before, after) => {
      const matcher = createMentionMatcher(termsOf(who));
      const mention = mentionsOf(who)[n]!;
      const text = `${before}${mention}${after}`;
      expect(matcher.isMentionedIn(text)).toBe(true);
      const redacted = matcher.redact(text);
      expect(redacted.startsWith(before.slice(0, -1))).toBe(true);
      expect(redacted.endsWith(after.slice(1))).toBe(true);
      expect(redacted).toContain(ERASED_MARK);
      expect(matcher.isMentionedIn(redacted)).toBe(false);
    }),
  );
});

it('is idempotent on JSON, and returns the same value if nothing is mentioned', () => {
  fc.assert(
    fc.property(person, json, fc.nat(8), (who, other, n) => {
      const matcher = createMentionMatcher(termsOf(who));
      const value: JsonValue = { other, text: `see ${mentionsOf(who)[n]!}` };
      const once = redactJson(matcher, value);
      expect(redactJson(matcher, once)).toBe(once);
      expect(matcher.isMentionedIn(JSON.stringify(once))).toBe(false);
      expect(redactJson(createMentionMatcher(nobody), other)).toBe(other);
    }),
  );
});

it('leaves an address and a name that only contain those of the person', () => {
  fc.assert(
    fc.property(person, who => {
      const matcher = createMentionMatcher({ ...termsOf(who), names: [] });
      for (const text of [
        `x${who.first}.${who.last}@${who.host}.com`,
        `${who.first}.${who.last}@${who.host}.com.au`,
        `${who.first}.${who.last}@${who.host}.company`,
        `linkedin.com/in/${who.first}-${who.last}-2`,
      ])
        expect(matcher.redact(text)).toBe(text);
      const name = `${who.first} ${who.last}son`;
      expect(createMentionMatcher(termsOf(who)).redact(name)).toBe(name);
    }),
  );
});

it('matches nothing without terms', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const matcher = createMentionMatcher(toPersonalTerms({ identifiers: [], values: [] }));
      expect(matcher.redact(text)).toBe(text);
    }),
  );
});

it('makes no terms of role mailboxes, first names and short numbers', () => {
  const { emails, names, phones } = toPersonalTerms({
    identifiers: [{ kind: 'email', value: 'info@acme.com', key: 'info@acme.com' }],
    values: [
      { property: 'name', value: 'Ada' },
      { property: 'phone', value: '110' },
    ],
  });
  expect({ emails, names, phones }).toEqual({ emails: [], names: [], phones: [] });
});
