import { composeName } from '#domain/identity/names.js';

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  [' Ada ', undefined, 'Ada'],
  [null, 'Lovelace', 'Lovelace'],
  ['', ' ', undefined],
])('%p and %p make %p', (first, last, name) => {
  expect(composeName(first, last)).toBe(name);
});
