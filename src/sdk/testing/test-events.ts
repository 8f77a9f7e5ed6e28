import type { EventsPort } from '../hub-context.js';
import type { JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import { parseWithSchema } from './schemas.js';

/**
 * An event that the plugin has published.
 * @example expect(hub.events.published).toEqual([{ type: 'acme-dialer.called', payload: { call_id: 'c-1' } }]);
 */
export interface PublishedEvent {
  readonly type: string;
  readonly payload: JsonObject;
}

/** Keeps what the plugin publishes, checked by the manifest. */
export class TestEvents implements EventsPort {
  readonly published: PublishedEvent[] = [];
  /** While the same thing is delivered a second time, what it emits is checked but not kept. */
  isMuted = false;

  constructor(private readonly manifest: PluginManifest) {}

  async emit(type: string, payload: JsonObject): Promise<void> {
    const schema = this.manifest.emits?.[type];
    if (!schema) throw new Error(`The manifest lists no event "${type}": add it to "emits", with its schema.`);
    const reading = parseWithSchema(schema, payload);
    if ('problems' in reading)
      throw new Error(`The payload of "${type}" does not fit: ${reading.problems.join('; ')}.`);
    if (!this.isMuted) this.published.push({ type, payload });
  }
}
