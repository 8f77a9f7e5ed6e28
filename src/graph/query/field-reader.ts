import { isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { type FieldProblem } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';

type RawFields = Readonly<Record<string, JsonValue | undefined>>;

/** Reads and validates the fields of an object, and collects their problems. Null counts as absent. */
export class FieldReader {
  constructor(
    private readonly source: RawFields,
    private readonly problems: FieldProblem[],
    private readonly path = '',
  ) {}

  /** Adds a problem for every field that is not in `names`. */
  rejectOthers(names: readonly string[]): void {
    for (const { field, message } of findUnknownFields(this.source, names))
      this.problems.push({ field: this.toPath(field), message });
  }

  /** Returns the value of a field without validation. */
  raw(name: string): JsonValue | undefined {
    return (Object.hasOwn(this.source, name) ? this.source[name] : undefined) ?? undefined;
  }

  /** Returns a reader of a nested object with these fields; an empty one if the field is absent. */
  object(name: string, names: readonly string[]): FieldReader {
    const value = this.raw(name);
    if (value !== undefined && !isPlainObject(value)) this.addProblem(name, 'must be an object');
    const fields = new FieldReader(isPlainObject(value) ? value : {}, this.problems, `${this.path}${name}.`);
    fields.rejectOthers(names);
    return fields;
  }

  /** Returns readers of a list of at most `max` objects with these fields. */
  objects(name: string, max: number, names: readonly string[]): FieldReader[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > max || !value.every(isPlainObject)) {
      this.addProblem(name, `must be a list of at most ${max} objects`);
      return [];
    }
    return value.map((each, i) => {
      const fields = new FieldReader(each as RawFields, this.problems, `${this.path}${name}[${i}].`);
      fields.rejectOthers(names);
      return fields;
    });
  }

  /** Returns a text of at most `maxLength` characters. */
  text(name: string, maxLength: number): string | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'string' && value.length <= maxLength)) return value;
    return this.addProblem(name, `must be a text of at most ${maxLength} characters`);
  }

  /** Returns a list of at most `max` texts; a single text counts as a list of one. */
  texts(name: string, max: number, maxLength: number): string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    const texts = list.filter(each => typeof each === 'string' && each.length <= maxLength) as string[];
    if (texts.length === list.length && list.length <= max) return texts;
    return this.addProblem(name, `must be a list of at most ${max} texts of at most ${maxLength} characters`);
  }

  /** Returns one of the choices. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    return choices.find(choice => choice === value) ?? this.addProblem(name, `must be one of ${choices.join(', ')}`);
  }

  /** Returns a boolean. */
  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    return value === undefined || typeof value === 'boolean' ? value : this.addProblem(name, 'must be true or false');
  }

  /** Returns a number within the bounds, inclusive. */
  number(name: string, min: number, max: number): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return value;
    return this.addProblem(name, `must be a number from ${min} to ${max}`);
  }

  /** Returns an integer within the bounds, inclusive. */
  whole(name: string, min: number, max: number): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max))
      return value as number | undefined;
    return this.addProblem(name, `must be a whole number, ${min} or more`);
  }

  /** Returns an ISO 8601 date or time as microseconds. */
  instant(name: string): Instant | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const read = typeof value === 'string' ? parseInstant(value) : undefined;
    return read ?? this.addProblem(name, 'must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z');
  }

  /** Adds a problem. @param requirement predicate about the field, such as "must be true or false". */
  addProblem(name: string, requirement: string): undefined {
    const field = this.toPath(name);
    this.problems.push({ field, message: `${field} ${requirement}.` });
    return undefined;
  }

  private toPath(name: string): string {
    return `${this.path}${name}`.slice(0, 200);
  }
}
