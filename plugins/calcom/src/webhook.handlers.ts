import { Injectable } from '@nestjs/common';
import type { InboundDelivery } from '@rapport/plugin-sdk';
import { recordEvents } from './record-events.js';
import { parseWebhookEvent } from './webhook-event.js';
import { type Hub, plugin } from './plugin.js';

/** What Cal.com tells by itself. The hub has checked the signature, kept the bytes and answered. */
@Injectable()
export class WebhookHandlers {
  @plugin.OnInbound('bookings')
  async receive({ id, json, receivedAt }: InboundDelivery, hub: Hub): Promise<void> {
    const act = parseWebhookEvent(json, receivedAt);
    if (!act) return hub.log.info('left out a webhook that tells of no meeting', { id });
    await recordEvents(hub, [act]);
  }
}
