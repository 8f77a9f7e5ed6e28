import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_OFFSET } from './query-values.js';

const text = (maxLength: number, more: object = {}) => ({ type: 'string', maxLength, ...more }) as const;
const integer = (minimum: number, maximum: number, more: object = {}) =>
  ({ type: 'integer', minimum, maximum, ...more }) as const;

/** Parameters that every list has: name, description and schema. */
const COMMON_PARAMETERS: readonly [string, string, object][] = [
  [
    'filter',
    'Conditions as JSON on fields and properties: `$eq $ne $in $nin $contains $starts_with $gt $gte $lt $lte $exists`, ' +
      'and on their claims: `freshness`, `confidence`, `epistemic_class`, `last_observed_at`. Combine them with ' +
      '`$and $or $not`. Times may be relative (`-30d`). A single field or property also works as a parameter of its ' +
      'own: `?title=CTO`. Example: `{"title":{"$contains":"vp","freshness":"fresh","confidence":{"$gte":0.7}}}`.',
    text(16_384),
  ],
  [
    'sort',
    'Up to three fields, separated by commas; `-` sorts descending: `-icp_score,name`. Rows without a value come last.',
    text(300),
  ],
  [
    'limit',
    'Maximum number of rows on a page. Values above the maximum are treated as the maximum.',
    integer(1, MAX_PAGE_SIZE, { default: DEFAULT_PAGE_SIZE }),
  ],
  ['cursor', '`next_cursor` of the previous page, with the same filter and sort.', text(2_000)],
  [
    'offset',
    'Number of rows to skip. Prefer `cursor`, which stays stable while rows are added.',
    integer(0, MAX_OFFSET),
  ],
  ['page', 'Page number, starting at 1, as an alternative to `offset`.', integer(1, MAX_OFFSET)],
  [
    'fields',
    'Return only these fields, separated by commas, such as `name,email`. Names of properties that the workspace has ' +
      'recorded are accepted too.',
    text(4_000),
  ],
  [
    'include',
    '`claims` adds all claims of each row; `epistemics` adds the confidence and freshness of the fields of the row.',
    text(200),
  ],
  [
    'as_of',
    'Return the facts of the rows as they were in effect at this time, ISO 8601. Such lists can be filtered and sorted ' +
      'only by id, email, linkedin_url, domain, account and created_at, and have at most 100 rows per page. Lead columns and ' +
      'merges are as they are now.',
    text(40, { format: 'date-time' }),
  ],
  [
    'known_at',
    'Use only what had been recorded by this time, ISO 8601. Limits as for `as_of`.',
    text(40, { format: 'date-time' }),
  ],
  [
    'count',
    'Whether to return the total number of matching rows. Slower: it reads all of them.',
    { type: 'boolean', default: false },
  ],
];

/** Describes the query of a list in the OpenAPI document. @param own descriptions of further parameters by name. */
export function ListParameters(own: Readonly<Record<string, string>>): MethodDecorator {
  const further = Object.entries(own).map(([name, description]) => [name, description, text(1_000)] as const);
  return applyDecorators(
    ...[...COMMON_PARAMETERS, ...further].map(([name, description, schema]) =>
      ApiQuery({ name, description, required: false, schema }),
    ),
  );
}
