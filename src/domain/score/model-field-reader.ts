import { isPlainObject, type JsonValue } from '../observation/observation.js';

/** A problem of one field of a model. */
export interface ModelProblem {
  /** Path such as `content.fit[2].op`. */
  readonly field: string;
  /** Says how to fix it. */
  readonly message: string;
}

/** Reads and validates the fields of an object of a model, and collects problems with their paths. */
export class ModelFieldReader {
  private readonly fields: Readonly<Record<string, JsonValue>>;

  constructor(
    value: JsonValue | undefined,
    readonly path: string,
    readonly problems: ModelProblem[],
    known: readonly string[],
  ) {
    this.fields = isPlainObject(value) ? value : {};
    if (!isPlainObject(value)) this.report('', 'must be an object.');
    for (const name of Object.keys(this.fields)) {
      if (!known.includes(name)) this.report(name, `is not a field here; there are ${known.join(', ')}.`);
    }
  }

  /** Returns a field as it is; undefined if it is absent. */
  get(name: string): JsonValue | undefined {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }

  report(name: string, message: string): void {
    const field = name === '' ? this.path : `${this.path}.${name}`;
    this.problems.push({ field, message: `${field} ${message}` });
  }

  /** Reads a number within bounds; `usual` if absent. */
  number(name: string, least: number, most: number, usual?: number): number {
    const value = this.get(name) ?? usual;
    if (typeof value === 'number' && value >= least && value <= most) return value;
    this.report(name, `must be a number from ${least} to ${most}.`);
    return least;
  }

  /** Reads a text of at most `longest` characters; `usual` if absent. */
  text(name: string, longest: number, usual?: string): string {
    const value = this.get(name) ?? usual;
    if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
    this.report(name, `must be a text of 1 to ${longest} characters.`);
    return '';
  }

  /** Reads one of the given words; `usual` if absent. */
  choice<Word extends string>(name: string, words: readonly Word[], usual?: Word): Word {
    const value = this.get(name) ?? usual;
    const word = words.find(each => each === value);
    if (word === undefined) this.report(name, `must be one of ${words.join(', ')}.`);
    return word ?? words[0]!;
  }

  /** Reads a list of at most `most` members, each with its path; undefined if absent. */
  list(name: string, most: number): { readonly value: JsonValue; readonly path: string }[] | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= most) {
      return value.map((member, i) => ({ value: member, path: `${this.path}.${name}[${i}]` }));
    }
    this.report(name, `must be a list of at most ${most} members.`);
    return [];
  }

  /** Reads a text or a list of texts, as a list. */
  words(name: string): string[] {
    const value = this.get(name);
    const list = Array.isArray(value) ? value : [value];
    const words = list.filter(word => typeof word === 'string' && word.trim() !== '' && word.length <= 200);
    if (words.length === list.length && words.length > 0 && words.length <= 500) return words as string[];
    this.report(name, 'must be a text or a list of 1 to 500 texts.');
    return [];
  }
}
