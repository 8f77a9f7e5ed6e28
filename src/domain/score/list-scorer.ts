import type { Instant } from '#domain/time/instant.js';
import { type ColumnRule, type ScoreColumn, type ColumnMatch, UNCACHED } from './score-column.js';
import { buildScoreColumns, listRuleSources } from './score-columns.js';
import {
  canonicalAttribute,
  type InlineAttributes,
  buildInlineEvidence,
  hasContactDetails,
  normalizeAttribute,
} from './inline-evidence.js';
import type { IcpModel } from './model.js';
import { type LeadScore, scoreLead } from './score-lead.js';

/** Different scores, and names of attributes, that are remembered. */
const MAX_CACHED_SCORES = 500;
const MAX_CACHED_ATTRIBUTES = 500;

/** The kind of what was found where nothing was said. */
const NO_MATCH = -1;

/** An odd number that spreads sums of small numbers, as hashes of texts are made. */
const HASH_MULTIPLIER = 31;

/** The score of one lead of a list. */
export interface ListScore {
  /** The same object for all leads of whom the same was found; the reasons in it are those of the first of them. */
  readonly score: LeadScore;
  /** The reasons of Fit that weigh most, as one sentence within quotes as JSON has it; `null` where there are none. */
  readonly sentence: string;
}

interface CachedScore {
  readonly score: LeadScore;
  /** Where the grounds come from. */
  readonly told: readonly (ColumnRule & { readonly place: number })[];
  /** Of whom it is the score: the kind of what was found in each column. */
  readonly kinds: readonly number[];
}

/** What an attribute is: the property that it means, where the findings about it are kept, and what else it says. */
interface AttributeSlot {
  readonly name: string;
  readonly property: string;
  readonly place: number;
  readonly column: ScoreColumn | undefined;
  readonly reaches: boolean;
}

/**
 * Scores leads that are not in the graph, of which there are many, and much alike. What a caller brings along is
 * equally sure and of the same time. So leads in whose values the rules find the same have the same score; each is
 * worked out once, and only the sentences are made for every lead.
 */
export class ListScorer {
  private readonly columns: readonly (readonly [property: string, column: ScoreColumn])[];
  /** What was found of the lead at hand, column by column. */
  private readonly matches: (ColumnMatch | undefined)[];
  private readonly attributes = new Map<string, AttributeSlot>();
  /** Those of the lead before, in its order: most leads of a list name the same. */
  private readonly previousAttributes: AttributeSlot[] = [];
  /** By a number made of the kinds; of two for which that is the same, the later is remembered. */
  private readonly scoreCache = new Map<number, CachedScore>();
  /** Ways to reach a lead, by how they are written in short. */
  private readonly reachabilityIds = new Map<string, number>();

  constructor(private readonly model: IcpModel) {
    this.columns = [...buildScoreColumns(model)];
    this.matches = this.columns.map(() => undefined);
  }

  /**
   * The same as `scoreLead` of its `inlineEvidence`, without explanations; undefined when nothing is said of the lead.
   * @param own domains of the workspace.
   */
  score(attributes: InlineAttributes, own: ReadonlySet<string>, now: Instant): ListScore | undefined {
    const found = this.matches.fill(undefined);
    let [said, reaches, place] = [false, false, 0];
    for (const name in attributes) {
      const given = attributes[name];
      if (given === undefined) continue;
      const attribute = this.findAttribute(name, place++);
      const value = normalizeAttribute(attribute.property, given);
      if (value === undefined) continue;
      said = true;
      reaches ||= attribute.reaches;
      if (attribute.column) found[attribute.place] = attribute.column.match(value);
    }
    if (!said) return undefined;
    const { score, told } = this.findScore(reaches, attributes, own, now);
    if (told.length === 0) return { score, sentence: 'null' };
    let sentence = '"';
    for (let i = 0; i < told.length; i++) {
      const asked = told[i]!;
      sentence += (i > 0 ? '; ' : '') + found[asked.place]!.reasonText(asked);
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
    const known = { score, told: this.listReasonRules(score), kinds };
    if (this.scoreCache.size < MAX_CACHED_SCORES && !kinds.includes(UNCACHED)) this.scoreCache.set(key, known);
    return known;
  }

  /** A number for how a lead can be reached: what matters of it to a score. */
  private findReachabilityId(attributes: InlineAttributes, own: ReadonlySet<string>, now: Instant): number {
    const { precise, reachable, flags, domains } = buildInlineEvidence(attributes, own, now);
    const suppressed = domains.some(domain => this.model.suppress.has(domain));
    const reach = `${precise ? 'p' : ''}${reachable ? 'r' : ''}${suppressed ? 's' : ''}${flags.join()}`;
    let number = this.reachabilityIds.get(reach);
    if (number === undefined) this.reachabilityIds.set(reach, (number = this.reachabilityIds.size));
    return number;
  }

  private listReasonRules({ layers }: LeadScore): CachedScore['told'] {
    return layers.fit.reasons.map(({ rule: id }) => {
      const rule = this.model.fit.find(each => each.id === id)!;
      const sources = listRuleSources(rule).map(source => ({
        ...source,
        place: this.columns.findIndex(([property]) => property === source.property),
      }));
      return sources.find(({ place }) => this.matches[place] !== undefined)!;
    });
  }

  /** @param at where it stands in its lead. */
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
