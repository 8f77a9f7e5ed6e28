import { Module } from '@nestjs/common';
import { BackfillHandlers } from './backfill.handlers.js';
import { ContactBookingsHandlers } from './contact-bookings.handlers.js';
import { CalcomConnection } from './calcom.connection.js';
import { WebhookHandlers } from './webhook.handlers.js';
import { ReconciliationJob } from './reconciliation.job.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({
  providers: [CalcomConnection, WebhookHandlers, BackfillHandlers, ReconciliationJob, ContactBookingsHandlers],
})
export class CalcomPlugin {}

export default CalcomPlugin;
