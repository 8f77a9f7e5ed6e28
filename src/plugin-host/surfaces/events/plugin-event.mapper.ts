import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';

/**
 * As what plugins are told of the events of the hub. A transaction keeps few events that say much; the catalogue of the
 * SDK has more of them that say one thing each. The graph implements it; it is bound where all rooms are known.
 */
export abstract class PluginEventMapper {
  /** Types that an event is told as, its own included. Cheap: it is asked of every event. */
  abstract eventTypesFor(event: HubEvent): readonly string[];

  /** What to tell of these events, for those types alone that `wanted` says; ids are the same at every call. */
  abstract map(
    tx: Tx,
    events: readonly HubEvent[],
    isConsumed: (type: string) => boolean,
  ): Promise<readonly HubEvent[]>;
}
