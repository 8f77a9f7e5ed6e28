import type { JsonValue } from '#domain/observation/observation.js';
import { containsAny, matchRule } from './match-rule.js';
import type { ScoreRule } from './model.js';
import { isDenial } from './pain-layer.js';
import { formatReason } from './reason-text.js';

/** Values of a column whose findings are remembered, as many as a list may have, and the longest of them. */
const MAX_CACHED_VALUES = 1000;
const MAX_CACHED_LENGTH = 80;

/** Kinds of findings that a column tells apart. */
const MAX_KINDS = 1000;

/** The kind of a finding beyond these. It is like no other, and not like itself either. */
export const UNCACHED = NaN;

/** A rule that looks at the values of a column, or at what these tell of another property. */
export interface ColumnRule {
  readonly rule: ScoreRule;
  readonly read: (value: JsonValue) => JsonValue | undefined;
}

/** What the rules of a model find in one property of leads, value by value. */
export class ScoreColumn {
  private readonly cache = new Map<string | number, ColumnMatch>();
  /** By what all rules say, sign by sign. */
  private readonly kinds = new Map<string, number>();

  /** @param rules rules of which it matters how far they match. @param words of each hint that is looked for. */
  constructor(
    private readonly rules: readonly ColumnRule[],
    private readonly words: readonly (readonly string[])[],
  ) {}

  /** What all rules find in a value. */
  match(value: JsonValue): ColumnMatch {
    if (!isCacheable(value)) return this.computeMatch(value);
    let finding = this.cache.get(value);
    if (!finding) {
      finding = this.computeMatch(value);
      if (this.cache.size < MAX_CACHED_VALUES) this.cache.set(value, finding);
    }
    return finding;
  }

  private computeMatch(value: JsonValue): ColumnMatch {
    let mark = isDenial(value) ? 'n' : 'y';
    for (const { rule, read } of this.rules) {
      const told = read(value);
      mark += formatMatchKey(told === undefined ? undefined : matchRule(rule, told));
    }
    for (const words of this.words) mark += containsAny(value, words) ? '+' : '-';
    return new ColumnMatch(this.findKind(mark), value);
  }

  private findKind(mark: string): number {
    const kind = this.kinds.get(mark);
    if (kind !== undefined) return kind;
    if (this.kinds.size >= MAX_KINDS) return UNCACHED;
    this.kinds.set(mark, this.kinds.size);
    return this.kinds.size - 1;
  }
}

/** What the rules of a column found in a value. */
export class ColumnMatch {
  private reasonCache: Map<ScoreRule, string> | undefined;

  /** @param kind values of the same kind are the same to all rules of the column. */
  constructor(
    readonly kind: number,
    private readonly value: JsonValue,
  ) {}

  /** What a rule found, in words, as they stand within the quotes of a JSON text; made once. */
  reasonText(asked: ColumnRule): string {
    this.reasonCache ??= new Map();
    let sentence = this.reasonCache.get(asked.rule);
    if (sentence === undefined) {
      sentence = JSON.stringify(this.formatReason(asked)).slice(1, -1);
      this.reasonCache.set(asked.rule, sentence);
    }
    return sentence;
  }

  private formatReason({ rule, read }: ColumnRule): string {
    const value = read(this.value)!;
    return formatReason(rule, value, matchRule(rule, value)!);
  }
}

function isCacheable(value: JsonValue): value is string | number {
  return typeof value === 'string' ? value.length <= MAX_CACHED_LENGTH : typeof value === 'number';
}

/** One sign for nothing, for all and for what cannot be compared, more for what lies between. */
function formatMatchKey(match: number | undefined): string {
  if (match === undefined) return '?';
  if (match === 1) return '+';
  return match === 0 ? '-' : `${match};`;
}
