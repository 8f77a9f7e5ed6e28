import type { Schemas } from '../api/schemas.ts';

type Integration = Schemas['Integration'];
type Trigger = Schemas['Trigger'];

/** A connection to a provider, as the page about health lists it. */
export interface ConnectionHealth {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly state: Integration['state'];
  readonly lastEventAt: string | null;
  /** Null if it works. */
  readonly problem: string | null;
}

/** Returns the health of each connection, and of integrations that are not running; those with a problem first. */
export function readConnections(integrations: readonly Integration[]): ConnectionHealth[] {
  const all = integrations.flatMap(({ provider, display_name, state, reason, connections }): ConnectionHealth[] => {
    if (state === 'failed')
      return [{ id: provider, provider, name: display_name, state, lastEventAt: null, problem: reason ?? '' }];
    return connections.map(({ id, name, state: own, reason: why, last_error, last_event_at }) => ({
      id,
      provider,
      name: connections.length > 1 ? `${display_name}: ${name}` : display_name,
      state: own,
      lastEventAt: last_event_at,
      problem: own === 'connected' ? null : (why ?? last_error ?? ''),
    }));
  });
  return all.toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null));
}

/** Returns what is wrong with a webhook endpoint; null if nothing is. One that a person paused is well. */
export function findProblem({ state, reason, warning, failing_since }: Trigger): string | null {
  if (state === 'active' && failing_since === null) return null;
  return state === 'paused' ? null : (reason ?? warning ?? '');
}
