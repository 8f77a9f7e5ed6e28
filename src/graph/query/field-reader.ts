import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';

type RawFields = Readonly<Record<string, JsonValue | undefined>>;

/** Reads the fields of an object one by one and keeps what is wrong with them. Null counts as absent. */
export class FieldReader {
  constructor(
    private readonly source: RawFields,
    private readonly problems: FieldProblem[],
    private readonly path = '',
  ) {}

  /** Every other field is a problem. */
  rejectOthers(names: readonly string[]): void {
    for (const { field, message } of findUnknownFields(this.source, names))
      this.problems.push({ field: this.toPath(field), message });
  }

  raw(name: string): JsonValue | undefined {
    return (Object.hasOwn(this.source, name) ? this.source[name] : undefined) ?? undefined;
  }

  /** An object with no other fields; an empty one where there is none. */
  object(name: string, names: readonly string[]): FieldReader {
    const value = this.raw(name);
    if (value !== undefined && !isPlainObject(value)) this.addProblem(name, 'must be an object');
    const fields = new FieldReader(isPlainObject(value) ? value : {}, this.problems, `${this.path}${name}.`);
    fields.rejectOthers(names);
    return fields;
  }

  objects(name: string, most: number, names: readonly string[]): FieldReader[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > most || !value.every(isPlainObject)) {
      this.addProblem(name, `must be a list of at most ${most} objects`);
      return [];
    }
    return value.map((each, i) => {
      const fields = new FieldReader(each as RawFields, this.problems, `${this.path}${name}[${i}].`);
      fields.rejectOthers(names);
      return fields;
    });
  }

  text(name: string, longest: number): string | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'string' && value.length <= longest)) return value;
    return this.addProblem(name, `must be a text of at most ${longest} characters`);
  }

  /** A list of texts, or one text. */
  texts(name: string, most: number, longest: number): string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    const texts = list.filter(each => typeof each === 'string' && each.length <= longest) as string[];
    if (texts.length === list.length && list.length <= most) return texts;
    return this.addProblem(name, `must be a list of at most ${most} texts of at most ${longest} characters`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    return choices.find(choice => choice === value) ?? this.addProblem(name, `must be one of ${choices.join(', ')}`);
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    return value === undefined || typeof value === 'boolean' ? value : this.addProblem(name, 'must be true or false');
  }

  number(name: string, least: number, most: number): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) return value;
    return this.addProblem(name, `must be a number from ${least} to ${most}`);
  }

  whole(name: string, least: number, most: number): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most))
      return value as number | undefined;
    return this.addProblem(name, `must be a whole number, ${least} or more`);
  }

  instant(name: string): Instant | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const read = typeof value === 'string' ? parseInstant(value) : undefined;
    return read ?? this.addProblem(name, 'must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z');
  }

  /** Keeps a problem: the field and what would be right. */
  addProblem(name: string, what: string): undefined {
    const field = this.toPath(name);
    this.problems.push({ field, message: `${field} ${what}.` });
    return undefined;
  }

  private toPath(name: string): string {
    return `${this.path}${name}`.slice(0, 200);
  }
}
