import { parseFocus } from '#domain/identity/focus.js';
import { isAutomatedSender, isFreeMail, isRoleMailbox, findWorkDomain } from '#domain/identity/email.js';

test.each([
  'gmail.com',
  'GMAIL.com',
  'hey.com',
  'duck.com',
  'outlook.co.uk',
  'tuta.com',
  'mx.yahoo.co.jp',
  'müll.email',
])('%s is free mail', domain => expect(isFreeMail(domain)).toBe(true));

test.each(['acme.com', 'acme.com.ar', 'acme.net.ua', 'notgmail.com', 'gmail.com.acme.io', '', 'com', 'a.loooong。com'])(
  '%p is not free mail',
  domain => expect(isFreeMail(domain)).toBe(false),
);

test.each(['info', 'Sales', 'customer-service', 'support+de', 'no-reply', 'kontakt'])('%s@ is shared', local =>
  expect(isRoleMailbox(local)).toBe(true),
);

test.each(['ada', 'ada.lovelace', 'infante', 'salesbury'])('%s@ is one person', local =>
  expect(isRoleMailbox(local)).toBe(false),
);

test.each([
  'noreply@acme.com',
  'no-reply@acme.com',
  'Do_Not_Reply@acme.com',
  'drive-shares-noreply@google.com',
  'MAILER-DAEMON@acme.com',
  'postmaster@acme.com',
  'bounce@acme.com',
  'bounces+123-ada=acme.com@acme.com',
  'notifications@github.com',
  'calendar-notification@google.com',
  'ada@bounces.acme.com',
  '1234+ada@users.noreply.github.com',
])('%s is a machine', email => expect(isAutomatedSender(email)).toBe(true));

test.each(['ada@acme.com', 'info@acme.com', 'replyada@acme.com', 'noteworthy@acme.com', '', 'ada'])(
  '%p is not taken for a machine',
  email => expect(isAutomatedSender(email)).toBe(false),
);

test.each([
  ['ada@mail.acme.co.uk', 'acme.co.uk'],
  ['info@acme.com', 'acme.com'],
  ['ada@acme.github.io', 'acme.github.io'],
  ['ada@gmail.com', undefined],
  ['noreply@acme.com', undefined],
  ['ada@sakura.ne.jp', undefined],
])('the employer of %s is %p', (text, domain) => {
  const focus = parseFocus(text);
  if (focus.form !== 'email') throw new Error(focus.form);
  expect(findWorkDomain(focus)).toBe(domain);
});
