import fc from 'fast-check';
import { toIdentifier, type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import { findFormerEmails } from '#domain/identity/former-emails.js';
import { findMergeGuards, type MergeSide } from '#domain/identity/merge-guards.js';

const idOf = (text: string) => toIdentifier(parseFocus(text) as IdentifierFocus);
const side = (identifiers: readonly string[], more: Partial<MergeSide> = {}): MergeSide => ({
  type: 'person',
  identifiers: identifiers.map(idOf),
  formerEmails: new Set(),
  ...more,
});
const by = (text: string, reliability = 0.75, isMarkedDistinct = false) => ({
  identifier: idOf(text),
  reliability,
  isMarkedDistinct,
});

const texts = fc.subarray([
  'ada@acme.com',
  'ada.l@acme.com',
  'info@acme.com',
  'ada@other.com',
  'ada@gmail.com',
  'linkedin.com/in/ada',
  'linkedin.com/in/bea',
  'linkedin.com/sales/lead/ACwAAA1',
]);

describe('guards', () => {
  it('do not depend on which of the two comes first', () => {
    fc.assert(
      fc.property(texts, texts, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (one, other, r, apart) => {
        const about = by('ada@acme.com', r, apart);
        expect(findMergeGuards(side(one), side(other), about)).toEqual(findMergeGuards(side(other), side(one), about));
      }),
    );
  });

  it('find nothing against one that is joined with itself', () => {
    fc.assert(fc.property(texts, own => expect(findMergeGuards(side(own), side(own), by('ada@acme.com'))).toEqual([])));
  });

  it('say nothing less when more is known that differs', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const few = findMergeGuards(side([]), side(other), by('ada@acme.com'));
        expect(findMergeGuards(side(one), side(other), by('ada@acme.com'))).toEqual(expect.arrayContaining(few));
      }),
    );
  });

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['two profiles', ['linkedin.com/in/ada'], ['linkedin.com/in/bea'], ['different_linkedin']],
    ['one profile in common', ['linkedin.com/in/ada', 'linkedin.com/in/old'], ['linkedin.com/in/ada'], []],
    ['two addresses at one employer', ['ada@acme.com'], ['ada.l@acme.com'], ['different_work_email']],
    ['addresses at two employers', ['ada@acme.com'], ['ada@other.com'], []],
    ['two private addresses', ['ada@gmail.com'], ['bea@gmail.com'], []],
    ['a function beside a person', ['info@acme.com'], ['ada@acme.com'], []],
  ])('%s', (_, one, other, guards) => {
    expect(findMergeGuards(side(one), side(other), by('ada@private-domain.org'))).toEqual(guards);
  });

  it('refuse a weak source, a shared mailbox, another kind of entity and entities kept apart', () => {
    const about = by('info@acme.com', 0.74, true);
    const guards = findMergeGuards(side([]), side([], { type: 'company' }), about);
    expect(guards).toEqual(['weak_source', 'shared_mailbox', 'not_same', 'different_type']);
  });

  it('let an address that has ended pass', () => {
    const claims = [
      { property: 'email', value: 'ada.l@acme.com', history: [{ value: 'ada@acme.com' }, { value: null }] },
      { property: 'email_status', value: 'valid' },
    ];
    const ended = findFormerEmails(claims);
    expect([...ended]).toEqual(['ada@acme.com']);
    const one = side(['ada@acme.com'], { formerEmails: ended });
    expect(findMergeGuards(one, side(['ada.l@acme.com']), by('ada@gmail.com'))).toEqual([]);
    expect([...findFormerEmails([claims[0]!, { property: 'email_status', value: 'bounced' }])].toSorted()).toEqual([
      'ada.l@acme.com',
      'ada@acme.com',
    ]);
  });
});
