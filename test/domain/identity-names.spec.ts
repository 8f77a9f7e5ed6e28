import { composeName, nameKey } from '#domain/identity/names.js';

describe('the key of a name', () => {
  test.each([
    ['  Ada   LOVELACE ', 'ada lovelace'],
    ['Ａｄａ\u00a0Lovelace', 'ada lovelace'],
    ['Mr Ada', 'ada'],
    ['mrs. Ada', 'ada'],
    ['Prof. Dr. Ada Lovelace', 'ada lovelace'],
    ['Sir Tim', 'tim'],
    ['Herr Weiß', 'weiss'],
    ['WEISS', 'weiss'],
    ['Frau Ä', 'ä'],
    ['Mme Curie', 'curie'],
    ['M. Curie', 'curie'],
    ['M Night Shyamalan', 'm night shyamalan'],
    ['Sr. Lopez', 'lopez'],
    ['Sra Lopez', 'lopez'],
    ['Drew Mrs', 'drew mrs'],
    ['Dr.', 'dr.'],
    ['Mr Dr', 'dr'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['Σίσυφος', 'σίσυφοσ'],
  ])('%p is %p', (name, key) => {
    expect(nameKey(name)).toBe(key);
  });
});

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  [' Ada ', undefined, 'Ada'],
  [null, 'Lovelace', 'Lovelace'],
  ['', ' ', undefined],
])('%p and %p make %p', (first, last, name) => {
  expect(composeName(first, last)).toBe(name);
});
