import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Actor } from '#domain/actor/actor.js';
import { createMentionMatcher } from '#domain/erasure/mentions.js';
import { isShared, type PersonalTerms } from '#domain/erasure/personal-terms.js';
import { type Identifier, isPrecise, parseFocus, toIdentifier } from '#domain/identity/focus.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import { newId } from '#kernel/ids.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { markErased } from '../identity/identifiers.queries.js';
import { LinksService } from '../identity/links.service.js';
import { hashIdentifier, SuppressionService, toHashKeyPlace } from '../identity/suppression.service.js';
import { toTermsPlace } from './erasure-secrets.js';
import { type ErasurePage, type ErasureResponse, presentErasure, presentPlan } from './erasures.presenter.js';
import {
  deleteHashes,
  ensureHashKey,
  type ErasureRow,
  findErasureByHash,
  findErasureOfEntity,
  insertErasure,
  insertHashes,
  listErasures,
  readErasure,
} from './erasures.queries.js';
import { type Identity, parseIdentifier, readIdentity } from './identity-terms.js';
import { countErasable, deleteDerivedRows, deleteIdentifiers } from './person.queries.js';

const HASH_KEY_BYTES = 32;

/** Request to erase a person. */
export interface EraseInput {
  /** Entity UUID, e-mail address or LinkedIn URL. */
  readonly focus: string;
  readonly dryRun: boolean;
  /** Whether identifiers may be imported again. */
  readonly allowReimport: boolean;
}

/** The person to erase, and what identifies them. */
interface Subject extends Identity {
  /** All ids of the person, the canonical one first. */
  readonly ids: readonly string[];
}

/** Erases people: at once from every read, and by a job from every record. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
    private readonly entities: EntityResolverService,
    private readonly links: LinksService,
    private readonly suppression: SuppressionService,
  ) {}

  /**
   * Erases a person: deletes identifiers and claims and refuses new data at once, and has the job remove everything
   * else. Returns 202, or 200 with the existing erasure if the person was erased before. A dry run counts what would go.
   * @throws HubError `entity_not_found`, `invalid_focus` for a name, `not_a_person` for a company.
   */
  async erase(
    workspace: string,
    input: EraseInput,
    actor: Actor,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ErasureResponse>> {
    if (input.dryRun) return this.work.run(workspace, tx => this.plan(tx, input));
    const response = await this.work.erase(workspace, tx => runOnce(tx, key, () => this.start(tx, input, actor)));
    await this.suppression.refresh();
    return response;
  }

  /** Returns the erasure of a person, by a former entity id or identifier. @throws HubError `not_found`. */
  readOf(workspace: string, focus: string): Promise<ErasureResponse> {
    return this.work.run(workspace, async tx => {
      const found = await this.findExisting(tx, focus);
      if (!found) throw new HubError('not_found', { detail: 'No erased person had this ID or identifier.' });
      return presentErasure(found);
    });
  }

  /** Returns an erasure by its id. @throws HubError `not_found`. */
  read(workspace: string, id: string): Promise<ErasureResponse> {
    return this.work.run(workspace, async tx => presentErasure(await readOrThrow(tx, id)));
  }

  /** Lists erasures, newest first. @throws HubError `cursor_mismatch`. */
  list(workspace: string, before: string | null, limit: number): Promise<ErasurePage> {
    if (before !== null && !isUuid(before)) throw new HubError('cursor_mismatch');
    return this.work.run(workspace, async tx => {
      const rows = await listErasures(tx, before, limit + 1);
      const erasures = rows.slice(0, limit).map(presentErasure);
      const has_more = rows.length > limit;
      return { erasures, limit, has_more, next_cursor: has_more ? erasures.at(-1)!.id : null };
    });
  }

  /** Allows the identifiers of an erased person to be imported again. @throws HubError `not_found`. */
  allowReimport(workspace: string, id: string, key?: IdempotencyKey): Promise<HandlerResponse<ErasureResponse>> {
    return this.work.erase(workspace, tx =>
      runOnce(tx, key, async () => {
        const erasure = await readOrThrow(tx, id);
        await deleteHashes(tx, id);
        recordAct(tx, { action: 'person.allow_reimport', objectId: erasure.entity_id, after: { erasure_id: id } });
        return new HandlerResponse(presentErasure(await readOrThrow(tx, id)), 200);
      }),
    );
  }

  private async plan(tx: Tx, { focus, allowReimport }: EraseInput): Promise<HandlerResponse<ErasureResponse>> {
    const existing = await this.findExisting(tx, focus);
    if (existing) return new HandlerResponse(presentErasure(existing), 200);
    const { ids, terms } = await this.readSubject(tx, focus);
    const counts = await countErasable(tx, ids, createMentionMatcher(terms).prefilter);
    return new HandlerResponse(presentPlan(ids, counts, !allowReimport), 200);
  }

  private async start(
    tx: Tx,
    { focus, allowReimport }: EraseInput,
    actor: Actor,
  ): Promise<HandlerResponse<ErasureResponse>> {
    const existing = await this.findExisting(tx, focus);
    if (existing) return new HandlerResponse(presentErasure(existing), 200);
    const { ids, terms, identifiers } = await this.readSubject(tx, focus);
    const id = newId();
    const sealedTerms = this.box.seal(toTermsPlace(tx.workspace, id), JSON.stringify(terms));
    const deleted = await deleteIdentifiers(tx, ids);
    const counts = { identifiers: deleted.length, ...(await deleteDerivedRows(tx, ids)) };
    await markErased(tx, ids);
    await insertErasure(tx, { id, entity_ids: ids, actor, terms: sealedTerms, counts });
    const key = await this.openHashKey(tx);
    if (!allowReimport) await insertHashes(tx, id, hashPersonalIdentifiers(key, identifiers, terms));
    recordAct(tx, {
      action: 'person.erase',
      objectId: ids[0]!,
      after: { erasure_id: id, suppressed: !allowReimport },
      actor,
    });
    return new HandlerResponse(presentErasure(await readOrThrow(tx, id)), 202);
  }

  /** Finds, locks and reads the person. */
  private async readSubject(tx: Tx, focus: string): Promise<Subject> {
    const { owner, ids } = await this.entities.resolvePerson(tx, focus);
    const members = owner ? await this.links.lockMembers(tx, [owner]) : [];
    if (members.some(({ type }) => type !== 'person')) throw new HubError('not_a_person');
    return { ids, ...(await readIdentity(tx, ids)) };
  }

  /** Finds the erasure of a person by a former id or identifier. */
  private async findExisting(tx: Tx, text: string): Promise<ErasureRow | undefined> {
    const focus = parseFocus(text);
    if (!isPrecise(focus)) return undefined;
    if (focus.form === 'uuid') return findErasureOfEntity(tx, focus.id);
    const hash = this.suppression.hash(tx.workspace, toIdentifier(focus));
    return hash && findErasureByHash(tx, hash);
  }

  private async openHashKey(tx: Tx): Promise<Buffer> {
    const place = toHashKeyPlace(tx.workspace);
    const fresh = this.box.seal(place, randomBytes(HASH_KEY_BYTES).toString('base64'));
    return Buffer.from(this.box.open(place, await ensureHashKey(tx, fresh)), 'base64');
  }
}

async function readOrThrow(tx: Tx, id: string): Promise<ErasureRow> {
  const row = isUuid(id) ? await readErasure(tx, id) : undefined;
  if (!row) throw new HubError('not_found', { detail: 'No erasure of this workspace has this ID.' });
  return row;
}

/** Hashes every identifier of the person, former addresses included, except role mailboxes. */
function hashPersonalIdentifiers(
  key: Buffer,
  identifiers: readonly Identifier[],
  { emails, profiles }: PersonalTerms,
): Buffer[] {
  const stated = [...emails, ...profiles.map(profile => `linkedin.com/${profile}`)].flatMap(parseIdentifier);
  const own = [...identifiers, ...stated].filter(({ kind, value }) => kind !== 'email' || !isShared(value));
  return own.map(({ kind, key: ownKey, value }) =>
    // The key of a shared phone number names the entity, too.
    hashIdentifier(key, { kind, key: kind === 'phone' ? value : ownKey }),
  );
}
