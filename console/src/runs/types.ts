import type { Schemas } from '../api/schemas.ts';

/** Long work of an integration, such as a sync or an import. */
export type Run = Schemas['Run'];

/** Returns whether a run still works. */
export function isUnfinished({ status }: Run): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}
