import { parseFocus } from '#domain/identity/focus.js';

describe('a domain', () => {
  test.each([
    ['acme.com', 'acme.com'],
    ['ACME.com.', 'acme.com'],
    ['mail.acme.co.uk', 'acme.co.uk'],
    ['acme.co.uk', 'acme.co.uk'],
    ['acme.github.io', 'acme.github.io'],
    ['www.acme.myshopify.com', 'acme.myshopify.com'],
    ['https://www.acme.com/about?x=1#y', 'acme.com'],
    ['//acme.com', 'acme.com'],
    ['acme.com/about', 'acme.com'],
    ['acme.com:8443', 'acme.com'],
    ['<https://acme.com>', 'acme.com'],
    ['_dmarc.acme.com', 'acme.com'],
    ['ＡＣＭＥ.com', 'acme.com'],
    ['Bücher.de', 'xn--bcher-kva.de'],
    ['faß.de', 'xn--fa-hia.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['acme.example', 'acme.example'],
    ['notlinkedin.com/in/ada', 'notlinkedin.com'],
    ['https://linkedin.com.evil.com/in/ada', 'evil.com'],
    ['https://evil.com/linkedin.com/in/ada', 'evil.com'],
    ['https://www.linkedin.com/', 'linkedin.com'],
  ])('%p has the key %s', (text, key) => {
    expect(parseFocus(text)).toMatchObject({ form: 'domain', key });
  });

  test('is shown as people read it', () => {
    expect(parseFocus('shop.xn--bcher-kva.de')).toEqual({
      form: 'domain',
      value: 'bücher.de',
      key: 'xn--bcher-kva.de',
    });
  });

  test.each([
    ['co.uk', 'public suffix'],
    ['github.io', 'public suffix'],
    ['https://co.uk/', 'public suffix'],
    ['1.2.3.4', 'IP address'],
    ['[::1]', 'IP address'],
    ['http://[::1]:80/', 'IP address'],
    ['http://localhost:3000/', 'without an ending'],
    ['https://acme.internal/', '".internal"'],
    ['.acme.com', 'wrongly spelt part'],
    ['a..com', 'wrongly spelt part'],
    ['-acme.com', 'wrongly spelt part'],
    [`${'a'.repeat(64)}.com`, 'wrongly spelt part'],
    ['https://42/', 'wrongly spelt part'],
    ['https://ac me.com', 'wrongly spelt part'],
    ['https://', 'wrongly spelt part'],
  ])('%p is refused with a reason', (text, part) => {
    expect(parseFocus(text)).toEqual({ form: 'invalid', reason: expect.stringContaining(part) });
  });
});
