import { Injectable } from '@nestjs/common';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { type FieldCatalogue, isOrdered, resolveField } from '#domain/filters/filter.js';
import { listConditions } from '#domain/filters/parse-filter.js';
import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { listVocabulary, type VocabularyProperty } from '#domain/vocabulary/vocabulary.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { RulesCache } from '../claims/rules.cache.js';
import { companiesSource } from '../companies/companies.source.js';
import { peopleSource } from '../people/people.source.js';
import { readStatedProperties, type StatedProperty } from './properties.queries.js';

/** Default and maximum number of properties on a page. */
export const DEFAULT_PROPERTIES = 100;
export const MAX_PROPERTIES = 500;
/** Maximum number of examples of a property. */
export const MAX_PROPERTY_EXAMPLES = 3;

/** JSON types of values, as the API names them. */
const VALUE_TYPES = { string: 'text', number: 'number', boolean: 'boolean', array: 'list', object: 'object' } as const;

/** Type of a stated value. */
export type PropertyValueType = (typeof VALUE_TYPES)[keyof typeof VALUE_TYPES];

/** Which properties to list. */
export interface PropertiesRequest {
  /** Default: people. */
  readonly type?: EntityType | undefined;
  /** Text that names contain. */
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A property as the API describes it. */
export interface PresentedProperty {
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly format: string | null;
  readonly aliases: readonly string[];
  readonly entities: readonly EntityType[];
  readonly is_stated: boolean;
  readonly value_types: readonly PropertyValueType[];
  readonly many: boolean;
  readonly half_life_days: number | null;
  readonly conditions: readonly string[];
  readonly sortable: boolean;
  readonly examples: readonly JsonValue[];
}

/** A page of properties, by name. */
export interface PropertiesResponse {
  readonly properties: readonly PresentedProperty[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const CATALOGUES: Readonly<Record<EntityType, FieldCatalogue>> = {
  person: peopleSource.catalogue,
  company: companiesSource.catalogue,
};

/** Lists the properties that a workspace knows. */
@Injectable()
export class PropertiesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesCache,
  ) {}

  /**
   * Returns properties of people or companies by name: those that observations state, and those that mean something to
   * the service.
   */
  async list(
    workspace: string,
    { type = 'person', search = '', limit: requested = DEFAULT_PROPERTIES, cursor = '' }: PropertiesRequest,
  ): Promise<PropertiesResponse> {
    const limit = Math.min(requested, MAX_PROPERTIES);
    const text = toName(search);
    const known = new Map(knownProperties(type).map(property => [property.name, property]));
    const stated = await this.work.run(workspace, tx =>
      readStatedProperties(tx, { type, text, known: [...known.keys()], after: cursor, limit: limit + 1 }),
    );
    const byName = new Map(stated.map(each => [each.property, each]));
    const unstated = [...known.keys()].filter(name => name > cursor && name.includes(text) && !byName.has(name));
    const names = [...byName.keys(), ...unstated].toSorted((a, b) => (a < b ? -1 : 1));
    const page = names.slice(0, limit);
    const hasMore = names.length > limit;
    const { rules } = this.rules.get(workspace);
    return {
      properties: page.map(name => presentProperty(name, type, rules, known.get(name), byName.get(name))),
      limit,
      has_more: hasMore,
      next_cursor: hasMore ? page.at(-1)! : null,
    };
  }
}

/** Properties of the vocabulary about a type of entities. Families of names, such as `action_item.<id>`, are no property. */
function knownProperties(type: EntityType): VocabularyProperty[] {
  return listVocabulary().properties.filter(({ name, on }) => on.includes(type) && !name.includes('<'));
}

/** Names have underscores where people type spaces. */
function toName(text: string): string {
  return text.trim().toLowerCase().replaceAll(' ', '_');
}

function presentProperty(
  name: string,
  type: EntityType,
  rules: ClaimRules,
  known: VocabularyProperty | undefined,
  stated: StatedProperty | undefined,
): PresentedProperty {
  const field = resolveField(CATALOGUES[type], name);
  const { halfLife, cardinality } = ruleOf(rules, name);
  return {
    name,
    label: toLabel(name),
    description: known?.description ?? null,
    format: known?.type ?? null,
    aliases: known?.aliases ?? [],
    entities: [...new Set([...(known?.on ?? []), ...(stated?.types ?? [])])].toSorted().toReversed(),
    is_stated: stated?.types.includes(type) ?? false,
    value_types: stated?.value_types.map(each => VALUE_TYPES[each as keyof typeof VALUE_TYPES]).toSorted() ?? [],
    many: cardinality === 'many',
    half_life_days: Number.isFinite(halfLife) ? halfLife : null,
    conditions: field ? listConditions(field) : [],
    sortable: field !== undefined && isOrdered(field),
    examples: pickExamples(stated?.values ?? []),
  };
}

const ACRONYMS: Readonly<Record<string, string>> = {
  url: 'URL',
  linkedin: 'LinkedIn',
  icp: 'ICP',
  crm: 'CRM',
  id: 'ID',
};

/** Returns a property as people write it: `linkedin_url` is `LinkedIn URL`. */
function toLabel(name: string): string {
  const words = name.split(/[_.-]/).map(word => ACRONYMS[word] ?? word);
  const label = words.join(' ').trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function pickExamples(values: readonly JsonValue[]): JsonValue[] {
  const distinct = new Map(values.map(value => [JSON.stringify(value), value]));
  return [...distinct.values()].slice(0, MAX_PROPERTY_EXAMPLES);
}
