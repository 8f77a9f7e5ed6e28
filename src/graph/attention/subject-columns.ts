import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/**
 * Stored data of all candidates as columns: reading a few thousand rows as objects would take half of the call. `place`
 * is the position of the entity, from 1. Times are microseconds.
 */
export interface SubjectColumns {
  readonly entities: Columns<
    [
      id: string,
      type: EntityType,
      name: string | null,
      companyId: string | null,
      company: string | null,
      activity: Instant | null,
    ]
  >;
  /** `before` is the previous score; null for other properties. */
  readonly claims: Columns<
    [
      place: number,
      property: string,
      value: JsonValue,
      confidence: number,
      epistemicClass: EpistemicClass,
      at: Instant,
      before: PreviousScore | null,
    ]
  >;
  readonly interactions: Columns<[place: number, id: string, at: Instant]> | null;
  readonly meetings: Columns<[place: number, id: string, property: string, value: JsonValue, at: Instant]> | null;
  readonly proposals: Columns<[entityId: string, otherId: string, kind: string, value: string, at: Instant]> | null;
}

/** The previous score, and when it was replaced. */
export interface PreviousScore {
  readonly value: JsonValue;
  readonly to: Instant;
}

/** Lists of equal length; all null if there are no rows. */
type Columns<Row extends readonly unknown[]> = { readonly [Place in keyof Row]: readonly Row[Place][] | null };
