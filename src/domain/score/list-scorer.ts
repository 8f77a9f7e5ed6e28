import type { Instant } from '../time/instant.js';
import {
  type ColumnRule,
  type ScoreColumn,
  type ColumnMatch,
  UNCACHED,
  buildScoreColumns,
  listRuleSources,
} from './score-columns.js';
import {
  canonicalAttribute,
  type InlineAttributes,
  buildInlineEvidence,
  hasContactDetails,
  normalizeAttribute,
} from './evidence.js';
import type { IcpModel } from './model.js';
import { formatAverageReason } from './reason-text.js';
import { type LeadScore, scoreLead } from './score-lead.js';

/** Maximum number of cached scores and attribute names. */
const MAX_CACHED_SCORES = 500;
const MAX_CACHED_ATTRIBUTES = 500;

/** Kind of a column without a value. */
const NO_MATCH = -1;

/** Odd multiplier of the hash, as for string hashes. */
const HASH_MULTIPLIER = 31;

/** The score of one lead of a list. */
export interface ListScore {
  /** Shared by all leads with the same matches; its reasons are those of the first of them. */
  readonly score: LeadScore;
  /** The strongest reasons of Fit as one quoted JSON string; `null` if there are none. */
  readonly sentence: string;
}

type ReasonSource = (ColumnRule & { readonly place: number }) | { readonly sentence: string };

interface CachedScore {
  readonly score: LeadScore;
  /** Columns from which the reasons are taken, or reasons that do not depend on the value. */
  readonly reasonRules: readonly ReasonSource[];
  /** Kind of the match in each column. */
  readonly kinds: readonly number[];
}

/** An attribute with its property, its column, and whether it is a contact detail. */
interface AttributeSlot {
  readonly name: string;
  readonly property: string;
  readonly place: number;
  readonly column: ScoreColumn | undefined;
  readonly reaches: boolean;
}

/**
 * Scores many similar leads that are not in the graph. Facts sent by a caller have the same confidence and time, so
 * leads with the same rule matches have the same score. Each score is computed once; only the sentences are made per
 * lead.
 */
export class ListScorer {
  private readonly columns: readonly (readonly [property: string, column: ScoreColumn])[];
  /** Matches of the current lead, by column. */
  private readonly matches: (ColumnMatch | undefined)[];
  private readonly attributes = new Map<string, AttributeSlot>();
  /** Attributes of the previous lead, in order: most leads of a list have the same ones. */
  private readonly previousAttributes: AttributeSlot[] = [];
  /** By a hash of the kinds; of two with the same hash, the later is cached. */
  private readonly scoreCache = new Map<number, CachedScore>();
  /** IDs of the kinds of reachability. */
  private readonly reachabilityIds = new Map<string, number>();

  constructor(private readonly model: IcpModel) {
    this.columns = [...buildScoreColumns(model)];
    this.matches = this.columns.map(() => undefined);
  }

  /**
   * Scores a lead as `scoreLead` does for its `buildInlineEvidence`, without explanations; undefined if it has no
   * attributes.
   * @param own domains of the workspace.
   */
  score(attributes: InlineAttributes, own: ReadonlySet<string>, now: Instant): ListScore | undefined {
    const found = this.matches.fill(undefined);
    let [hasFacts, reaches, place] = [false, false, 0];
    for (const name in attributes) {
      const given = attributes[name];
      if (given === undefined) continue;
      const attribute = this.findAttribute(name, place++);
      const value = normalizeAttribute(attribute.property, given);
      if (value === undefined) continue;
      hasFacts = true;
      reaches ||= attribute.reaches;
      if (attribute.column) found[attribute.place] = attribute.column.match(value);
    }
    if (!hasFacts) return undefined;
    const { score, reasonRules } = this.findScore(reaches, attributes, own, now);
    if (reasonRules.length === 0) return { score, sentence: 'null' };
    let sentence = '"';
    for (let i = 0; i < reasonRules.length; i++) {
      const source = reasonRules[i]!;
      const text = 'sentence' in source ? source.sentence : found[source.place]!.reasonText(source);
      sentence += (i > 0 ? '; ' : '') + text;
    }
    return { score, sentence: `${sentence}"` };
  }

  private findScore(
    reaches: boolean,
    attributes: InlineAttributes,
    own: ReadonlySet<string>,
    now: Instant,
  ): CachedScore {
    const reach = reaches ? this.findReachabilityId(attributes, own, now) : NO_MATCH;
    let key = reach;
    for (const finding of this.matches) key = (key * HASH_MULTIPLIER + (finding ? finding.kind : NO_MATCH)) | 0;
    const known = this.scoreCache.get(key);
    return known && this.hasSameKinds(known, reach) ? known : this.computeScore(key, reach, attributes, own, now);
  }

  private hasSameKinds({ kinds }: CachedScore, reach: number): boolean {
    const { matches } = this;
    for (let place = 0; place < matches.length; place++) {
      if (kinds[place] !== (matches[place]?.kind ?? NO_MATCH)) return false;
    }
    return kinds[matches.length] === reach;
  }

  private computeScore(
    key: number,
    reach: number,
    attributes: InlineAttributes,
    own: ReadonlySet<string>,
    now: Instant,
  ): CachedScore {
    const score = scoreLead(this.model, buildInlineEvidence(attributes, own, now), now, false);
    const kinds = [...this.matches.map(finding => finding?.kind ?? NO_MATCH), reach];
    const known = { score, reasonRules: this.listReasonRules(score), kinds };
    if (this.scoreCache.size < MAX_CACHED_SCORES && !kinds.includes(UNCACHED)) this.scoreCache.set(key, known);
    return known;
  }

  /** Returns an ID for everything about reachability that affects a score. */
  private findReachabilityId(attributes: InlineAttributes, own: ReadonlySet<string>, now: Instant): number {
    const { precise, reachable, flags, domains } = buildInlineEvidence(attributes, own, now);
    const suppressed = domains.some(domain => this.model.suppress.has(domain));
    const reach = `${precise ? 'p' : ''}${reachable ? 'r' : ''}${suppressed ? 's' : ''}${flags.join()}`;
    let number = this.reachabilityIds.get(reach);
    if (number === undefined) this.reachabilityIds.set(reach, (number = this.reachabilityIds.size));
    return number;
  }

  private listReasonRules({ layers }: LeadScore): CachedScore['reasonRules'] {
    return layers.fit.reasons.map(({ rule: id, text }) => {
      const rule = this.model.fit.find(each => each.id === id)!;
      const sentence = JSON.stringify(text).slice(1, -1);
      if (rule.and.length > 0 || text === formatAverageReason(rule)) return { sentence };
      const sources = listRuleSources(rule).map(source => ({
        ...source,
        place: this.columns.findIndex(([property]) => property === source.property),
      }));
      return sources.find(({ place }) => this.matches[place] !== undefined)!;
    });
  }

  /** @param at position of the attribute in its lead. */
  private findAttribute(name: string, at: number): AttributeSlot {
    const usual = this.previousAttributes[at];
    if (usual?.name === name) return usual;
    return (this.previousAttributes[at] = this.attributes.get(name) ?? this.createAttribute(name));
  }

  private createAttribute(name: string): AttributeSlot {
    const property = canonicalAttribute(name);
    const place = this.columns.findIndex(([each]) => each === property);
    const column = this.columns[place]?.[1];
    const attribute = { name, property, place, column, reaches: hasContactDetails(name, property) };
    if (this.attributes.size < MAX_CACHED_ATTRIBUTES) this.attributes.set(name, attribute);
    return attribute;
  }
}
