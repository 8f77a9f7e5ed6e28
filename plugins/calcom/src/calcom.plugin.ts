import { Module } from '@nestjs/common';
import { Backfill } from './backfill.js';
import { BookingsOfContacts } from './bookings-of-contacts.js';
import { CalcomConnection } from './connection.js';
import { Deliveries } from './deliveries.js';
import { Reconciliation } from './reconciliation.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [CalcomConnection, Deliveries, Backfill, Reconciliation, BookingsOfContacts] })
export class CalcomPlugin {}

export default CalcomPlugin;
