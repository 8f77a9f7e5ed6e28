import type { Instant } from '#domain/time/instant.js';
import type { Asked, Column, Finding } from './column.js';
import { columnsOf, sourcesOf } from './columns.js';
import { attributeOf, type Attributes, inlineEvidence, saysHowToReach, valueOf } from './inline.js';
import type { IcpModel } from './model.js';
import { type LeadScore, scoreLead } from './score-lead.js';

/** Different scores, and names of attributes, that are remembered. */
const MOST_SCORES = 500;
const MOST_NAMES = 500;

/** The score of one lead of a list. */
export interface ListedScore {
  /** The same object for all leads of whom the same was found; the reasons in it are those of the first of them. */
  readonly score: LeadScore;
  /** The reasons of Fit that weigh most, in a sentence each. */
  readonly grounds: readonly string[];
}

interface Known {
  readonly score: LeadScore;
  /** Where the grounds come from. */
  readonly told: readonly (Asked & { readonly place: number })[];
}

/** What an attribute is: the property that it means, where the findings about it are kept, and what else it says. */
interface Attribute {
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
  /** As many as there are columns, of a lead of whom nothing is said. */
  private readonly nothing: readonly (Finding | undefined)[];
  private readonly attributes = new Map<string, Attribute>();
  private readonly known = new Map<string, Known>();

  constructor(private readonly model: IcpModel) {
    this.columns = [...columnsOf(model)];
    this.nothing = this.columns.map(() => undefined);
  }

  /**
   * The same as `scoreLead` of its `inlineEvidence`, without explanations; undefined when nothing is said of the lead.
   * @param own domains of the workspace.
   */
  score(attributes: Attributes, own: ReadonlySet<string>, now: Instant): ListedScore | undefined {
    const found = this.nothing.slice();
    let [said, reaches] = [false, false];
    for (const name of Object.keys(attributes)) {
      const attribute = this.attributeOf(name);
      const value = valueOf(attribute.property, attributes[name]);
      if (value === undefined) continue;
      said = true;
      reaches ||= attribute.reaches;
      if (attribute.column) found[attribute.place] = attribute.column.find(value);
    }
    if (!said) return undefined;
    const { score, told } = this.knownOf(found, reaches, attributes, own, now);
    return { score, grounds: told.map(asked => found[asked.place]!.sentence(asked)) };
  }

  private knownOf(
    found: readonly (Finding | undefined)[],
    reaches: boolean,
    attributes: Attributes,
    own: ReadonlySet<string>,
    now: Instant,
  ): Known {
    let key = '';
    for (const finding of found) key += finding ? finding.mark : '.';
    if (reaches) key += this.reachOf(attributes, own, now);
    let known = this.known.get(key);
    if (!known) {
      const score = scoreLead(this.model, inlineEvidence(attributes, own, now), now, false);
      known = { score, told: this.toldOf(score, found) };
      if (this.known.size < MOST_SCORES) this.known.set(key, known);
    }
    return known;
  }

  private reachOf(attributes: Attributes, own: ReadonlySet<string>, now: Instant): string {
    const { precise, reachable, flags, domains } = inlineEvidence(attributes, own, now);
    const suppressed = domains.some(domain => this.model.suppress.has(domain));
    return `/${precise ? 'p' : ''}${reachable ? 'r' : ''}${suppressed ? 's' : ''}${flags.join()}`;
  }

  private toldOf({ layers }: LeadScore, found: readonly (Finding | undefined)[]): Known['told'] {
    return layers.fit.reasons.map(({ rule: id }) => {
      const rule = this.model.fit.find(each => each.id === id)!;
      const sources = sourcesOf(rule).map(source => ({
        ...source,
        place: this.columns.findIndex(([property]) => property === source.property),
      }));
      return sources.find(({ place }) => found[place] !== undefined)!;
    });
  }

  private attributeOf(name: string): Attribute {
    let attribute = this.attributes.get(name);
    if (!attribute) {
      const property = attributeOf(name);
      const place = this.columns.findIndex(([each]) => each === property);
      attribute = { property, place, column: this.columns[place]?.[1], reaches: saysHowToReach(name, property) };
      if (this.attributes.size < MOST_NAMES) this.attributes.set(name, attribute);
    }
    return attribute;
  }
}
