import { accountLines } from '../../demo/account.mjs';

const plain = (_: string, text: string) => text;
const at = '2026-11-20T11:15:28.000000Z';

const claim = (property: string, value: unknown, more: object = {}) => ({
  property,
  value,
  status: 'current',
  confidence: 0.6,
  freshness: 'fresh',
  epistemic_class: 'reported',
  sources: [{}],
  opposing: [],
  history: [],
  ...more,
});

const account = {
  entity_id: '01a1f8ab-254c-74fe-8743-a214be6b8ea5',
  type: 'person',
  name: 'Harriet Jones',
  entity: { created_at: at, last_activity_at: null, company: { name: null, domain: 'garza.com' } },
  identifiers: [{ kind: 'email', value: 'trobinson@garza.com' }],
  claims: {
    city: claim('city', 'Reading', {
      epistemic_class: 'contested',
      opposing: [{ value: 'London', source: 'csv:people', why: 'csv:people (import) said so on 2026-11-20.' }],
      history: [{ value: 'London', valid_from: '2025-09-26T00:00:00Z', valid_to: '2026-09-21T00:00:00Z' }],
    }),
    name: claim('name', 'Harriet Jones', { confidence: 0.9, epistemic_class: 'corroborated', sources: [{}, {}] }),
    intent: claim('intent', null, { freshness: 'expired', epistemic_class: 'ended', status: 'ended' }),
    tags: claim('tags', ['a', 'b'], { history: undefined }),
  },
  recent_observations: [
    {
      id: '3',
      kind: 'event',
      type: 'email_replied',
      value: { description: 'Asks for the price list' },
      source: 'email',
      method: 'sync',
      observed_at: at,
      external_id: null,
    },
    {
      id: '2',
      kind: 'state',
      type: 'city',
      value: 'London',
      source: 'csv:people',
      method: 'import',
      observed_at: at,
      external_id: 'x',
    },
    {
      id: '1',
      kind: 'state',
      type: 'name',
      value: 'Harriet Jnoe',
      source: 'csv:people',
      method: 'import',
      observed_at: at,
      external_id: 'x',
    },
  ],
};

describe('an account in a terminal', () => {
  const lines = accountLines(account, plain, 100);
  const lineWith = (text: string) => lines.find(line => line.includes(text));

  it('says who it is', () => {
    expect(lines[1]).toMatch(/^ {2}Harriet Jones +01a1f8ab-254c-74fe-8743-a214be6b8ea5$/);
    expect(lines[2]).toBe('  person · trobinson@garza.com · works at garza.com');
    expect(lines[3]).toBe('  known since 20 Nov 2026 · last activity ○ unknown');
  });

  it('draws every claim the same way: value, confidence in five steps, freshness, ground, sources', () => {
    expect(lineWith('▰▰▰▰▰ 0.90')).toMatch(
      /^ {2}name {12}Harriet Jones +▰▰▰▰▰ 0\.90 {2}fresh {6}◆ corroborated {2}2 sources$/,
    );
    expect(lineWith('expired')).toMatch(/intent +ended +▰▰▰▱▱ 0\.60 {2}expired ◷ {2}⊘ ended/);
    expect(lineWith('  tags')).toContain('a, b');
  });

  it('tells what stands against a claim and why it lost, and what was the case before', () => {
    expect(lineWith('◇ against')).toContain('London. csv:people (import) said so on 2026-11-20.');
    expect(lineWith('↺ before')).toContain('London (26 Sep 2025 to 21 Sep 2026, 360 days)');
  });

  it('shows the observations of one record as one entry of the timeline', () => {
    expect(lineWith('▸')).toMatch(/11:15:28 {2}▸ email sync +email replied: Asks for the price list/);
    expect(lineWith('· csv:people')).toContain('name Harriet Jnoe, city London');
  });

  it('counts what may be relied on', () => {
    expect(lineWith('WHAT IS CLAIMED')).toContain('4 claims, 1 fresh and above 0.7, 1 contested');
  });

  it.each([80, 100, 110])('fits into %i columns', width => {
    expect(accountLines(account, plain, width).filter(line => line.length > width)).toEqual([]);
  });
});
