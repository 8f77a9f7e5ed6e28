import { readPanelData, toSafeLink } from '../../console/src/panels/panelData.ts';

describe('the data of a panel', () => {
  it.each([
    { kind: 'badge', tone: 'warn', label: 'No webhook', detail: 'The provider removed it yesterday.' },
    { kind: 'badge', tone: 'good', label: 'Active' },
    { kind: 'table', columns: [{ key: 'at', label: 'When', type: 'time' }], rows: [{ at: '2026-11-20T09:00:00Z' }] },
    { kind: 'form', schema: { type: 'object' }, values: {} },
  ])('is taken as the contract describes it: %j', data => {
    expect(readPanelData(data)).toEqual(data);
  });

  it.each([
    null,
    [],
    'table',
    { kind: 'chart' },
    { kind: 'badge', tone: 'pink', label: 'Active' },
    { kind: 'badge', tone: 'good' },
    { kind: 'table', columns: 'none', rows: [] },
    { kind: 'table', columns: [{ key: 'at' }], rows: [] },
    { kind: 'table', columns: [], rows: [null] },
    { kind: 'form', schema: [], values: {} },
    { kind: 'form', schema: {}, values: null },
  ])('is refused if it is something else: %j', data => {
    expect(readPanelData(data)).toBeUndefined();
  });

  it('has at most 200 rows', () => {
    const rows = Array.from({ length: 201 }, (_, at) => ({ at }));
    expect(readPanelData({ kind: 'table', columns: [], rows })).toMatchObject({ rows: { length: 200 } });
  });
});

describe('a link of a panel', () => {
  it.each(['javascript:alert(1)', 'http://desk.example', 'data:text/html,x', '/v2/people', '', 5, null])(
    'is no link if it is %j',
    value => {
      expect(toSafeLink(value)).toBeUndefined();
    },
  );

  it('leads to an https address', () => {
    expect(toSafeLink('https://desk.example/1')).toBe('https://desk.example/1');
  });
});
