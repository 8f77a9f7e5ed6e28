import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';

/**
 * Maps internal events to the public plugin events. A transaction writes few events with many facts; the event
 * catalogue of the SDK has more types with one fact each. The graph implements it; the composition root binds it.
 */
export abstract class PluginEventMapper {
  /** Returns the public event types that an event maps to. Must be cheap: it is called for every event. */
  abstract eventTypesFor(event: HubEvent): readonly string[];

  /** Returns the public events of the types for which `isConsumed` is true. Their IDs are the same at every call. */
  abstract map(
    tx: Tx,
    events: readonly HubEvent[],
    isConsumed: (type: string) => boolean,
  ): Promise<readonly HubEvent[]>;
}
