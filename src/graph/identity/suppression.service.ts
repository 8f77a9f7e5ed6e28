import { createHmac } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type IdentifierFocus, type PreciseFocus, toIdentifier, type Identifier } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { SecretBox, UnsealError } from '#kernel/secrets/secret-box.js';
import { isErased, focusKey, type IdentifierKey, identifierKey, type Owner } from './identifiers.queries.js';

/** What a reference names. */
interface Named {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
}

/**
 * Returns the errors of the references that name an erased person: `identifier_erased`, or `entity_erased` for an id.
 * No statement unless people of the workspace were erased. A phone number that is stated beside another identifier is
 * left out: colleagues of an erased person may share it.
 * @param owners owners of the identifiers that are known.
 */
export async function refuseErased<Reference extends Named>(
  tx: Tx,
  suppression: SuppressionService,
  references: readonly Reference[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
): Promise<ReadonlyMap<Reference, HubError>> {
  const refused = new Map<Reference, HubError>();
  if (!suppression.hasErasures(tx.workspace)) return refused;
  const unknownOf = ({ focus, alsoKnownAs }: Reference) =>
    [focus, ...alsoKnownAs.filter(({ form }) => form !== 'phone')].flatMap(each =>
      each.form === 'uuid' || owners.has(focusKey(each)) ? [] : [toIdentifier(each)],
    );
  const erased = await suppression.findErased(tx, references.flatMap(unknownOf));
  for (const reference of references) {
    const { focus } = reference;
    if (unknownOf(reference).some(each => erased.has(identifierKey(each))))
      refused.set(reference, new HubError('identifier_erased'));
    else if (focus.form === 'uuid' && !owners.has(focusKey(focus)) && (await isErased(tx, focus.id)))
      refused.set(reference, new HubError('entity_erased'));
  }
  return refused;
}

/** Time after which the first erasure of a workspace is visible to other processes at the latest. */
const REFRESH_INTERVAL_MS = 5_000;

/** Returns the authenticated context under which the hash key of a workspace is sealed. */
export function toHashKeyPlace(workspace: string) {
  return { workspace, owner: workspace, field: 'erasure.hash_key' };
}

/** Returns the keyed hash (HMAC-SHA-256) of an identifier, from which the identifier cannot be derived or guessed. */
export function hashIdentifier(key: Buffer, identifier: Pick<Identifier, 'kind' | 'key'>): Buffer {
  return createHmac('sha256', key).update(identifierKey(identifier)).digest();
}

/**
 * Recognizes identifiers of erased people by their keyed hashes, which are all that is stored. Caches the hash keys of all
 * workspaces with erasures, so that writes in other workspaces cost nothing. A key never changes once it exists.
 */
@Injectable()
export class SuppressionService extends PeriodicTask {
  private readonly log = new Logger('erasures');
  private keys: ReadonlyMap<string, Buffer> = new Map();

  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
  ) {
    super({
      intervalMs: REFRESH_INTERVAL_MS,
      loggerName: 'erasures',
      failureMessage: 'Could not refresh the hash keys of erased identifiers',
    });
  }

  /** Loads the keys before the process serves requests. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** Returns whether people of this workspace were erased, as far as this process knows. */
  hasErasures(workspace: string): boolean {
    return this.keys.has(workspace);
  }

  /** Returns the hash of an identifier; undefined if nobody of the workspace was erased. */
  hash(workspace: string, identifier: Pick<Identifier, 'kind' | 'key'>): Buffer | undefined {
    const key = this.keys.get(workspace);
    return key && hashIdentifier(key, identifier);
  }

  /** Returns the keys of those identifiers that belonged to erased people. At most one statement. */
  async findErased(
    tx: Tx,
    identifiers: readonly Pick<Identifier, 'kind' | 'key'>[],
  ): Promise<ReadonlySet<IdentifierKey>> {
    const key = this.keys.get(tx.workspace);
    if (!key || identifiers.length === 0) return new Set();
    const byHash = new Map(identifiers.map(each => [hashIdentifier(key, each).toString('hex'), identifierKey(each)]));
    const rows = await tx.query<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM erased_identifiers
       WHERE workspace_id = $1 AND hash = ANY (SELECT decode(each, 'hex') FROM unnest($2::text[]) AS each)`,
      [tx.workspace, [...byHash.keys()]],
    );
    return new Set(rows.map(({ hash }) => byHash.get(hash)!));
  }

  /** Reads the keys of all workspaces. A key that cannot be opened is left out and logged. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; sealed: string }>('SELECT workspace_id, sealed FROM erasure_keys'),
    );
    const keys = new Map<string, Buffer>();
    for (const { workspace_id: workspace, sealed } of rows) {
      const key = this.keys.get(workspace) ?? this.open(workspace, sealed);
      if (key) keys.set(workspace, key);
    }
    this.keys = keys;
  }

  protected run(): Promise<void> {
    return this.refresh();
  }

  private open(workspace: string, sealed: string): Buffer | undefined {
    try {
      return Buffer.from(this.box.open(toHashKeyPlace(workspace), sealed), 'base64');
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.log.error(`Erased identifiers of workspace ${workspace} are not recognized: ${error.message}`);
      return undefined;
    }
  }
}
