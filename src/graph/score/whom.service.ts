import { Injectable } from '@nestjs/common';
import { identifierOf, isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import { findOwners, handleOf, handleOfId } from '../identity/identifiers.queries.js';
import { findEntitiesOfLeads } from './evidence.queries.js';
import { type Unresolved, unknownIdentifier } from './shown-score.js';

/** An entity that is to be scored, and how it was asked for. */
export interface Found {
  readonly entity_id: string;
  readonly identifier?: string;
  readonly lead_id?: string;
}

/** Finds out whom a score call means. Nobody is made, and nobody unknown is an error. */
@Injectable()
export class WhomService {
  constructor(private readonly finder: FinderService) {}

  /** Whom texts mean, in their order. One statement for identifiers, however many; names are looked up one by one. */
  async byIdentifiers(tx: Tx, texts: readonly string[]): Promise<(Found | Unresolved)[]> {
    const foci = texts.map(text => parseFocus(text));
    const precise = foci.filter(isPrecise);
    const identifiers = precise.flatMap(focus => (focus.form === 'uuid' ? [] : [identifierOf(focus)]));
    const ids = precise.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : []));
    const owners = precise.length > 0 ? await findOwners(tx, identifiers, ids) : new Map<string, never>();
    const found: (Found | Unresolved)[] = [];
    for (const [i, focus] of foci.entries()) {
      const identifier = texts[i]!;
      if (isPrecise(focus)) {
        const owner = owners.get(handleOfFocus(focus));
        found.push(owner ? { identifier, entity_id: owner.canonicalId } : unknownIdentifier({ identifier }));
      } else found.push(focus.form === 'name' ? await this.byName(tx, identifier) : unknownIdentifier({ identifier }));
    }
    return found;
  }

  /** The person of a lead. @throws HubError `lead_not_found`. */
  async byLead(tx: Tx, leadId: string): Promise<Found> {
    const entity_id = (await findEntitiesOfLeads(tx, [leadId])).get(leadId);
    if (entity_id === undefined) throw new HubError('lead_not_found');
    return { entity_id, lead_id: leadId };
  }

  private async byName(tx: Tx, identifier: string): Promise<Found | Unresolved> {
    try {
      const found = await this.finder.find(tx, identifier);
      return typeof found === 'string' ? { identifier, entity_id: found } : ambiguous(identifier, found);
    } catch (error) {
      const nobody = error instanceof HubError && error.code === 'entity_not_found';
      if (nobody) return unknownIdentifier({ identifier });
      throw error;
    }
  }
}

function handleOfFocus(focus: PreciseFocus): string {
  return focus.form === 'uuid' ? handleOfId(focus.id) : handleOf(identifierOf(focus));
}

function ambiguous(identifier: string, { status, count, candidates }: Ambiguous): Unresolved {
  return { ...unknownIdentifier({ identifier }), reason: 'ambiguous', status, count, candidates };
}
