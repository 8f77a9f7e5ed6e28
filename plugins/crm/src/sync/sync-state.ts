import type { Json, RunOf } from '@rapport/plugin-sdk';
import type { CrmObject } from '../adapters/adapter.js';
import type { plugin } from '../plugin.js';
import { NO_PUSH, type PushCounts, type PushSample } from '../push/push-counts.js';
import type { CountsByObject } from './counts.js';
import type { Outcome } from './record-state.js';

/**
 * Parts of a sync: reading an object, noting what was deleted, reading what has changed in the graph, planning what that writes to the CRM, and writing
 * it. `record` reads one record and writes to it.
 */
export type Phase = CrmObject | 'activities' | 'deleted' | 'record' | 'find-changed' | 'plan' | 'push';

/** Most examples of a dry run, each way. */
export const MAX_SAMPLES = 20;

/** Where a sync stands. */
export interface SyncState {
  readonly phases: readonly Phase[];
  /** Position in `phases`. */
  readonly position: number;
  /** Where the phase stands; null at its beginning. */
  readonly cursor: Json;
  /** When the phase was begun: the next sync reads what is changed from then on. */
  readonly startedAt: string;
  readonly counts: CountsByObject;
  /** Examples of what a dry run would record. */
  readonly samples: readonly PullSample[];
  readonly push: PushProgress;
}

/** What has been compared with the CRM. */
export interface PushProgress {
  readonly counts: PushCounts;
  readonly samples: readonly PushSample[];
  /** Entities of the step before. They are forgotten in the next one, so that a step can be repeated. */
  readonly compared: readonly string[];
  /** The only entities to compare; null for all that were noted. */
  readonly only: readonly string[] | null;
  /** Whether the push waits for an approval. */
  readonly isWaiting: boolean;
}

/** What a record would state. */
export interface PullSample {
  readonly object: CrmObject;
  readonly id: string;
  readonly name: string | null;
  readonly outcome: Outcome;
  readonly values: Readonly<Record<string, Json>>;
}

/** What a step of a phase has done; with the cursor null the phase ends. */
export type PhaseResult = Partial<Pick<SyncState, 'counts' | 'samples' | 'push'>> & { readonly cursor: Json };

/** A run of the sync. */
export type SyncRunOf = RunOf<typeof plugin, 'sync', SyncState>;

/** Returns the state at the beginning of a sync. */
export function toFirstState(phases: readonly Phase[], startedAt: string): SyncState {
  const push = { counts: NO_PUSH, samples: [], compared: [], only: null, isWaiting: false };
  return { phases, position: 0, cursor: null, startedAt, counts: {}, samples: [], push };
}
