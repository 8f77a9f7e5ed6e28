import { Injectable } from '@nestjs/common';
import type { HubContext, JsonObject, PluginRun, RunDone } from '@rapport/plugin-sdk';
import { plugin } from '../plugin.js';
import { toSource } from './import-store.js';

/** What an undo is started with. */
export interface UndoInput {
  readonly importId: string;
  readonly reason: string;
  readonly dryRun: boolean;
}

/** Result of an undo, and of its dry run. */
export interface UndoCounts {
  readonly observations: number;
  readonly notes: number;
  /** Leads that nobody has worked. */
  readonly leads: number;
  /** People and companies of which nothing else is known. */
  readonly entities_removed: number;
}

/** State of a run: JSON. */
interface UndoState {
  readonly after: string;
  readonly counts: UndoCounts;
}

const NO_COUNTS: UndoCounts = { observations: 0, notes: 0, leads: 0, entities_removed: 0 };

/** Withdraws what an import recorded, page by page. */
@Injectable()
export class UndoRun {
  @plugin.OnRun('undo')
  async undo(run: PluginRun<UndoInput, UndoState>, hub: HubContext): Promise<UndoState | RunDone> {
    const { importId, reason, dryRun } = run.input;
    const { after, counts } = run.state ?? { counts: NO_COUNTS };
    const page = await hub.graph.retract(toSource(importId), { reason, dryRun, ...(after !== undefined && { after }) });
    const total: UndoCounts = {
      observations: counts.observations + page.observations,
      notes: counts.notes + page.notes,
      leads: counts.leads + page.leads,
      entities_removed: counts.entities_removed + page.entities_removed,
    };
    run.progress(total.observations, undefined, `${total.observations} observations retracted`);
    return page.next === null ? run.done({ ...total } satisfies JsonObject) : { after: page.next, counts: total };
  }
}
