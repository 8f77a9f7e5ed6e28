import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { Freshness } from '#domain/claims/freshness.js';
import type { Instant } from '#domain/time/instant.js';

/**
 * What a field of a list holds, which decides what it can be asked:
 * - `claim`: whatever is claimed of the entity under that property, compared as claims compare;
 * - `text`: a column, compared letter by letter; `name`: the entity's name, compared as names are;
 * - `number`, `time` (microseconds), `boolean`, `uuid`: columns;
 * - `email`, `linkedin`: any identifier of that kind; `account`: the company, by its id or domain.
 */
export type FieldKind =
  | 'claim'
  | 'text'
  | 'name'
  | 'number'
  | 'time'
  | 'boolean'
  | 'uuid'
  | 'email'
  | 'linkedin'
  | 'account';

/** A field of a list. Of a claim the name is the canonical property, of everything else the column. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The only values that the column has; undefined: any. */
  readonly values?: readonly string[];
}

/** A value as it is compared: folded text, a number, an instant, a truth value. */
export type Comparand = string | number | boolean;

/** Which side of a value is meant. */
export type ComparisonOperator = '<' | '<=' | '>' | '>=';

/** One question about one field, always asked in the positive; a claim that is not there answers no. */
export type FieldTest =
  | { readonly op: 'in'; readonly values: readonly Comparand[] }
  | { readonly op: 'contains' | 'starts_with'; readonly value: string }
  | { readonly op: 'compare'; readonly side: ComparisonOperator; readonly value: string | number }
  | { readonly op: 'exists' }
  | { readonly op: 'freshness'; readonly grades: readonly Freshness[] }
  | { readonly op: 'class'; readonly classes: readonly EpistemicClass[] }
  | { readonly op: 'confidence'; readonly side: ComparisonOperator | '='; readonly value: number }
  | { readonly op: 'observed'; readonly side: ComparisonOperator; readonly value: Instant };

/** A checked filter. `all` of nothing is true, `any` of nothing is false. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: Field; readonly test: FieldTest };

/** The filter that everything passes. */
export const MATCH_ALL: Filter = { all: [] };

/** What is wrong with a filter: where, and how to mend it. */
export interface FilterProblem {
  /** A path such as `filter.title.$in`. */
  readonly field: string;
  readonly message: string;
}
