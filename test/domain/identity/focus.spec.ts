import { isPrecise, parseFocus } from '#domain/identity/focus.js';

describe('a focus', () => {
  test('is read without what copying adds', () => {
    expect(parseFocus('\ufeff ada@ac\u200bme.com\u202c\n')).toEqual(parseFocus('ada@acme.com'));
  });

  test('is accepted by every write when it is precise, by none when it is a name', () => {
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

  test('keeps the address to write to beside the key of the mailbox', () => {
    expect(parseFocus('A.Da+x@GoogleMail.com')).toEqual({
      form: 'email',
      value: 'a.da+x@googlemail.com',
      key: 'ada@gmail.com',
      local: 'a.da+x',
      host: 'googlemail.com',
      domain: 'googlemail.com',
    });
  });

  test('shows a domain as people read it', () => {
    expect(parseFocus('shop.xn--bcher-kva.de')).toEqual({
      form: 'domain',
      value: 'bücher.de',
      key: 'xn--bcher-kva.de',
    });
  });

  test('keeps the case of what was given in a link, because lead ids need it', () => {
    expect(parseFocus('linkedin.com/sales/lead/ACwAAb,x')).toMatchObject({
      value: 'https://www.linkedin.com/sales/lead/ACwAAb',
    });
  });
});
