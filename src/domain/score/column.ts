import type { Json } from '#domain/observation/observation.js';
import { containsAny, matchOf } from './match.js';
import type { Rule } from './model.js';
import { isDenial } from './pain-layer.js';
import { say } from './say.js';

/** Values of a column whose findings are remembered, as many as a list may have, and the longest of them. */
const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 80;

/** Kinds of findings that a column tells apart. */
const MOST_KINDS = 1000;

/** The kind of a finding beyond these. It is like no other, and not like itself either. */
export const UNCOUNTED = NaN;

/** A rule that looks at the values of a column, or at what these tell of another property. */
export interface Asked {
  readonly rule: Rule;
  readonly read: (value: Json) => Json | undefined;
}

/** What the rules of a model find in one property of leads, value by value. */
export class Column {
  private readonly known = new Map<string | number, Finding>();
  /** By what all rules say, sign by sign. */
  private readonly kinds = new Map<string, number>();

  /** @param asked rules of which it matters how far they match. @param words of each hint that is looked for. */
  constructor(
    private readonly asked: readonly Asked[],
    private readonly words: readonly (readonly string[])[],
  ) {}

  /** What all rules find in a value. */
  find(value: Json): Finding {
    if (!isShort(value)) return this.findAnew(value);
    let finding = this.known.get(value);
    if (!finding) {
      finding = this.findAnew(value);
      if (this.known.size < MOST_KNOWN) this.known.set(value, finding);
    }
    return finding;
  }

  private findAnew(value: Json): Finding {
    let mark = isDenial(value) ? 'n' : 'y';
    for (const { rule, read } of this.asked) {
      const told = read(value);
      mark += markOf(told === undefined ? undefined : matchOf(rule, told));
    }
    for (const words of this.words) mark += containsAny(value, words) ? '+' : '-';
    return new Finding(this.kindOf(mark), value);
  }

  private kindOf(mark: string): number {
    const kind = this.kinds.get(mark);
    if (kind !== undefined) return kind;
    if (this.kinds.size >= MOST_KINDS) return UNCOUNTED;
    this.kinds.set(mark, this.kinds.size);
    return this.kinds.size - 1;
  }
}

/** What the rules of a column found in a value. */
export class Finding {
  private sentences: Map<Rule, string> | undefined;

  /** @param kind values of the same kind are the same to all rules of the column. */
  constructor(
    readonly kind: number,
    private readonly value: Json,
  ) {}

  /** What a rule found, in words, as they stand within the quotes of a JSON text; made once. */
  sentence(asked: Asked): string {
    this.sentences ??= new Map();
    let sentence = this.sentences.get(asked.rule);
    if (sentence === undefined) {
      sentence = JSON.stringify(this.say(asked)).slice(1, -1);
      this.sentences.set(asked.rule, sentence);
    }
    return sentence;
  }

  private say({ rule, read }: Asked): string {
    const value = read(this.value)!;
    return say(rule, value, matchOf(rule, value)!);
  }
}

function isShort(value: Json): value is string | number {
  return typeof value === 'string' ? value.length <= LONGEST_KNOWN : typeof value === 'number';
}

/** One sign for nothing, for all and for what cannot be compared, more for what lies between. */
function markOf(match: number | undefined): string {
  if (match === undefined) return '?';
  if (match === 1) return '+';
  return match === 0 ? '-' : `${match};`;
}
