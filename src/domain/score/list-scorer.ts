import type { Instant } from '#domain/time/instant.js';
import { type Asked, type Column, type Finding, UNCOUNTED } from './column.js';
import { columnsOf, sourcesOf } from './columns.js';
import { attributeOf, type Attributes, inlineEvidence, saysHowToReach, valueOf } from './inline.js';
import type { IcpModel } from './model.js';
import { type LeadScore, scoreLead } from './score-lead.js';

/** Different scores, and names of attributes, that are remembered. */
const MOST_SCORES = 500;
const MOST_NAMES = 500;

/** The kind of what was found where nothing was said. */
const NOTHING = -1;

/** An odd number that spreads sums of small numbers, as hashes of texts are made. */
const SPREAD = 31;

/** The score of one lead of a list. */
export interface ListedScore {
  /** The same object for all leads of whom the same was found; the reasons in it are those of the first of them. */
  readonly score: LeadScore;
  /** The reasons of Fit that weigh most, as one sentence within quotes as JSON has it; `null` where there are none. */
  readonly sentence: string;
}

interface Known {
  readonly score: LeadScore;
  /** Where the grounds come from. */
  readonly told: readonly (Asked & { readonly place: number })[];
  /** Of whom it is the score: the kind of what was found in each column. */
  readonly kinds: readonly number[];
}

/** What an attribute is: the property that it means, where the findings about it are kept, and what else it says. */
interface Attribute {
  readonly name: string;
  readonly property: string;
  readonly place: number;
  readonly column: Column | undefined;
  readonly reaches: boolean;
}

/**
 * Scores leads that are not in the graph, of which there are many, and much alike. What a caller brings along is
 * equally sure and of the same time. So leads in whose values the rules find the same have the same score; each is
 * worked out once, and only the sentences are made for every lead.
 */
export class ListScorer {
  private readonly columns: readonly (readonly [property: string, column: Column])[];
  /** What was found of the lead at hand, column by column. */
  private readonly found: (Finding | undefined)[];
  private readonly attributes = new Map<string, Attribute>();
  /** Those of the lead before, in its order: most leads of a list name the same. */
  private readonly usual: Attribute[] = [];
  /** By a number made of the kinds; of two for which that is the same, the later is remembered. */
  private readonly known = new Map<number, Known>();
  /** Ways to reach a lead, by how they are written in short. */
  private readonly reaches = new Map<string, number>();

  constructor(private readonly model: IcpModel) {
    this.columns = [...columnsOf(model)];
    this.found = this.columns.map(() => undefined);
  }

  /**
   * The same as `scoreLead` of its `inlineEvidence`, without explanations; undefined when nothing is said of the lead.
   * @param own domains of the workspace.
   */
  score(attributes: Attributes, own: ReadonlySet<string>, now: Instant): ListedScore | undefined {
    const found = this.found.fill(undefined);
    let [said, reaches, place] = [false, false, 0];
    for (const name in attributes) {
      const given = attributes[name];
      if (given === undefined) continue;
      const attribute = this.attributeOf(name, place++);
      const value = valueOf(attribute.property, given);
      if (value === undefined) continue;
      said = true;
      reaches ||= attribute.reaches;
      if (attribute.column) found[attribute.place] = attribute.column.find(value);
    }
    if (!said) return undefined;
    const { score, told } = this.knownOf(reaches, attributes, own, now);
    if (told.length === 0) return { score, sentence: 'null' };
    let sentence = '"';
    for (let i = 0; i < told.length; i++) {
      const asked = told[i]!;
      sentence += (i > 0 ? '; ' : '') + found[asked.place]!.sentence(asked);
    }
    return { score, sentence: `${sentence}"` };
  }

  private knownOf(reaches: boolean, attributes: Attributes, own: ReadonlySet<string>, now: Instant): Known {
    const reach = reaches ? this.reachOf(attributes, own, now) : NOTHING;
    let key = reach;
    for (const finding of this.found) key = (key * SPREAD + (finding ? finding.kind : NOTHING)) | 0;
    const known = this.known.get(key);
    return known && this.isOf(known, reach) ? known : this.workOut(key, reach, attributes, own, now);
  }

  private isOf({ kinds }: Known, reach: number): boolean {
    const { found } = this;
    for (let place = 0; place < found.length; place++) {
      if (kinds[place] !== (found[place]?.kind ?? NOTHING)) return false;
    }
    return kinds[found.length] === reach;
  }

  private workOut(key: number, reach: number, attributes: Attributes, own: ReadonlySet<string>, now: Instant): Known {
    const score = scoreLead(this.model, inlineEvidence(attributes, own, now), now, false);
    const kinds = [...this.found.map(finding => finding?.kind ?? NOTHING), reach];
    const known = { score, told: this.toldOf(score), kinds };
    if (this.known.size < MOST_SCORES && !kinds.includes(UNCOUNTED)) this.known.set(key, known);
    return known;
  }

  /** A number for how a lead can be reached: what matters of it to a score. */
  private reachOf(attributes: Attributes, own: ReadonlySet<string>, now: Instant): number {
    const { precise, reachable, flags, domains } = inlineEvidence(attributes, own, now);
    const suppressed = domains.some(domain => this.model.suppress.has(domain));
    const reach = `${precise ? 'p' : ''}${reachable ? 'r' : ''}${suppressed ? 's' : ''}${flags.join()}`;
    let number = this.reaches.get(reach);
    if (number === undefined) this.reaches.set(reach, (number = this.reaches.size));
    return number;
  }

  private toldOf({ layers }: LeadScore): Known['told'] {
    return layers.fit.reasons.map(({ rule: id }) => {
      const rule = this.model.fit.find(each => each.id === id)!;
      const sources = sourcesOf(rule).map(source => ({
        ...source,
        place: this.columns.findIndex(([property]) => property === source.property),
      }));
      return sources.find(({ place }) => this.found[place] !== undefined)!;
    });
  }

  /** @param at where it stands in its lead. */
  private attributeOf(name: string, at: number): Attribute {
    const usual = this.usual[at];
    if (usual?.name === name) return usual;
    return (this.usual[at] = this.attributes.get(name) ?? this.readAttribute(name));
  }

  private readAttribute(name: string): Attribute {
    const property = attributeOf(name);
    const place = this.columns.findIndex(([each]) => each === property);
    const column = this.columns[place]?.[1];
    const attribute = { name, property, place, column, reaches: saysHowToReach(name, property) };
    if (this.attributes.size < MOST_NAMES) this.attributes.set(name, attribute);
    return attribute;
  }
}
