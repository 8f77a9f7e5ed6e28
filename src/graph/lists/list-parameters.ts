import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_OFFSET } from './query-values.js';

const text = (maxLength: number, more: object = {}) => ({ type: 'string', maxLength, ...more }) as const;
const integer = (minimum: number, maximum: number, more: object = {}) =>
  ({ type: 'integer', minimum, maximum, format: 'int32', ...more }) as const;

/** The parameters of every list, and the form of conditions. */
const COMMON_PARAMETERS: readonly [string, string, object][] = [
  [
    'filter',
    'Conditions as JSON: fields and properties with `$eq $ne $in $nin $contains $starts_with $gt $gte $lt $lte $exists`, ' +
      '`freshness`, `confidence`, `epistemic_class`, `last_observed_at`, put together with `$and $or $not`. Times may be ' +
      'relative (`-30d`). A field or property may also stand as a parameter of its own: `?title=CTO`.',
    text(16_384, { example: '{"title":{"$contains":"vp","freshness":"fresh","confidence":{"$gte":0.7}}}' }),
  ],
  ['sort', 'Up to three fields, `-` for descending: `-icp_score,name`. Rows without a value come last.', text(300)],
  [
    'limit',
    'Rows on a page; more than the most is taken as the most.',
    integer(1, MAX_PAGE_SIZE, { default: DEFAULT_PAGE_SIZE }),
  ],
  ['cursor', '`next_cursor` of the page before, with the same filter and sort.', text(2_000)],
  ['offset', 'Rows to skip. A cursor is better: it stays right while rows are added.', integer(0, MAX_OFFSET)],
  ['page', 'The page, counted from 1, instead of `offset`.', integer(1, MAX_OFFSET)],
  [
    'fields',
    'Only these fields; a name that is no field is a property, which somebody in the workspace must have stated.',
    text(4_000, { example: 'name,email,headcount' }),
  ],
  ['include', '`claims`: everything claimed; `epistemics`: how sure and fresh the facts of the row are.', text(200)],
  [
    'as_of',
    'The facts of the rows as they were then. Such lists are filtered and sorted by what lasts: id, email, linkedin_url, ' +
      'account, created_at; columns of a lead, and who is merged with whom, are as they are now. At most 100 rows a page.',
    text(40, { format: 'date-time' }),
  ],
  ['known_at', 'The same by what had been recorded until then.', text(40, { format: 'date-time' })],
  ['count', 'Whether to count all rows, which reads all of them.', { type: 'boolean', default: false }],
];

/** Describes the query of a list in the OpenAPI document. @param own further parameters and their descriptions. */
export function ListParameters(own: Readonly<Record<string, string>>): MethodDecorator {
  const further = Object.entries(own).map(([name, description]) => [name, description, text(1_000)] as const);
  return applyDecorators(
    ...[...COMMON_PARAMETERS, ...further].map(([name, description, schema]) =>
      ApiQuery({ name, description, required: false, schema }),
    ),
  );
}
