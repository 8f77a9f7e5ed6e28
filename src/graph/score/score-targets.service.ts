import { Injectable } from '@nestjs/common';
import { toIdentifier, isPrecise, parseFocus } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { findOwners, focusKey } from '../identity/identifiers.queries.js';
import { findEntitiesOfLeads } from './evidence.queries.js';
import { type UnresolvedSubject, toUnknownIdentifier } from './score.presenter.js';

/** An entity to score, with the identifier or lead ID of the request. */
export interface ScoreTarget {
  readonly entity_id: string;
  readonly identifier?: string;
  readonly lead_id?: string;
}

/** Resolves the entities to score. Creates no entities; an unknown identifier is not an error. */
@Injectable()
export class ScoreTargetsService {
  constructor(private readonly entities: EntityResolverService) {}

  /** Resolves identifiers and names in order. One statement for all identifiers; names are resolved one by one. */
  async resolveIdentifiers(tx: Tx, texts: readonly string[]): Promise<(ScoreTarget | UnresolvedSubject)[]> {
    const foci = texts.map(text => parseFocus(text));
    const precise = foci.filter(isPrecise);
    const identifiers = precise.flatMap(focus => (focus.form === 'uuid' ? [] : [toIdentifier(focus)]));
    const ids = precise.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : []));
    const owners = precise.length > 0 ? await findOwners(tx, identifiers, ids) : new Map<string, never>();
    const found: (ScoreTarget | UnresolvedSubject)[] = [];
    for (const [i, focus] of foci.entries()) {
      const identifier = texts[i]!;
      if (isPrecise(focus) && focus.form !== 'phone') {
        const owner = owners.get(focusKey(focus));
        found.push(owner ? { identifier, entity_id: owner.canonicalId } : toUnknownIdentifier({ identifier }));
      } else
        found.push(
          focus.form === 'name' || focus.form === 'phone'
            ? await this.resolveByName(tx, identifier)
            : toUnknownIdentifier({ identifier }),
        );
    }
    return found;
  }

  /** Resolves the entity of a lead. @throws HubError `lead_not_found`. */
  async resolveLead(tx: Tx, leadId: string): Promise<ScoreTarget> {
    const entity_id = (await findEntitiesOfLeads(tx, [leadId])).get(leadId);
    if (entity_id === undefined) throw new HubError('lead_not_found');
    return { entity_id, lead_id: leadId };
  }

  private async resolveByName(tx: Tx, identifier: string): Promise<ScoreTarget | UnresolvedSubject> {
    try {
      const found = await this.entities.resolve(tx, identifier);
      return typeof found === 'string' ? { identifier, entity_id: found } : toAmbiguous(identifier, found);
    } catch (error) {
      const isUnknown = error instanceof HubError && error.code === 'entity_not_found';
      if (isUnknown) return toUnknownIdentifier({ identifier });
      throw error;
    }
  }
}

function toAmbiguous(identifier: string, { status, count, candidates }: AmbiguousName): UnresolvedSubject {
  return { ...toUnknownIdentifier({ identifier }), reason: 'ambiguous', status, count, candidates };
}
