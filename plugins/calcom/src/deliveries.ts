import { Injectable } from '@nestjs/common';
import { OnInbound } from '@rapport/plugin-sdk';
import type { InboundDelivery } from '@rapport/plugin-sdk';
import type { Hub } from './provider.js';
import { recordActs } from './recording.js';
import { actInWebhook } from './webhook.js';

/** What Cal.com tells by itself. The hub has checked the signature, kept the bytes and answered. */
@Injectable()
export class Deliveries {
  @OnInbound('bookings')
  async receive({ id, json, receivedAt }: InboundDelivery, hub: Hub): Promise<void> {
    const act = actInWebhook(json, receivedAt);
    if (!act) return hub.log.info('left out a webhook that tells of no meeting', { id });
    await recordActs(hub, [act]);
  }
}
