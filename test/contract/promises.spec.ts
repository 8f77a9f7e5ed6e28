import { readFileSync } from 'node:fs';
import type { Document } from '../support/open-api.js';
import { brokenInDocument, brokenInErrors, brokenInTools, type Tool } from './promises.js';

type Edits = Readonly<Record<string, unknown>>;

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as T;

/** Sets what stands at the end of each way (steps parted by a space), or takes it away where undefined is given. */
function edited<T>(original: T, edits: Edits): T {
  const copy = structuredClone(original);
  for (const [way, value] of Object.entries(edits)) {
    const steps = way.split(' ');
    const last = steps.pop()!;
    const place = steps.reduce<unknown>((at, step) => (at as Edits)[step], copy) as Record<string, unknown>;
    if (!(last in place) && value === undefined) throw new Error(`there is nothing at ${way}`);
    if (value === undefined) delete place[last];
    else place[last] = value;
  }
  return copy;
}

/** What is said to be broken when the real document is edited. */
const after = (edits: Edits) => brokenInDocument(read<Document>('openapi'), edited(read<Document>('openapi'), edits));
const field = (schema: string, name: string) => `components schemas ${schema} properties ${name}`;
const required = (schema: string) => `components schemas ${schema} required`;

describe('the comparer of promises', () => {
  it('has nothing against what stays as it is, and against additions', () => {
    expect(after({})).toEqual([]);
    const { parameters = [] } = read<Document>('openapi').paths['/v2/people']!['get']!;
    expect(
      after({
        'paths /v2/new': { get: { operationId: 'new', responses: {} } },
        [field('RecordResult', 'more')]: { type: 'string' },
        [field('Observation', 'more')]: { type: 'string' },
        [`paths /v2/people get parameters ${parameters.length}`]: {
          name: 'new',
          in: 'query',
          schema: { type: 'string' },
        },
      }),
    ).toEqual([]);
  });

  it('sees every path and every operation that is gone', () => {
    for (const path of Object.keys(read<Document>('openapi').paths)) {
      expect(after({ [`paths ${path}`]: undefined })).toContainEqual(expect.stringContaining(`${path}: is gone`));
    }
    expect(after({ 'paths /v2/people patch': undefined })).toEqual(['PATCH /v2/people: is gone']);
  });

  it.each([
    ['RecordResult', 'recorded', 'POST /v2/observations 200.recorded: is gone'],
    ['NoteHit', 'snippet', 'POST /v2/notes/search 200.documents[].snippet: is gone'],
    ['Claim', 'freshness', 'GET /v2/accounts/{id} 200.claims.*.freshness: is gone'],
    ['PersonAccount', 'domain', 'GET /v2/people 200.people[].account.domain: is gone'],
  ])('sees that the field of an answer is gone, however deep: %s.%s', (schema, name, broken) => {
    expect(after({ [field(schema, name)]: undefined })).toContain(broken);
  });

  it('sees a field of an answer that may be absent, null or something else', () => {
    expect(after({ [required('RecordResult')]: ['recorded'] })).toContain(
      'POST /v2/observations 200.entity_id: may be absent now',
    );
    expect(after({ [`${field('RecordResult', 'recorded')} type`]: ['integer', 'null'] })).toContain(
      'POST /v2/observations 200.recorded: may be null now',
    );
  });

  it.each([
    [required('Observation'), ['kind', 'property', 'source'], 'observations[].source: is required now'],
    [field('Observation', 'raw'), undefined, 'observations[].raw: is no longer taken'],
    [`${field('Observation', 'source')} maxLength`, 50, 'observations[].source: maxLength fell'],
    [`${field('Observation', 'kind')} enum`, ['event'], 'observations[].kind: "state" is no longer taken'],
    [`${field('RecordObservationsRequest', 'observations')} maxItems`, 10, 'observations: maxItems fell'],
    [`${field('Observation', 'source')} type`, 'integer', 'observations[].source: string is no longer taken'],
  ])('sees a request that is taken no longer: %s', (way, value, broken) => {
    expect(after({ [way]: value })).toContain(`POST /v2/observations body.${broken}`);
  });

  it('sees a parameter that is gone or required, a status and a name that are others', () => {
    const { parameters = [], responses } = read<Document>('openapi').paths['/v2/leads']!['get']!;
    const leads = 'paths /v2/leads get';
    expect(after({ [`${leads} parameters`]: parameters.slice(1) })).toEqual(['GET /v2/leads ?filter: is gone']);
    expect(after({ [`${leads} parameters 0 required`]: true })).toEqual(['GET /v2/leads ?filter: is required now']);
    expect(after({ [`${leads} responses`]: { 202: responses['200'] } })).toContain(
      'GET /v2/leads: no longer answers 200',
    );
    expect(after({ [`${leads} operationId`]: 'other' })).toEqual(['GET /v2/leads: is called other now']);
  });

  it('sees a code that is gone or has another status', () => {
    expect(brokenInErrors({ a: 400, b: 404 }, { a: 409, c: 400 })).toEqual(['a: is 409 now, was 400', 'b: is gone']);
    expect(brokenInErrors({ a: 400 }, { a: 400, b: 500 })).toEqual([]);
  });

  it('sees a tool that is gone, wants more or tells less', () => {
    const tools = read<Tool[]>('tools');
    const record = tools.findIndex(({ name }) => name === 'record');
    const changed = edited(tools, {
      [`${record} inputSchema required`]: ['focus', 'why'],
      [`${record} outputSchema properties recorded`]: undefined,
    });
    expect(brokenInTools(tools, tools)).toEqual([]);
    expect(brokenInTools(tools, tools.slice(1))).toEqual([`${tools[0]!.name}: is gone`]);
    expect(brokenInTools(tools, changed)).toEqual(
      expect.arrayContaining(['record.why: is required now', 'record.recorded: is gone']),
    );
  });
});
