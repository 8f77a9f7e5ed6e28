import { parseFocus } from '#domain/identity/focus.js';

describe('an e-mail address', () => {
  test.each([
    ['mailto:Ada@Acme.com?subject=Hello', 'ada@acme.com'],
    ['mailto:ada%2Bnews@acme.com', 'ada+news@acme.com'],
    ['ada@acme.com?cc=bob@acme.com', 'ada@acme.com'],
    ['"Lovelace, Ada" <ada@acme.com>', 'ada@acme.com'],
    ['ada@home <ada@acme.com>', 'ada@acme.com'],
    ['<mailto:ada@acme.com>', 'ada@acme.com'],
    ['ａｄａ＠ａｃｍｅ．ｃｏｍ', 'ada@acme.com'],
    ['ada@BÜCHER.de', 'ada@xn--bcher-kva.de'],
    ['ADÄ@bücher.de', 'adä@xn--bcher-kva.de'],
    ['a.da+tag@gmail.com', 'ada@gmail.com'],
    ['ada@GoogleMail.com', 'ada@gmail.com'],
    ['+tag@gmail.com', '+tag@gmail.com'],
    ['a.da+tag@outlook.com', 'a.da@outlook.com'],
    ['ada+tag@hotmail.co.uk', 'ada@hotmail.co.uk'],
    ['ada+tag@live.nl', 'ada@live.nl'],
    ['ada+tag@icloud.com', 'ada@icloud.com'],
    ['ada+tag@me.com', 'ada@me.com'],
    ['ada+tag@fastmail.com', 'ada@fastmail.com'],
    ['ada+tag@proton.me', 'ada@proton.me'],
    ['ada+tag@yandex.ru', 'ada@yandex.ru'],
    ['a.da+tag@acme.com', 'a.da+tag@acme.com'],
    ['a.da+tag@mail.gmail.com', 'a.da+tag@mail.gmail.com'],
    ["o'hara#ext#@acme.com", "o'hara#ext#@acme.com"],
  ])('%p has the key %s', (text, key) => {
    expect(parseFocus(text)).toMatchObject({ form: 'email', key });
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

  test.each([
    ['ada@mail.acme.co.uk', 'acme.co.uk'],
    ['ada@acme.github.io', 'acme.github.io'],
    ['ada@eu.acme.test', 'acme.test'],
    ['ada@sakura.ne.jp', null],
  ])('%p belongs to the domain %p', (text, domain) => {
    expect(parseFocus(text)).toMatchObject({ form: 'email', domain });
  });

  test.each([
    ['hannah88opowersc@m', 'no ending'],
    ['hillt.eres@pearsonhorg', 'no ending'],
    ['laura1o@nelon.c2m', '".c2m"'],
    ['lynn04@jone.cos', '".cos"'],
    ['susanmoreno@.dwards-allaceecom', 'a dot too many'],
    ['a@b@c.com', 'more than one "@"'],
    ['Ada <ada@acme.com>, Bob <bob@acme.com>', 'more than one "@"'],
    ['@x.com', 'nothing before'],
    ['ada@', 'nothing after'],
    ['ada.@acme.com', 'a dot too many'],
    ['a..b@acme.com', 'a dot too many'],
    ['ada@acme.com.', 'a dot too many'],
    ['ada lovelace@acme.com', 'a space'],
    ['Ada @ Acme', 'a space'],
    ['"ada"@acme.com', 'a character'],
    ['Ada <ada@acme.com', 'a space'],
    ['https://medium.com/@ada', 'a link'],
    [`${'a'.repeat(65)}@acme.com`, 'longer than the 64'],
    ['ada@192.168.0.1', 'an IP address'],
    ['ada@[192.168.0.1]', 'an IP address'],
    ['ada@[IPv6:::1]', 'an IP address'],
    ['ada@co.uk', 'public suffix'],
    ['ada@corp.local', '".local"'],
    ['ada@-acme.com', 'wrongly spelt'],
    ['ada@ac_me.com', 'wrongly spelt'],
    ['ada@acme.com:25', 'wrongly spelt'],
    [`ada@${'a'.repeat(64)}.com`, 'wrongly spelt'],
  ])('%p is broken, and stays so', (text, part) => {
    expect(parseFocus(text)).toEqual({ form: 'invalid', reason: expect.stringContaining(part) });
  });
});
