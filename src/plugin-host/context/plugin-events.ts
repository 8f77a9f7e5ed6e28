import { PermanentError } from '#sdk/errors.js';
import type { EventsPort } from '#sdk/hub-context.js';
import type { PluginManifest } from '#sdk/manifest.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { findSchemaProblem } from '../connections/connection-schema.js';
import type { PluginScope } from './plugin-ports.js';

/** Creates the port that writes events of a plugin to the outbox, after validation against its manifest. */
export function createEventsPort(work: UnitOfWork, { workspaceId }: PluginScope, manifest: PluginManifest): EventsPort {
  return {
    async emit(type, payload) {
      const schema = manifest.emits?.[type];
      if (!schema) throw new PermanentError(`The manifest of "${manifest.id}" emits no "${type}".`);
      const problem = findSchemaProblem(schema, payload);
      if (problem !== undefined)
        throw new PermanentError(`The payload of "${type}" does not fit its schema: ${problem}`);
      await work.run(workspaceId, async tx => tx.emit({ type, payload }));
    },
  };
}
