import type { ClaimRules } from '#domain/claims/rules.js';
import type { FieldCatalogue } from '#domain/filters/field-catalogue.js';

/** SQL and type of a list column. */
export interface ListColumn {
  readonly sql: string;
  readonly type: 'text' | 'timestamptz' | 'float8' | 'int4' | 'bool' | 'uuid';
}

/**
 * The FROM clause and columns of rows that can be listed. All SQL is fixed; callers only select from it. `$1` is the
 * workspace.
 */
export interface ListSource {
  readonly catalogue: FieldCatalogue;
  /** The clause after FROM. */
  readonly from: string;
  /** Condition that every row of the list satisfies. */
  readonly where: string;
  /** SQL for the id of a row, and for the entity that its claims are about. */
  readonly id: string;
  readonly entity: string;
  /** Returns SQL for rows whose claim `c` satisfies a condition. Never null. */
  readonly claimCondition: (condition: string) => string;
  /** Returns SQL for rows about entities whose canonical ids a subquery selects. Never null. */
  readonly entityCondition: (ids: string) => string;
  /** SQL for the company of that entity. */
  readonly company: string;
  readonly columns: Readonly<Record<string, ListColumn>>;
  /** Rules for the freshness of claims. Default: the default rules. */
  readonly rules?: ClaimRules;
  /** Sort expressions of columns that are not sorted by their own SQL. */
  readonly sorts?: Readonly<Record<string, ListColumn>>;
}
