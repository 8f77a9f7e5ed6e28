import { Injectable } from '@nestjs/common';
import type { FailureResponse, RequestOf, ResponseOf } from '@rapport/plugin-sdk';
import { type Hub, plugin } from '../plugin.js';
import { addMarks, listMarks, removeMarks } from '../push/marks.js';
import { readMassChange, saveMassChange } from '../push/mass-change.js';
import { listReviews, settleReview } from '../push/reviews.js';
import { listLog } from '../sync/change-log.js';
import { startSync } from '../sync/start-sync.js';
import { toObjectName, unknownObject } from './record-address.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_MARKS = 1_000;

/** What users of the hub call about values that are written to the CRM. */
@Injectable()
export class PushRoutes {
  @plugin.OnRoute('approve')
  async approve(
    { body }: RequestOf<typeof plugin, 'approve'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'approve'>> {
    const { decision } = body;
    const waiting = await readMassChange(hub);
    if (!waiting)
      return { status: 409, body: { error: 'nothing_waits', detail: 'No mass change waits for an approval.' } };
    const { records } = waiting;
    if (decision === 'apply') {
      // A sync that is running may have counted already; then the next one writes it.
      await saveMassChange(hub, { ...waiting, isApproved: true });
      const { id } = await startSync(hub, {});
      return { body: { decision, records, run: id } };
    }
    for (let ids = await listMarks(hub, null, MAX_MARKS); ids.length > 0; ids = await listMarks(hub, null, MAX_MARKS))
      await removeMarks(hub, ids);
    await saveMassChange(hub, null);
    return { body: { decision, records, run: null } };
  }

  @plugin.OnRoute('changes')
  async listChanges(
    { query }: RequestOf<typeof plugin, 'changes'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'changes'>> {
    const limit = readLimit(query.limit);
    if (limit === undefined) return wrongLimit();
    const { entries, next } = await listLog(hub, query.cursor ?? null, limit);
    return { body: { changes: entries as never, next_cursor: next } };
  }

  @plugin.OnRoute('reviews')
  async listReviews(
    { query }: RequestOf<typeof plugin, 'reviews'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'reviews'>> {
    const limit = readLimit(query.limit);
    if (limit === undefined) return wrongLimit();
    const { reviews, next } = await listReviews(hub, query.cursor ?? null, limit);
    return { body: { reviews: reviews as never, next_cursor: next } };
  }

  @plugin.OnRoute('decide')
  async decide(
    { params, body }: RequestOf<typeof plugin, 'decide'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'decide'>> {
    const object = toObjectName(params['object']);
    if (object === undefined) return unknownObject();
    const { decision } = body;
    const [id, field] = [params['id']!, params['field']!];
    const review = await settleReview(hub, { object, id, field }, decision);
    if (!review) return { status: 409, body: { error: 'nothing_waits', detail: 'No decision waits for this field.' } };
    if (decision === 'write') await addMarks(hub, [review.entity_id]);
    return { body: { object, id, field, ours: review.ours, theirs: review.theirs, decision } };
  }
}

/** Parses the size of a page; undefined for another text. */
function readLimit(text: string | undefined): number | undefined {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT ? limit : undefined;
}

function wrongLimit(): FailureResponse {
  const message = `limit must be a whole number from 1 to ${MAX_LIMIT}.`;
  return { status: 400, body: { error: 'invalid_request', detail: message, details: [{ field: 'limit', message }] } };
}
