import type { WorkspaceFactsResponse, FactWriteResponse } from '#graph/facts/facts.presenter.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let acme: Client;
let hub: TestHub;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const PATH = '/v2/workspace/facts';
const write = (body: object, headers: Record<string, string> = {}) =>
  acme.post<FactWriteResponse & ErrorBody & { current: { version: number } | null }>(PATH, body, headers);
const read = async (query: Record<string, string> = {}) =>
  (await acme.get<WorkspaceFactsResponse & ErrorBody>(`${PATH}?${new URLSearchParams(query)}`)).body;

describe('writing a section', () => {
  it('is not taken under two names that say two things', async () => {
    const { status, body } = await write({
      section: 'Pricing',
      category: 'Market',
      content: 'x',
    });
    expect({ status, field: body.details?.[0]?.field }).toEqual({ status: 400, field: 'category' });
  });

  it('keeps what was written, with who wrote it and where it came from', async () => {
    const { status, body } = await write({ section: 'pricing', content: '40 EUR', source: 'user', note: 'first list' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      section: 'pricing',
      version: 1,
      previous_version: null,
      changed_paths: ['$'],
      mode: 'replace',
      superseded: false,
      fact: { category: 'Pricing', content: '40 EUR', source: 'user', confidence: 0.9 },
    });
    const { sections } = await read();
    expect(sections['pricing']).toEqual({
      content: '40 EUR',
      version: 1,
      updated_at: body.created_at,
      source: 'user',
      author: { kind: 'key', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      note: 'first list',
    });
  });

  it('keeps the version before, and says what has changed', async () => {
    await write({ section: 'market', content: { sizes: [10, 50], region: 'EU', old: 1 } });
    const { status, body } = await write({ section: 'market', content: { sizes: [10, 100], region: 'EU', fresh: 1 } });
    expect({ status, ...body }).toMatchObject({ status: 201, version: 2, previous_version: 1, superseded: true });
    expect(body.changed_paths.toSorted()).toEqual(['fresh', 'old', 'sizes[1]']);
    const { sections } = await read({ section: 'market', history: 'true' });
    expect(sections['market']).toMatchObject({ version: 2, history: [{ version: 1, content: { old: 1 } }] });
    expect((await read({ section: 'market', version: '1' })).sections['market']).toMatchObject({ version: 1 });
  });

  it('answers 200 and writes nothing when the section says just that already', async () => {
    await write({ section: 'market', content: { a: 1, b: [2] } });
    const { status, body } = await write({ section: 'market', content: { b: [2], a: 1 }, note: 'again' });
    expect({ status, ...body }).toMatchObject({ status: 200, version: 1, previous_version: null, changed_paths: [] });
    expect((await read({ section: 'market', history: 'true' })).sections['market']!.history).toEqual([]);
  });

  it('says what a dry run would write, and writes nothing', async () => {
    const { status, body } = await write({ section: 'market', content: 'x', dry_run: true });
    expect({ status, ...body }).toMatchObject({ status: 200, version: 1, dry_run: true, fact: null });
    expect((await read()).sections).toEqual({});
  });

  it('is done once under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'facts-1' };
    const first = await write({ section: 'notes', content: 'x' }, headers);
    const again = await write({ section: 'notes', content: 'x' }, headers);
    expect({ ...again.body, status: again.status }).toEqual({ ...first.body, status: 201 });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses a write upon a version that is no longer the current one, and shows that one', async () => {
    await write({ section: 'market', content: 'a', expected_version: 0 });
    await write({ section: 'market', content: 'b', expected_version: 1 });
    const { status, body } = await write({ section: 'market', content: 'c', expected_version: 1 });
    expect({ status, ...body }).toMatchObject({
      status: 409,
      error: 'version_conflict',
      current: { section: 'market', version: 2, content: 'b' },
    });
    const none = await write({ section: 'proof', content: 'c', expected_version: 1 });
    expect({ status: none.status, current: none.body.current }).toEqual({ status: 409, current: null });
  });

  it('lets one of many writers of the same version through', async () => {
    const writes = Array.from({ length: 8 }, (_, i) => write({ section: 'market', content: i, expected_version: 0 }));
    const statuses = (await Promise.all(writes)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('loses no append of many writers', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => write({ section: 'notes', content: `note ${i}` })));
    expect((await read()).facts.map(({ content }) => content).toSorted()).toHaveLength(12);
    expect((await read()).sections['notes']).toMatchObject({ version: 12 });
  });

  it.each([
    ['ICP', 'icp'],
    ['GTM Motion', 'gtm_motion'],
    ['gtm-motion', 'gtm_motion'],
    ['gtmMotion', 'gtm_motion'],
    ['Product', 'products'],
    ['  Competitors ', 'competitors'],
    ['Sales Plays', 'sales_plays'],
  ])('knows %j as the section %s', async (section, slug) => {
    expect((await write({ category: section, content: 'x' })).body.section).toBe(slug);
    expect(Object.keys((await read({ section })).sections)).toEqual([slug]);
  });

  it('appends to a text, a list or an object', async () => {
    const appended = async (section: string, ...contents: unknown[]) => {
      for (const content of contents) await write({ section, content, mode: 'append' });
      return (await read({ section })).sections[section]!.content;
    };
    expect(await appended('market', 'a', 'b')).toBe('a\n\nb');
    expect(await appended('proof', ['a'], ['b'], 'c')).toEqual(['a', 'b', 'c']);
    expect(await appended('messaging', { a: 1, b: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
    const mixed = await write({ section: 'market', content: { a: 1 }, mode: 'append' });
    expect({ status: mixed.status, ...mixed.body }).toMatchObject({ status: 400, details: [{ field: 'content' }] });
  });

  it.each([
    ['nothing', {}, 'section_required'],
    ['no content', { section: 'icp' }, 'content required'],
    ['null', { section: 'icp', content: null }, 'content required'],
    ['a blank source', { section: 'icp', content: 'x', source: ' ' }, 'invalid_request'],
    ['blank content', { section: 'icp', content: ' \n' }, 'content required'],
    ['a section that is no word', { section: 'a/b', content: 'x' }, 'invalid_request'],
    ['a section with digits', { section: 'q4', content: 'x' }, 'invalid_request'],
    ['an unknown field', { section: 'icp', content: 'x', contnet: 'y' }, 'invalid_request'],
    ['an unknown mode', { section: 'icp', content: 'x', mode: 'merge' }, 'invalid_request'],
    ['a confidence above 1', { section: 'icp', content: 'x', confidence: 2 }, 'invalid_request'],
    ['a NUL', { section: 'market', content: { a: 'x\u0000' } }, 'invalid_request'],
    ['too much', { section: 'market', content: 'x'.repeat(256 * 1024) }, 'invalid_request'],
    ['a fact id that is none', { section: 'market', content: 'x', supersedes: 'y' }, 'invalid_request'],
    ['a version that is no number', { section: 'market', content: 'x', expected_version: '1' }, 'invalid_request'],
  ])('refuses %s', async (_, body, error) => {
    const answer = await write(body);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
  });
});

describe('notes', () => {
  it('are single entries, of which each write adds one', async () => {
    await write({ section: 'notes', content: 'first', subject: 'Pricing' });
    const { body } = await write({ section: 'Notes', content: 'second' });
    expect(body).toMatchObject({ mode: 'append', version: 2, fact: { category: 'Notes', content: 'second' } });
    const { facts, by_category } = await read({ categories: 'notes' });
    expect(facts.map(({ content }) => content)).toEqual(['second', 'first']);
    expect(facts[1]).toMatchObject({ subject: 'Pricing', category: 'Notes' });
    expect(by_category).toEqual({ Notes: 2 });
  });

  it('are not written twice', async () => {
    await write({ section: 'notes', content: 'same' });
    expect((await write({ section: 'notes', content: ' SAME ' })).status).toBe(200);
    expect((await write({ section: 'notes', content: 'same', subject: 'other' })).status).toBe(201);
  });

  it('may take the place of another one, as long as that one is current', async () => {
    const old = (await write({ section: 'notes', content: 'old' })).body.fact!.id;
    await write({ section: 'notes', content: 'other' });
    const next = await write({ section: 'notes', content: 'new', supersedes: old });
    expect(next).toMatchObject({ status: 201, body: { superseded: true } });
    expect((await read()).facts.map(({ content }) => content)).toEqual(['other', 'new']);
    expect((await write({ section: 'notes', content: 'late', supersedes: old })).status).toBe(409);
  });

  it('are all replaced on request', async () => {
    await write({ section: 'notes', content: 'a' });
    await write({ section: 'notes', content: 'b', mode: 'replace' });
    expect((await read()).facts.map(({ content }) => content)).toEqual(['b']);
  });
});

describe('superseding a fact', () => {
  it('works for the current fact of a section only', async () => {
    const first = (await write({ section: 'market', content: 'a' })).body.fact!.id;
    expect((await write({ section: 'market', content: 'b', supersedes: first })).status).toBe(201);
    const late = await write({ section: 'market', content: 'c', supersedes: first });
    expect({ status: late.status, error: late.body.error }).toEqual({ status: 409, error: 'version_conflict' });
  });
});

describe('the profile', () => {
  it('keeps domains in canonical spelling', async () => {
    const content = { name: 'Acme', domains: ['https://www.Acme.com/about', 'acme.com', 'bücher.de'], website: 'x' };
    expect((await write({ section: 'profile', content })).status).toBe(201);
    expect((await read()).sections['profile']!.content).toEqual({
      name: 'Acme',
      domains: ['acme.com', 'xn--bcher-kva.de'],
      website: 'x',
    });
  });

  it.each([
    ['a text', 'Acme', 'content'],
    ['a name that is none', { name: 1 }, 'content.name'],
    ['one domain', { domains: 'acme.com' }, 'content.domains'],
    ['a domain that is none', { domains: ['acme.com', 'Acme Corporation'] }, 'content.domains[1]'],
  ])('refuses %s', async (_, content, field) => {
    const { status, body } = await write({ section: 'profile', content });
    expect({ status, field: body.details?.[0]?.field }).toEqual({ status: 400, field });
  });
});

describe('the ideal customer', () => {
  it('is a model that leads are scored by, or prose that scores nothing', async () => {
    const model = { fit: [{ property: 'title', op: 'contains_any', value: ['vp'] }] };
    expect((await write({ section: 'icp', content: model })).body).toMatchObject({ version: 1, compiled: true });
    for (const content of ['We sell to sales leaders.', { who: 'sales leaders' }, ['sales leaders']]) {
      expect((await write({ section: 'icp', content })).body).toMatchObject({ compiled: false });
      expect((await read()).sections['icp']).toMatchObject({ compiled: false, content });
    }
  });

  it('is refused as a model that has faults, each named', async () => {
    const content = { fit: [{ property: 'title', op: 'like', value: 'x' }], weights: { fit: 'much' } };
    const { status, body } = await write({ section: 'icp', content });
    expect(status).toBe(400);
    expect(body.details?.map(({ field }) => field).toSorted()).toEqual([
      'content.fit[0].op',
      'content.weights',
      'content.weights.fit',
    ]);
  });
});

describe('reading facts', () => {
  it('is empty in a new workspace', async () => {
    expect(await read()).toEqual({
      sections: {},
      facts: [],
      count: 0,
      by_category: {},
      limit: 50,
      has_more: false,
    });
  });

  it('shows sections as they stood at a time', async () => {
    const first = await write({ section: 'market', content: 'a' });
    await write({ section: 'market', content: 'b' });
    await write({ section: 'proof', content: 'c' });
    const then = await read({ as_of: first.body.created_at });
    expect(then.sections).toMatchObject({ market: { content: 'a', version: 1 } });
    expect(Object.keys(then.sections)).toEqual(['market']);
    expect((await read({ as_of: '2020-01-01' })).sections).toEqual({});
  });

  it('filters by categories, whatever their spelling', async () => {
    for (const section of ['icp', 'market', 'GTM Motion']) await write({ section, content: section });
    const { sections, facts } = await read({ categories: 'ICP, gtm motion' });
    expect(Object.keys(sections)).toEqual(['gtm_motion', 'icp']);
    expect(facts.map(({ category }) => category)).toEqual(['GTM Motion', 'ICP']);
  });

  it('lists as many facts as requested, and returns whether there are more', async () => {
    for (let i = 0; i < 3; i++) await write({ section: 'notes', content: `note ${i}` });
    expect(await read({ limit: '2' })).toMatchObject({ count: 2, limit: 2, has_more: true, by_category: { Notes: 3 } });
    expect(await read({ limit: '9999' })).toMatchObject({ count: 3, limit: 500, has_more: false });
  });

  it.each([
    ['limit', '0'],
    ['limit', '1.5'],
    ['version', '0'],
    ['version', '1'],
    ['history', 'yes'],
    ['as_of', 'soon'],
    ['section', 'a/b'],
    ['categories', 'icp,a/b'],
  ])('refuses %s=%s', async (field, value) => {
    const { error, details } = await read({ [field]: value });
    expect({ error, field: details?.[0]?.field }).toEqual({ error: 'invalid_request', field });
  });

  it('names the parameters that there are', async () => {
    expect(await read({ sections: 'icp' })).toMatchObject({ error: 'unknown_query_param' });
  });

  it('knows no version that was never written', async () => {
    expect(await read({ section: 'icp', version: '7' })).toMatchObject({ error: 'not_found' });
  });
});

describe('the name in the profile', () => {
  const storedName = async () => {
    const { rows } = await hub.database.pool.query<{ name: string }>('SELECT name FROM workspaces WHERE id = $1', [
      acme.workspaceId,
    ]);
    return rows[0]?.name;
  };

  it('renames the workspace, unless it is a dry run or empty', async () => {
    await acme.post('/v2/workspace/onboarding', { name: 'Acme Labs' });
    expect(await storedName()).toBe('Acme Labs');
    await acme.post('/v2/workspace/onboarding', { name: 'Other', dry_run: true });
    await acme.post('/v2/workspace/onboarding', { website: 'acme.com' });
    expect(await storedName()).toBe('Acme Labs');
    await write({ section: 'profile', mode: 'append', content: { name: '  ' } });
    expect(await storedName()).toBe('Acme Labs');
    expect(await write({ section: 'profile', mode: 'append', content: { name: 'ü'.repeat(201) } })).toMatchObject({
      status: 400,
    });
    await write({ section: 'profile', mode: 'append', content: { name: 'ü'.repeat(200) } });
    expect(await storedName()).toBe('ü'.repeat(200));
  });

  it('renames no other workspace', async () => {
    const other = await hub.workspace();
    await other.post('/v2/workspace/onboarding', { name: 'Globex' });
    expect(await storedName()).not.toBe('Globex');
  });
});
