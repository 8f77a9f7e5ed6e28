import { entityTypeOf, identifierOf, isPrecise, parseFocus, type Focus } from '#domain/identity/focus.js';

function keyOf(focus: Focus): string {
  if (focus.form === 'invalid') return `invalid: ${focus.reason}`;
  return focus.form === 'uuid' ? focus.id : focus.key;
}

describe('a focus', () => {
  test.each([
    ['018F2C4E-7B1A-7C3D-9E5F-0123456789aB', 'uuid', '018f2c4e-7b1a-7c3d-9e5f-0123456789ab'],
    ['00000000-0000-0000-0000-000000000000', 'uuid', '00000000-0000-0000-0000-000000000000'],
    ['urn:uuid:018f2c4e-7b1a-7c3d-9e5f-0123456789ab', 'uuid', '018f2c4e-7b1a-7c3d-9e5f-0123456789ab'],
    ['018f2c4e7b1a7c3d9e5f0123456789ab', 'name', '018f2c4e7b1a7c3d9e5f0123456789ab'],
    ['https://www.linkedin.com/in/ada?trk=a@b.c', 'linkedin', 'linkedin.com/in/ada'],
    ['ada@linkedin.com', 'email', 'ada@linkedin.com'],
    ['linkedin.com', 'domain', 'linkedin.com'],
    ['Ada@Acme.com', 'email', 'ada@acme.com'],
    ['acme.com', 'domain', 'acme.com'],
    ['Ada Lovelace', 'name', 'ada lovelace'],
    ['Salesforce', 'name', 'salesforce'],
    ['Node.js', 'name', 'node.js'],
    ['Acme Inc.', 'name', 'acme inc.'],
    ['localhost', 'name', 'localhost'],
    ['1.2.3', 'name', '1.2.3'],
    ['42', 'name', '42'],
    ['株式会社', 'name', '株式会社'],
  ])('%p is read as %s', (text, form, key) => {
    const focus = parseFocus(text);
    expect([focus.form, keyOf(focus)]).toEqual([form, key]);
  });

  test.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['a'.repeat(321), 'longer than 320'],
    ['Ada\0Lovelace', 'control character'],
    ['Ada\nLovelace', 'control character'],
    ['mailto:ada%00@acme.com', 'control character'],
    ['half a pair \ud83d', 'control character'],
  ])('%p is refused with a reason', (text, part) => {
    expect(parseFocus(text)).toEqual({ form: 'invalid', reason: expect.stringContaining(part) });
  });

  test('what copying adds is not part of it', () => {
    expect(parseFocus('\ufeff ada@ac\u200bme.com\u202c\n')).toEqual(parseFocus('ada@acme.com'));
  });

  test('every write accepts what is precise, no write a name', () => {
    const texts = [
      '018f2c4e-7b1a-7c3d-9e5f-0123456789ab',
      'a@acme.com',
      'acme.com',
      'linkedin.com/in/ada',
      'Ada',
      'a@b',
    ];
    expect(texts.map(text => isPrecise(parseFocus(text)))).toEqual([true, true, true, true, false, false]);
  });

  test.each([
    ['Ada.L@googlemail.com', 'email', 'ada.l@googlemail.com', 'adal@gmail.com', 'person'],
    ['https://bücher.de/über', 'domain', 'bücher.de', 'xn--bcher-kva.de', 'company'],
    ['de.linkedin.com/in/Ada/de', 'linkedin', 'https://www.linkedin.com/in/Ada', 'linkedin.com/in/ada', 'person'],
    [
      'linkedin.com/company/acme',
      'linkedin',
      'https://www.linkedin.com/company/acme',
      'linkedin.com/company/acme',
      'company',
    ],
  ])('%p gives the identifier to store', (text, kind, value, key, type) => {
    const focus = parseFocus(text);
    if (focus.form !== 'email' && focus.form !== 'domain' && focus.form !== 'linkedin') throw new Error(focus.form);
    expect(identifierOf(focus)).toEqual({ kind, value, key });
    expect(entityTypeOf(focus)).toBe(type);
  });
});
