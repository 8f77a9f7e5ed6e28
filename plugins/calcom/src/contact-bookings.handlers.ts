import { Injectable } from '@nestjs/common';
import {
  isPermanentError,
  isRetryLater,
  isUnreachable,
  ToolError,
  type PanelData,
  type RouteRequest,
  type ResponseOf,
} from '@rapport/plugin-sdk';
import { z } from 'zod';
import { findAddress, readEmail } from './contact.js';
import { listContactBookings, type BookingListItem } from './list-bookings.js';
import { type Hub, plugin } from './plugin.js';

const MAX_ATTEMPTS = 2;
const bookingSchema = z.object({
  booking_uid: z.string(),
  title: z.string().nullable(),
  start: z.string(),
  end: z.string().nullable(),
  status: z.string(),
  host: z.string().nullable(),
  meeting_url: z.string().nullable(),
});
const inputSchema = z.object({
  focus: z.string().min(1).max(500).describe('Contact: entity ID, e-mail address, LinkedIn URL or name.'),
  limit: z.int().min(1).max(50).default(10).describe('Maximum number of upcoming and of past bookings each.'),
});
const outputSchema = z.object({
  email: z.string(),
  upcoming: z.array(bookingSchema),
  past: z.array(bookingSchema),
  has_more: z.boolean(),
});

type BookingSummary = z.output<typeof bookingSchema>;

/** Shows the bookings with a contact as Cal.com has them at this moment. */
@Injectable()
export class ContactBookingsHandlers {
  @plugin.McpTool({
    name: 'calcom_list_bookings',
    title: 'List bookings',
    description:
      'Lists the bookings with one person as Cal.com has them now. Use it to find meeting times and links; for what ' +
      'came of a meeting use get_context. Returns upcoming (next first) and past (latest first) with status accepted, ' +
      'cancelled, pending or rejected. Example: {"focus": "ada@example.org"}',
    input: inputSchema,
    output: outputSchema,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['past', 'upcoming'],
  })
  async list({ focus, limit }: z.output<typeof inputSchema>, hub: Hub): Promise<z.output<typeof outputSchema>> {
    const email = await this.resolveAddress(hub, focus);
    const { bookings, next } = await listContactBookings(hub, email, undefined, MAX_ATTEMPTS).catch(toToolError);
    const now = hub.clock.now().toISOString();
    const inOrder = bookings.toSorted((a, b) => a.booking.start.localeCompare(b.booking.start));
    const ahead = inOrder.filter(each => each.booking.start > now);
    const behind = inOrder.filter(each => each.booking.start <= now).toReversed();
    return {
      email,
      upcoming: ahead.slice(0, limit).map(toBookingSummary),
      past: behind.slice(0, limit).map(toBookingSummary),
      has_more: next !== undefined || ahead.length > limit || behind.length > limit,
    };
  }

  @plugin.OnRoute('bookings')
  async panel({ query }: RouteRequest, hub: Hub): Promise<ResponseOf<typeof plugin, 'bookings'>> {
    const email = readEmail(await hub.graph.find(query['focus'] ?? ''));
    const bookings =
      email === undefined ? [] : (await listContactBookings(hub, email, undefined, MAX_ATTEMPTS)).bookings;
    return { body: toTable(bookings.map(toBookingSummary).toSorted((a, b) => b.start.localeCompare(a.start))) };
  }

  /** Somebody whom the graph does not know may have bookings all the same. */
  private async resolveAddress(hub: Hub, focus: string): Promise<string> {
    const found = await hub.graph.find(focus);
    if (found?.status === 'ambiguous') {
      const names = found.candidates.map(({ entity_id, name }) => `${name ?? '?'} (${entity_id})`).join(', ');
      throw new ToolError(`Several people answer to that: ${names}. Call again with one of these ids.`);
    }
    const email = readEmail(found) ?? findAddress(focus);
    if (email !== undefined) return email;
    throw new ToolError(
      found
        ? 'Nothing is known of an e-mail address of this person, by which Cal.com knows people. record can state one.'
        : 'Nobody answers to that. Send an e-mail address, or an id that get_context gives.',
    );
  }
}

function toToolError(error: unknown): never {
  if (isRetryLater(error)) throw new ToolError(`Cal.com is busy: try again in ${Math.ceil(error.afterMs / 1000)} s.`);
  if (isPermanentError(error)) throw new ToolError(error.message);
  if (isUnreachable(error)) throw new ToolError('Cal.com gives no usable answer at the moment: try again later.');
  throw error;
}

function toBookingSummary({
  booking: { uid, title, start, end, host, meetingUrl },
  status,
}: BookingListItem): BookingSummary {
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

function toTable(bookings: readonly BookingSummary[]): PanelData {
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
