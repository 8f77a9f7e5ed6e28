import type { Found, FoundClaim } from '#sdk/graph-port.js';
import type { Account, ShownClaim } from '../accounts/account.js';
import type { Ambiguous } from '../identity/finder.service.js';

/** An account, or the candidates for a name, as plugins see them. */
export function showFound(read: Account | Ambiguous): NonNullable<Found> {
  if ('status' in read) {
    return { status: 'ambiguous', candidates: read.candidates.map(({ entity_id, name }) => ({ entity_id, name })) };
  }
  const claims = read.claims as Readonly<Record<string, ShownClaim>>;
  const text = (property: string) => {
    const value = claims[property]?.value;
    return typeof value === 'string' ? value : null;
  };
  const email = read.identifiers.find(({ kind }) => kind === 'email')?.value ?? null;
  return {
    status: 'one',
    entity: {
      id: read.entity_id,
      type: read.type,
      name: read.name,
      email,
      title: text('title'),
      company: read.entity.company?.name ?? text('company'),
      claims: Object.fromEntries(Object.entries(claims).map(([property, claim]) => [property, showClaim(claim)])),
    },
  };
}

function showClaim({ value, confidence, freshness, epistemic_class }: ShownClaim): FoundClaim {
  return { value, confidence, freshness, epistemic_class };
}
