import { Injectable } from '@nestjs/common';
import { isPermanentError, isRetryLater, isUnreachable, McpTool, OnRoute, ToolError } from '@rapport/plugin-sdk';
import type { PanelData, RouteAnswer, RouteRequest } from '@rapport/plugin-sdk';
import { z } from 'zod';
import { addressOf } from './address.js';
import { emailOf } from './contact.js';
import { contactBookings } from './contact-bookings.js';
import type { ListedBooking } from './listed-booking.js';
import { type Hub, isConnected, notConnected } from './provider.js';

const ATTEMPTS = 2;
const booking = z.object({
  booking_uid: z.string(),
  title: z.string().nullable(),
  start: z.string(),
  end: z.string().nullable(),
  status: z.string(),
  host: z.string().nullable(),
  meeting_url: z.string().nullable(),
});
const input = z.object({
  focus: z.string().min(1).max(500).describe('Whom the bookings are with: id, e-mail address, LinkedIn URL or name.'),
  limit: z.int().min(1).max(50).default(10).describe('Most bookings of each kind.'),
});
const output = z.object({
  email: z.string(),
  upcoming: z.array(booking),
  past: z.array(booking),
  has_more: z.boolean(),
});

type Shown = z.output<typeof booking>;

/** Shows the bookings with a contact as Cal.com has them at this moment. */
@Injectable()
export class BookingsOfContacts {
  @McpTool({
    name: 'calcom_list_bookings',
    title: 'List bookings',
    description:
      'Bookings of the team with one person as Cal.com has them now: `upcoming`, the next one first, and `past`, the ' +
      'latest first, each with its status (accepted, cancelled, pending, rejected). What came of a meeting, and ' +
      'everything else about the person, tells get_context. Example: {"focus": "ada@example.org"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['past', 'upcoming'],
  })
  async list({ focus, limit }: z.output<typeof input>, hub: Hub): Promise<z.output<typeof output>> {
    if (!isConnected(hub)) throw new ToolError('Cal.com is not connected: connect_integration connects it.');
    const email = await this.addressFor(hub, focus);
    const { bookings, next } = await contactBookings(hub, email, undefined, ATTEMPTS).catch(explained);
    const now = hub.clock.now().toISOString();
    const inOrder = bookings.toSorted((a, b) => a.booking.start.localeCompare(b.booking.start));
    const ahead = inOrder.filter(each => each.booking.start > now);
    const behind = inOrder.filter(each => each.booking.start <= now).toReversed();
    return {
      email,
      upcoming: ahead.slice(0, limit).map(shown),
      past: behind.slice(0, limit).map(shown),
      has_more: next !== undefined || ahead.length > limit || behind.length > limit,
    };
  }

  @OnRoute('bookings')
  async panel({ query }: RouteRequest, hub: Hub): Promise<RouteAnswer> {
    if (!isConnected(hub)) return notConnected;
    const email = emailOf(await hub.graph.find(query['focus'] ?? ''));
    const bookings = email === undefined ? [] : (await contactBookings(hub, email, undefined, ATTEMPTS)).bookings;
    return { body: tableOf(bookings.map(shown).toSorted((a, b) => b.start.localeCompare(a.start))) };
  }

  /** Somebody whom the graph does not know may have bookings all the same. */
  private async addressFor(hub: Hub, focus: string): Promise<string> {
    const found = await hub.graph.find(focus);
    if (found?.status === 'ambiguous') {
      const names = found.candidates.map(({ entity_id, name }) => `${name ?? '?'} (${entity_id})`).join(', ');
      throw new ToolError(`Several people answer to that: ${names}. Call again with one of these ids.`);
    }
    const email = emailOf(found) ?? addressOf(focus);
    if (email !== undefined) return email;
    throw new ToolError(
      found
        ? 'Nothing is known of an e-mail address of this person, by which Cal.com knows people. record can state one.'
        : 'Nobody answers to that. Send an e-mail address, or an id that get_context gives.',
    );
  }
}

function explained(error: unknown): never {
  if (isRetryLater(error)) throw new ToolError(`Cal.com is busy: try again in ${Math.ceil(error.afterMs / 1000)} s.`);
  if (isPermanentError(error)) throw new ToolError(error.message);
  if (isUnreachable(error)) throw new ToolError('Cal.com gives no usable answer at the moment: try again later.');
  throw error;
}

function shown({ booking: { uid, title, start, end, host, meetingUrl }, status }: ListedBooking): Shown {
  return {
    booking_uid: uid,
    title: title ?? null,
    start,
    end: end ?? null,
    status,
    host: host ?? null,
    meeting_url: meetingUrl ?? null,
  };
}

function tableOf(bookings: readonly Shown[]): PanelData {
  return {
    kind: 'table',
    columns: [
      { key: 'start', label: 'When', type: 'time' },
      { key: 'title', label: 'What' },
      { key: 'status', label: 'Status' },
      { key: 'host', label: 'Host' },
    ],
    rows: bookings.slice(0, 200).map(({ start, title, status, host }) => ({ start, title, status, host })),
  };
}
