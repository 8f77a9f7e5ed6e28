import type { ClaimSummary, LookupResult } from '#sdk/ports/entities.js';
import type { AccountResponse, PresentedClaim } from '../accounts/accounts.presenter.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';

/** Converts an account, or the candidates for a name, to the shape of the plugin SDK. */
export function toLookupResult(read: AccountResponse | AmbiguousName): NonNullable<LookupResult> {
  if ('status' in read) {
    return { status: 'ambiguous', candidates: read.candidates.map(({ entity_id, name }) => ({ entity_id, name })) };
  }
  const claims = read.claims as Readonly<Record<string, PresentedClaim>>;
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
      claims: Object.fromEntries(Object.entries(claims).map(([property, claim]) => [property, toClaimSummary(claim)])),
    },
  };
}

function toClaimSummary({ value, confidence, freshness, epistemic_class }: PresentedClaim): ClaimSummary {
  return { value, confidence, freshness, epistemic_class };
}
