import { Type } from '@mikro-orm/postgresql';
import { type Instant, toIso } from '#domain/time/instant.js';

/** Maps a `timestamptz` column. The pool parses it to an Instant already; it is written as ISO 8601. */
export class InstantType extends Type<Instant, string | Instant> {
  override convertToDatabaseValue(value: Instant | null | undefined): string {
    return (value == null ? value : toIso(value)) as string;
  }

  override convertToJSValue(value: string | Instant): Instant {
    return value as Instant;
  }

  override compareAsType(): string {
    return 'string';
  }

  override get runtimeType(): string {
    return 'number';
  }

  override getColumnType(): string {
    return 'timestamptz';
  }
}
