import { foldAll } from '#domain/claims/fold.js';
import { EMPLOYER_PROPERTY, projectTenure } from '#domain/claims/doubt.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Statement } from '#domain/claims/property-state.js';
import { defaultRules } from '#domain/claims/rules.js';
import { parseInstant } from '#domain/time/instant.js';

type Line = readonly [property: string, value: string | null, source: string, day: string];

const NOW = parseInstant('2026-11-20T00:00:00Z')!;

function toStatement([property, value, origin, day]: Line, index: number): Statement {
  const [source, method = 'api'] = origin.split('/');
  const observedAt = parseInstant(`2026-${day}T00:00:00Z`)! + index;
  return { id: `o${index}`, property, value, source: source!, method, observedAt, digest: `d${index}`, event: false };
}

function freshnessOf(property: string, lines: readonly Line[]): string | undefined {
  const log = lines.map(toStatement);
  const fold = (name: string) =>
    foldAll(
      defaultRules,
      name,
      log.filter(statement => statement.property === name),
      NOW,
    );
  const employer = projectTenure(EMPLOYER_PROPERTY, fold(EMPLOYER_PROPERTY));
  const claim = toClaim(defaultRules, property, fold(property), NOW, { employer });
  return claim && `${claim.freshness}${claim.freshness_reason === undefined ? '' : ': earlier job'}`;
}

const OUTDATED = 'suspect: earlier job';
const atAcme: Line[] = [
  ['company', 'Acme', 'crm:a', '10-01'],
  ['title', 'CFO', 'crm:a', '10-01'],
];

const cases: readonly [title: string, property: string, lines: readonly Line[], expected: string | undefined][] = [
  ['a title before a new employer', 'title', [...atAcme, ['company', 'Globex', 'user/manual', '11-01']], OUTDATED],
  [
    'a title that the CRM repeats with the old employer',
    'title',
    [
      ...atAcme,
      ['company', 'Globex', 'user/correction', '11-01'],
      ['company', 'Acme', 'crm:a', '11-02'],
      ['title', 'CFO', 'crm:a', '11-02'],
    ],
    OUTDATED,
  ],
  [
    'the same title with the new employer, by the same source',
    'title',
    [...atAcme, ['company', 'Globex', 'crm:a', '11-01'], ['title', 'CFO', 'crm:a', '11-01']],
    'fresh',
  ],
  [
    'another title by a source that still has the old employer',
    'title',
    [...atAcme, ['company', 'Globex', 'user/manual', '11-01'], ['title', 'CEO', 'crm:a', '11-05']],
    'fresh',
  ],
  [
    'a title before the first employer',
    'title',
    [
      ['title', 'CFO', 'agent', '10-01'],
      ['company', 'Acme', 'agent', '11-01'],
    ],
    'fresh',
  ],
  [
    'a title after an employer that was only guessed',
    'title',
    [
      ['company', 'acme.com', 'system:email_domain/derived', '10-01'],
      ['title', 'CFO', 'agent', '10-02'],
      ['company', 'Acme Robotics', 'agent', '11-01'],
    ],
    'fresh',
  ],
  ['a title when the employer was left', 'title', [...atAcme, ['company', null, 'user/manual', '11-01']], OUTDATED],
  [
    'a title when only its end is known',
    'title',
    [
      ['title', 'CFO', 'agent', '10-01'],
      ['company', null, 'agent', '11-01'],
    ],
    OUTDATED,
  ],
  ['another spelling of the employer', 'title', [...atAcme, ['company', 'ACME Inc.', 'user/manual', '11-01']], 'fresh'],
  ['an employer that does not prevail', 'title', [...atAcme, ['company', 'Globex', 'call:1/llm', '11-01']], 'fresh'],
  [
    'a title of the same call',
    'title',
    [...atAcme, ['title', 'CEO', 'agent', '11-01'], ['company', 'Globex', 'agent', '11-01']],
    'fresh',
  ],
  [
    'a seniority before a new employer',
    'seniority',
    [['seniority', 'vp', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    OUTDATED,
  ],
  [
    'a department before a new employer',
    'department',
    [['department', 'Finance', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    OUTDATED,
  ],
  [
    'a phone before a new employer',
    'phone',
    [['phone', '+49 30 123456', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    OUTDATED,
  ],
  [
    'a work address before a new employer',
    'email',
    [['email', 'ada@acme.com', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    OUTDATED,
  ],
  [
    'a private address before a new employer',
    'email',
    [['email', 'ada@gmail.com', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    'fresh',
  ],
  [
    'a place before a new employer',
    'city',
    [['city', 'Munich', 'crm:a', '10-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    'fresh',
  ],
  [
    'a title stated again by somebody who said nothing about the employer',
    'title',
    [...atAcme, ['company', 'Globex', 'user/manual', '11-01'], ['title', 'CFO', 'linkedin', '11-05']],
    'fresh',
  ],
  [
    'a title that expired',
    'title',
    [['title', 'CFO', 'csv', '01-01'], ...atAcme, ['company', 'Globex', 'user/manual', '11-01']],
    OUTDATED,
  ],
];

describe('facts of a job', () => {
  it.each(cases)('grades %s', (_, property, lines, expected) => {
    expect(freshnessOf(property, lines)).toBe(expected);
  });
});
