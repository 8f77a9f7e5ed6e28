import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import { appendStatement, foldAll } from '#domain/claims/fold.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { emptyState, type PropertyState, type Statement } from '#domain/claims/property-state.js';
import { composeName } from '#domain/identity/names.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding, WorkSlice } from '#kernel/scheduling/yield.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type ClaimKey, upsertStates, type StoredClaim } from './claims.queries.js';
import { readStates } from './states.queries.js';
import { RulesCache } from './rules.cache.js';

/** Statements about one claim: those that were just appended, or its whole history. */
export interface NewStatements extends ClaimKey {
  readonly statements: readonly Statement[];
}

/** Gives the whole history of claims whose additions came late. Asked at most once per derivation. */
export type HistoryReader = (keys: readonly ClaimKey[]) => Promise<readonly NewStatements[]>;

/** The properties that an entity's name is made of. */
export const NAME_PROPERTIES: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);

/** Derives claims and keeps their fold state. It is handed history and never reads the log itself. */
@Injectable()
export class ClaimsService {
  constructor(private readonly rules: RulesCache) {}

  /** The rules by which claims of a workspace are folded. */
  rulesOf(workspace: string): ClaimRules {
    return this.rules.get(workspace);
  }

  /**
   * The kept states of these claims. May be sent before the rows of the append are back.
   * @param owners whose claims these are, as they were found before they were locked.
   * @throws ClustersMoved when one was merged or unmerged in the meantime; the transaction is run again then.
   */
  readStates(tx: Tx, keys: readonly ClaimKey[], owners: readonly Owner[] = []): Promise<StoredClaim[]> {
    return readStates(tx, keys, owners);
  }

  /**
   * Folds additions into `kept` states. What arrives in the order of its time costs the same
   * however long the history is; only a claim with a late arrival is folded again from all of it.
   * @param now nothing observed later than this counts yet.
   * @returns the new states, of the claims that got additions.
   */
  async derive(
    tx: Tx,
    newStatements: readonly NewStatements[],
    stored: readonly StoredClaim[],
    now: Instant,
    readHistory: HistoryReader,
  ): Promise<StoredClaim[]> {
    const rules = this.rulesOf(tx.workspace);
    const before = new Map(stored.map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const folded: StoredClaim[] = [];
    const late: ClaimKey[] = [];
    const slice = new WorkSlice();
    for (const addition of newStatements) {
      const key = `${addition.entityId} ${addition.property}`;
      let state: PropertyState | 'late' = before.get(key) ?? emptyState();
      for (const statement of sortByTime(addition.statements)) {
        if (slice.isFull()) await slice.yield();
        const next = appendStatement(rules, addition.property, state, statement, now);
        state = next === 'late' ? next : next.state;
        if (state === 'late') break;
      }
      if (state === 'late') late.push(addition);
      else folded.push({ entityId: addition.entityId, property: addition.property, state });
    }
    slice.end();
    if (late.length > 0)
      folded.push(
        ...(await mapYielding(
          await readHistory(late),
          whole => this.rebuild(tx.workspace, whole, now),
          ({ statements }) => statements.length * ITEM_UNITS,
        )),
      );
    return folded;
  }

  /** Keeps folded claims with the transaction. Call it once. */
  save(tx: Tx, folded: readonly StoredClaim[]): Promise<void> {
    return upsertStates(tx, folded);
  }

  /** The names that claims now give to the entities whose naming claims were folded; null where the name has ended. */
  deriveNames(
    folded: readonly StoredClaim[],
    stored: readonly StoredClaim[],
    now: Instant,
  ): Map<string, string | null> {
    const renamed = folded.filter(claim => NAME_PROPERTIES.has(claim.property)).map(claim => claim.entityId);
    const states = new Map([...stored, ...folded].map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const text = (entityId: string, property: string) => {
      const state = states.get(`${entityId} ${property}`);
      const value = state && toClaim(defaultRules, property, state, now)?.value;
      return typeof value === 'string' ? value : undefined;
    };
    return new Map(
      renamed.map(id => [id, text(id, 'name') ?? composeName(text(id, 'first_name'), text(id, 'last_name')) ?? null]),
    );
  }

  /** Folds a claim from its whole history. */
  rebuild(workspace: string, { entityId, property, statements }: NewStatements, now: Instant): StoredClaim {
    return { entityId, property, state: foldAll(this.rulesOf(workspace), property, statements, now) };
  }
}

function sortByTime(statements: readonly Statement[]): Statement[] {
  return statements.toSorted((a, b) => a.observedAt - b.observedAt);
}
