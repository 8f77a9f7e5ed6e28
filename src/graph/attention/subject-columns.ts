import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/**
 * What is kept of everybody who may want attention, each list as its columns: to name the parts of a few thousand
 * things, or to read each as a row, costs half of the call. `place` is that of the entity, from 1. Times are microseconds.
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
  /** `before` is what a score was before. */
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

/** The score before the present one, and until when it stood. */
export interface PreviousScore {
  readonly value: JsonValue;
  readonly to: Instant;
}

/** Lists of the same length; all null where there is nothing. */
type Columns<Row extends readonly unknown[]> = { readonly [Place in keyof Row]: readonly Row[Place][] | null };
