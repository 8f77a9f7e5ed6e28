import type { Json } from '#domain/observation/observation.js';
import { containsAny, matchOf } from './match.js';
import type { Rule } from './model.js';
import { say } from './say.js';

/** Values of a column whose findings are remembered, and the longest of them. */
const MOST_KNOWN = 500;
const LONGEST_KNOWN = 80;

/** A rule that looks at the values of a column, or at what these tell of another property. */
export interface Asked {
  readonly rule: Rule;
  readonly read: (value: Json) => Json | undefined;
}

/** What the rules of a model find in one property of leads, value by value. */
export class Column {
  private readonly known = new Map<string | number, Finding>();

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
    let mark = value === false ? 'n' : 'y';
    for (const { rule, read } of this.asked) {
      const told = read(value);
      mark += markOf(told === undefined ? undefined : matchOf(rule, told));
    }
    for (const words of this.words) mark += containsAny(value, words) ? '+' : '-';
    return new Finding(mark, value);
  }
}

/** What the rules of a column found in a value. */
export class Finding {
  private sentences: Map<Rule, string> | undefined;

  /** @param mark values with the same mark are the same to all rules of the column. */
  constructor(
    readonly mark: string,
    private readonly value: Json,
  ) {}

  /** What a rule found, in words; made once. */
  sentence(asked: Asked): string {
    this.sentences ??= new Map();
    let sentence = this.sentences.get(asked.rule);
    if (sentence === undefined) this.sentences.set(asked.rule, (sentence = this.say(asked)));
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
