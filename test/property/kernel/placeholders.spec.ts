import fc from 'fast-check';
import { isPlaceholder, PLACEHOLDER_WORDS } from '#domain/observation/observation.js';

describe('isPlaceholder', () => {
  it.each([
    '',
    '  ',
    '-',
    '--',
    '—',
    '?',
    '...',
    'N/A',
    'n.a.',
    '#N/A',
    '(none)',
    '<null>',
    '[Unknown]',
    'TBD',
    'Test',
  ])('is true for %j', text => expect(isPlaceholder('title', text)).toBe(true));

  it.each(['k. A.', 'Keine Angabe', 'Inconnu', 'non renseigné', 'Desconocido', 'sconosciuto', 'não informado'])(
    'is true for %j in another language',
    text => expect(isPlaceholder('title', text)).toBe(true),
  );

  it.each(['n.v.t.', 'brak danych', 'Okänd', 'ukjent', '不明', '暂无'])('is true for %j in yet another one', text =>
    expect(isPlaceholder('company', text)).toBe(true),
  );

  it.each([
    'CEO',
    'Nonesuch Ltd',
    'Test Engineer',
    'Head of Testing',
    'Unknown Worlds',
    'No',
    '0',
    'Nilsson',
    'C++',
    '北京',
  ])('is false for %j', text => expect(isPlaceholder('title', text)).toBe(false));

  it.each([null, 0, false, [], {}])('is false for %j, which is no text', value =>
    expect(isPlaceholder('title', value)).toBe(false),
  );

  it('takes NA for the country it is', () => {
    expect([isPlaceholder('country', 'NA'), isPlaceholder('country', 'n/a')]).toEqual([false, true]);
  });

  it('depends neither on case nor on brackets and spaces around the word', () => {
    const around = fc.constantFrom('', ' ', '(', ')', '[', ']', '"', '--', '…'.normalize('NFKC'));
    fc.assert(
      fc.property(fc.constantFrom(...PLACEHOLDER_WORDS), around, around, (word, before, after) => {
        expect(isPlaceholder('title', `${before}${word.toUpperCase()}${after}`)).toBe(true);
      }),
    );
  });
});
