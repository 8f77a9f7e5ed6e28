import type { ClaimRules } from '#domain/claims/rules.js';
import type { FieldCatalogue } from '#domain/filters/field-catalogue.js';

/** A column of a list: its SQL and type. */
export interface ListColumn {
  readonly sql: string;
  readonly type: 'text' | 'timestamptz' | 'float8' | 'int4' | 'bool' | 'uuid';
}

/**
 * Rows that can be listed: where they come from and what their columns are. All of it is written by us; what callers
 * say only chooses among it. `$1` is the workspace.
 */
export interface ListSource {
  readonly catalogue: FieldCatalogue;
  /** What follows FROM. */
  readonly from: string;
  /** What every row of the list fulfils. */
  readonly where: string;
  /** The id of a row, and of the entity that its claims are about. */
  readonly id: string;
  readonly entity: string;
  /** SQL that finds the rows whose claim `c` fulfils a condition. Never null. */
  readonly claimCondition: (condition: string) => string;
  /** SQL that finds the rows about entities whose ids (of whom they were merged into) a subquery gives. Never null. */
  readonly entityCondition: (ids: string) => string;
  /** The company of that entity. */
  readonly company: string;
  readonly columns: Readonly<Record<string, ListColumn>>;
  /** By which claims age; the usual ones where nothing is said. */
  readonly rules?: ClaimRules;
  /** What a column is sorted by, where that is something else. */
  readonly sorts?: Readonly<Record<string, ListColumn>>;
}
