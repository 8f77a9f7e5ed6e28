import { testHub, type TestHub } from '@rapport/plugin-sdk/testing';
import manifest from '../src/manifest.js';
import { TriggersPlugin } from '../src/triggers.plugin.js';

/** Where triggers send to. */
export const URL = 'https://example.org/hooks';
/** Whom it is about. */
export const ADA = 'ada@example.org';

/** A trigger as its route answers. */
export interface Trigger {
  readonly id: string;
  readonly secret: string;
  readonly state: string;
}

/** A delivery as the log shows it. */
export interface LoggedDelivery {
  readonly id: string;
  readonly state: string;
  readonly message_id: string;
  readonly attempts: readonly { readonly status: number | null; readonly response: string | null }[];
}

/** The plugin in a hub of its own for each test, and what is done there again and again. */
export class TriggersHarness {
  hub: TestHub;

  constructor() {
    beforeEach(async () => {
      this.hub = await testHub(TriggersPlugin, manifest);
    });
    afterEach(() => this.hub.close());
  }

  readonly setTrigger = async (more: Record<string, never> | object = {}): Promise<Trigger> => {
    const body = { url: URL, events: ['reply.received'], ...more };
    const answer = await this.hub.route('create', { body });
    expect(answer.status).toBe(201);
    return (answer.body as unknown as { trigger: Trigger }).trigger;
  };

  /** Lets somebody answer, and tells the plugin of it. */
  readonly reply = async (external_id: string, focus = ADA, method = 'api'): Promise<void> => {
    const value = { description: external_id };
    const { entity_id } = await this.hub.graph.record(focus, [
      { kind: 'event', property: 'interaction.email_replied', external_id, method, value },
    ]);
    await this.hub.event('reply.received', {
      entity_id,
      observation_id: this.hub.graph.observations.at(-1)!.id,
      property: 'interaction.email_replied',
    });
  };

  readonly stateOf = async ({ id }: Trigger) =>
    ((await this.hub.route('read', { params: { id } })).body as unknown as { trigger: Trigger }).trigger;

  readonly log = async ({ id }: Trigger) =>
    ((await this.hub.route('deliveries', { params: { id } })).body as unknown as { deliveries: LoggedDelivery[] })
      .deliveries;
}
