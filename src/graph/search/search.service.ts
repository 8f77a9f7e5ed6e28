import { Injectable } from '@nestjs/common';
import type { EntityType } from '#domain/identity/focus.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type PresentedCandidate, presentCandidate } from '../identity/entity-resolver.service.js';
import { NameSearchService } from '../identity/name-search.service.js';

/** Maximum length of the searched text: that of any identifier. */
export const MAX_SEARCH_LENGTH = 320;
/** Default and maximum number of hits. */
export const DEFAULT_HITS = 10;
export const MAX_HITS = 50;

const ENTITY_TYPES: readonly EntityType[] = ['person', 'company'];

/** A search for people and companies. */
export interface SearchInput {
  readonly q: string;
  /** Types, separated by commas; undefined: all. */
  readonly types?: string | undefined;
  readonly limit?: number | undefined;
}

/** Matches of a search. */
export interface SearchResponse {
  readonly query: string;
  readonly hits: readonly PresentedCandidate[];
  readonly count: number;
  readonly has_more: boolean;
}

/** Searches people and companies while somebody types. */
@Injectable()
export class SearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly names: NameSearchService,
  ) {}

  /** Returns the best matches. @throws HubError `invalid_request` naming `types`. */
  search(workspace: string, { q, types, limit = DEFAULT_HITS }: SearchInput): Promise<SearchResponse> {
    const query = q.trim();
    const search = { text: query, types: parseTypes(types), limit: Math.min(limit, MAX_HITS) };
    return this.work.run(workspace, async tx => {
      const { hits, count } = await this.names.search(tx, search);
      return { query, hits: hits.map(presentCandidate), count: hits.length, has_more: count > hits.length };
    });
  }
}

function parseTypes(text: string | undefined): readonly EntityType[] {
  if (text === undefined || text.trim() === '') return ENTITY_TYPES;
  const names = text.split(',').map(name => name.trim().toLowerCase());
  const unknown = names.find(name => !(ENTITY_TYPES as readonly string[]).includes(name));
  if (unknown === undefined) return ENTITY_TYPES.filter(type => names.includes(type));
  const message = `"${unknown.slice(0, 40)}" is not a type. Send person, company or both, separated by a comma.`;
  throw HubError.invalidRequest([{ field: 'types', message }]);
}
