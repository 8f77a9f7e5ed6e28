import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { toAsciiHost } from '#domain/identity/web-address.js';
import { formatFocus, parseFocus, type Focus } from '#domain/identity/focus.js';
import { isAutomatedSender, isFreeMail, isRoleMailbox, findWorkDomain } from '#domain/identity/email.js';
import { matchName } from '#domain/identity/match-name.js';
import { nameKey } from '#domain/identity/names.js';

const RUNS = { numRuns: 3000 };

// Pieces that identifiers and their accidents are made of, so that random texts come near to every rule.
const PIECES = [
  [
    '@',
    '.',
    '..',
    '/',
    '//',
    ':',
    '?',
    '#',
    '%',
    '%41',
    '%C3%A4',
    '%00',
    '+',
    '-',
    '_',
    ' ',
    ',',
    '<',
    '>',
    '\0',
    '。',
  ],
  ['mailto:', 'https://', 'urn:uuid:', 'linkedin.com', 'de.linkedin.com', '/in/', '/company/', '/pub/', '/sales/lead/'],
  [
    'com',
    'co.uk',
    'github.io',
    'gmail.com',
    'googlemail.com',
    'acme.com',
    'xn--',
    'bücher.de',
    'ß',
    'İ',
    'ﬁ',
    '\u200b',
  ],
  ['Dr. ', 'M. ', '\ud800', '\u0301', 'ς', '[::1]', '1.2.3.4', '018f2c4e-7b1a-7c3d-9e5f-0123456789ab', 'me', 'dir'],
].flat();
const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...PIECES), weight: 3 },
  fc.string({ maxLength: 5 }),
  fc.string({ maxLength: 3, unit: 'binary' }),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
  fc.emailAddress(),
  fc.webUrl(),
  fc.domain(),
  fc.uuid(),
);

const isRead = (focus: Focus): focus is Exclude<Focus, { form: 'invalid' }> => focus.form !== 'invalid';

test('every text gets an answer, and a refusal gives a sentence', () => {
  fc.assert(
    fc.property(anyText, text => {
      const focus = parseFocus(text);
      return isRead(focus) ? formatFocus(focus) !== '' : /^[A-Z"].*\.$/s.test(focus.reason);
    }),
    RUNS,
  );
});

test('what was read and written down is read the same', () => {
  fc.assert(
    fc.property(anyText, text => {
      const focus = parseFocus(text);
      if (isRead(focus)) expect(parseFocus(formatFocus(focus))).toEqual(focus);
    }),
    RUNS,
  );
});

test('a key is its own key', () => {
  fc.assert(
    fc.property(anyText, text => {
      const focus = parseFocus(text);
      if (focus.form === 'name') expect(nameKey(focus.key)).toBe(focus.key);
      else if (focus.form !== 'uuid' && isRead(focus)) expect(parseFocus(focus.key)).toMatchObject({ key: focus.key });
      if (focus.form !== 'uuid' && isRead(focus)) expect(focus.key).not.toBe('');
    }),
    RUNS,
  );
});

test('nothing with an "@" becomes a name or a domain', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      expect(['email', 'linkedin', 'invalid']).toContain(parseFocus(`${before}@${after}`).form);
    }),
    RUNS,
  );
});

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,20}$/);
const word = fc.stringMatching(/^[a-z][a-z0-9]{1,12}$/);
const spelling = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 });
const shout = (text: string, upper: boolean[]) =>
  [...text].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join('');

test('two spellings of one mailbox, page, company or person have one key', () => {
  fc.assert(
    fc.property(word, slug, word, spelling, (local, name, tag, upper) => {
      const same = (...texts: string[]) => {
        const [first, ...others] = texts.map(text => parseFocus(text));
        const key = (focus?: Focus) =>
          focus && isRead(focus) && focus.form !== 'uuid' ? `${focus.form} ${focus.key}` : '';
        expect(key(first)).not.toBe('');
        for (const other of others) expect(key(other)).toBe(key(first));
      };
      const email = `${local}@${name.replace(/^-+|-+$/g, '')}.com`;
      same(email, shout(email, upper), ` mailto:${email}?subject=${tag}`, `${tag} ${local} <${email}>`);
      same(`${local}@gmail.com`, `${[...local].join('.')}+${tag}@GoogleMail.com`);
      const page = `linkedin.com/in/${name}`;
      same(page, `https://uk.${shout(page, upper)}/de?trk=${tag}`, `https://www.${page}/recent-activity/all/`);
      same(`${local}.co.uk`, `https://${tag}.${shout(local, upper)}.co.uk/${name}`);
      same(`${local} ${tag}`, `Dr. ${shout(local, upper)}   ${tag}`);
    }),
    { numRuns: 500 },
  );
});

test('the questions about mailboxes answer for every text', () => {
  fc.assert(
    fc.property(anyText, text => {
      const focus = parseFocus(text);
      const employer = focus.form === 'email' ? findWorkDomain(focus) : undefined;
      const answers = [isFreeMail(text), isAutomatedSender(text), isRoleMailbox(text)];
      return answers.every(answer => typeof answer === 'boolean') && employer !== '';
    }),
    RUNS,
  );
});

test('a match does not depend on the order of what is known', () => {
  const known = fc.record({
    entity_id: fc.uuid(),
    type: fc.constantFrom('person' as const, 'company' as const),
    name: fc.constantFrom('Ada', 'ADA', 'Dr Ada', 'Bob'),
    title: fc.constant(null),
    company: fc.constantFrom('Acme', null),
    domain: fc.constant(null),
    email: fc.constant(null),
    linkedin_url: fc.constant(null),
    last_activity_at: fc.option(fc.nat(3)),
    score: fc.constant(null),
  });
  const entities = fc.uniqueArray(known, { selector: entity => entity.entity_id, maxLength: 14 });
  fc.assert(
    fc.property(entities, list => {
      const match = matchName('ada', list);
      expect(matchName('ada', list.toReversed())).toEqual(match);
      const count = list.filter(entity => entity.name !== 'Bob').length;
      expect(match.status).toBe(['none', 'one'][count] ?? 'ambiguous');
    }),
  );
});

describe('host names', () => {
  const label = fc.stringMatching(/^(?:xn--)?[A-Za-z0-9-]{1,12}$/);

  it('are the same in ASCII whether or not they need translating', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), labels => {
        const name = labels.join('.');
        expect(toAsciiHost(name)).toBe(domainToASCII(name));
      }),
      { numRuns: 2_000 },
    );
  });
});
