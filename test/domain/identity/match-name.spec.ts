import { matchName, type NamedEntity } from '#domain/identity/match-name.js';

function entity(entity_id: string, facts: Partial<NamedEntity> = {}): NamedEntity {
  return {
    entity_id,
    type: 'person',
    name: 'Ada Lovelace',
    title: null,
    company: null,
    domain: null,
    email: null,
    linkedin_url: null,
    last_activity_at: null,
    score: null,
    ...facts,
  };
}

const vp = entity('a', { title: 'VP Sales', company: 'Acme', domain: 'acme.com', last_activity_at: 5 });
const cto = entity('b', { title: 'CTO', company: 'Globex', last_activity_at: 9 });
const firm = entity('c', { type: 'company', domain: 'lovelace.com' });

describe('a name', () => {
  test('that one entity has means that entity', () => {
    expect(matchName('  dr. ADA lovelace', [vp, entity('z', { name: 'Ada Byron' })])).toEqual({
      status: 'one',
      entity: vp,
    });
  });

  test('that is only nearly right means nobody', () => {
    expect(matchName('Ada Lovelac', [vp])).toEqual({ status: 'none' });
  });

  test('returns many candidates by newest activity, then by ID, each distinguished in words', () => {
    expect(matchName('Ada Lovelace', [entity('d'), firm, vp, cto])).toMatchObject({
      status: 'ambiguous',
      query: 'Ada Lovelace',
      count: 4,
      candidates: [
        { entity_id: 'b', detail: 'CTO at Globex', matched_on: 'exact' },
        { entity_id: 'a', detail: 'VP Sales at Acme', matched_on: 'exact' },
        { entity_id: 'c', detail: 'lovelace.com', matched_on: 'exact' },
        { entity_id: 'd', detail: 'person', matched_on: 'exact' },
      ],
    });
  });

  test('shows ten of them and counts all', () => {
    const many = Array.from({ length: 12 }, (_, index) => entity(String.fromCharCode(122 - index)));
    const match = matchName('Ada Lovelace', many);
    if (match.status !== 'ambiguous') throw new Error(match.status);
    expect(match.count).toBe(12);
    expect(match.candidates.map(candidate => candidate.entity_id).join('')).toBe('opqrstuvwx');
  });

  test.each([
    [{ type: 'company' }, 'c'],
    [{ company: 'ACME' }, 'a'],
    [{ company: 'https://www.acme.com' }, 'a'],
    [{ company: 'globex', type: 'person' }, 'b'],
    [{ company: 'lovelace.com' }, 'c'],
  ] as const)('with the hint %p means one', (hints, id) => {
    expect(matchName('Ada Lovelace', [vp, cto, firm], hints)).toMatchObject({
      status: 'one',
      entity: { entity_id: id },
    });
  });

  test('with a hint that fits nobody means nobody', () => {
    expect(matchName('Ada Lovelace', [vp, cto], { company: 'Initech' })).toEqual({ status: 'none' });
  });
});
