import { readAccountSearch } from '../../console/src/accounts/search.ts';
import { readAttentionSearch } from '../../console/src/attention/search.ts';
import { toOwnPath } from '../../console/src/shell/ownPath.ts';
import { ago, lasted } from '../../console/src/words/when.ts';

const ORIGIN = 'https://rapport.example';

describe('a way back after sign-in', () => {
  it.each([
    ['/w/x/people?q=a#b', '/w/x/people?q=a#b'],
    [`${ORIGIN}/w/x`, '/w/x'],
    ['w/x', '/w/x'],
  ])('%s leads to %s', (to, path) => {
    expect(toOwnPath(to, ORIGIN)).toBe(path);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/w/..//evil.example',
    `${ORIGIN}//evil.example/w`,
    'https://evil.example/',
    'javascript:alert(1)',
    'https://rapport.example.evil.example/',
    'https://rapport.example@evil.example/',
    5,
    null,
    undefined,
  ])('%s leads nowhere', to => {
    expect(toOwnPath(to, ORIGIN)).toBeUndefined();
  });
});

describe('the address of a page', () => {
  it('leaves out what it cannot mean', () => {
    expect(readAccountSearch({ claim: 'title', as_of: '2026-01-01T00:00:00Z' })).toEqual({
      claim: 'title',
      as_of: '2026-01-01T00:00:00Z',
    });
    expect(readAccountSearch({ known_at: '2026-01-01T00:00:00Z' }).known_at).toBe('2026-01-01T00:00:00Z');
    expect(readAccountSearch({ claim: 5, as_of: 'yesterday', known_at: 7 })).toEqual({});
    expect(readAttentionSearch({ kind: 'going_dark' })).toEqual({ kind: 'going_dark' });
    expect(readAttentionSearch({ kind: 'nothing' })).toEqual({ kind: undefined });
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  it.each([
    ['2026-11-20T11:30:00Z', '30 min. ago'],
    ['2026-11-20T09:00:00Z', '3 hr. ago'],
    ['2026-11-19T12:00:00Z', 'yesterday'],
    ['2026-11-10T12:00:00Z', '10 days ago'],
    ['2026-07-20T12:00:00Z', '4 mo. ago'],
    ['2023-11-20T12:00:00Z', '3 yr. ago'],
    ['2026-11-21T12:00:00Z', 'tomorrow'],
  ])('%s is %s', (at, text) => {
    expect(ago(at, now)).toBe(text);
  });

  it('that lie days ahead are counted by the calendar, at any hour', () => {
    const morning = new Date(2026, 10, 27, 8).toISOString();
    const hours = [6, 12, 21].map(hour => ago(morning, new Date(2026, 10, 20, hour).getTime()));
    expect(hours).toEqual(['in 7 days', 'in 7 days', 'in 7 days']);
  });

  it('have lengths in words', () => {
    const days = (count: number) => lasted(now - count * 86_400_000, now);
    expect([days(0.2), days(1), days(45), days(100), days(800)]).toEqual([
      'less than a day',
      '1 day',
      '45 days',
      '3 months',
      '2.2 years',
    ]);
  });
});
