import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import { append, foldAll } from '#domain/claims/fold.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { showClaim } from '#domain/claims/show-claim.js';
import { emptyState, type PropertyState, type Statement } from '#domain/claims/state.js';
import { composeName } from '#domain/identity/names.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding, WorkSlice } from '#kernel/scheduling/yield.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type ClaimKey, keepStates, type KeptClaim } from './claims.queries.js';
import { readStates } from './states.queries.js';
import { RulesBook } from './rules-book.js';

/** Statements about one claim: those that were just appended, or its whole history. */
export interface Addition extends ClaimKey {
  readonly statements: readonly Statement[];
}

/** Gives the whole history of claims whose additions came late. Asked at most once per derivation. */
export type ReadHistory = (keys: readonly ClaimKey[]) => Promise<readonly Addition[]>;

/** The properties that an entity's name is made of. */
export const NAMING: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);

/** Derives claims and keeps their fold state. It is handed history and never reads the log itself. */
@Injectable()
export class ClaimsService {
  constructor(private readonly book: RulesBook) {}

  /** The rules by which claims of a workspace are folded. */
  rulesOf(workspace: string): ClaimRules {
    return this.book.of(workspace);
  }

  /**
   * The kept states of these claims. May be sent before the rows of the append are back.
   * @param owners whose claims these are, as they were found before they were locked.
   * @throws ClustersMoved when one was merged or unmerged in the meantime; the transaction is run again then.
   */
  statesOf(tx: Tx, keys: readonly ClaimKey[], owners: readonly Owner[] = []): Promise<KeptClaim[]> {
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
    additions: readonly Addition[],
    kept: readonly KeptClaim[],
    now: Instant,
    readHistory: ReadHistory,
  ): Promise<KeptClaim[]> {
    const rules = this.rulesOf(tx.workspace);
    const before = new Map(kept.map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const folded: KeptClaim[] = [];
    const late: ClaimKey[] = [];
    const slice = new WorkSlice();
    for (const addition of additions) {
      const key = `${addition.entityId} ${addition.property}`;
      let state: PropertyState | 'late' = before.get(key) ?? emptyState();
      for (const statement of inOrderOfTime(addition.statements)) {
        if (slice.isFull()) await slice.yield();
        const next = append(rules, addition.property, state, statement, now);
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
          whole => this.foldAnew(tx.workspace, whole, now),
          ({ statements }) => statements.length * ITEM_UNITS,
        )),
      );
    return folded;
  }

  /** Keeps folded claims with the transaction. Call it once. */
  keep(tx: Tx, folded: readonly KeptClaim[]): Promise<void> {
    return keepStates(tx, folded);
  }

  /** The names that claims now give to the entities whose naming claims were folded; null where the name has ended. */
  namesAmong(folded: readonly KeptClaim[], kept: readonly KeptClaim[], now: Instant): Map<string, string | null> {
    const renamed = folded.filter(claim => NAMING.has(claim.property)).map(claim => claim.entityId);
    const states = new Map([...kept, ...folded].map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const text = (entityId: string, property: string) => {
      const state = states.get(`${entityId} ${property}`);
      const value = state && showClaim(defaultRules, property, state, now)?.value;
      return typeof value === 'string' ? value : undefined;
    };
    return new Map(
      renamed.map(id => [id, text(id, 'name') ?? composeName(text(id, 'first_name'), text(id, 'last_name')) ?? null]),
    );
  }

  /** Folds a claim from its whole history. */
  foldAnew(workspace: string, { entityId, property, statements }: Addition, now: Instant): KeptClaim {
    return { entityId, property, state: foldAll(this.rulesOf(workspace), property, statements, now) };
  }
}

function inOrderOfTime(statements: readonly Statement[]): Statement[] {
  return statements.toSorted((a, b) => a.observedAt - b.observedAt);
}
