import type { EventsPort } from '../hub-context.js';
import type { JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import { parseWithSchema } from './schemas.js';

/**
 * An event published by the plugin.
 * @example expect(hub.events.published).toEqual([{ type: 'acme-dialer.called', payload: { call_id: 'c-1' } }]);
 */
export interface PublishedEvent {
  readonly type: string;
  readonly payload: JsonObject;
}

/** Validates the events of the plugin against the manifest and records them. */
export class TestEvents implements EventsPort {
  readonly published: PublishedEvent[] = [];
  /** Set during a repeated delivery: events are validated but not recorded. */
  isMuted = false;

  constructor(private readonly manifest: PluginManifest) {}

  async emit(type: string, payload: JsonObject): Promise<void> {
    const schema = this.manifest.emits?.[type];
    if (!schema) throw new Error(`The manifest lists no event "${type}": add it to "emits", with its schema.`);
    const parsed = parseWithSchema(schema, payload);
    if ('problems' in parsed) throw new Error(`The payload of "${type}" does not fit: ${parsed.problems.join('; ')}.`);
    if (!this.isMuted) this.published.push({ type, payload });
  }
}
