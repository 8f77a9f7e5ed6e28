import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { METRICS } from '#kernel/telemetry/metrics.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.service.js';
import { ClaimsService } from '../claims/claims.service.js';
import { checkClaims, type Rebuilt } from './rebuild-claims.js';

const EVERY_MS = 10 * 60_000;
/** In the small hours of UTC. */
const FROM_HOUR = 2;
const KEPT_DAYS = 90;

/**
 * Folds one claim in a hundred anew every night, another hundredth each time, and tells what differs: claims are a
 * cache, and nothing may ever differ. Whichever process comes first takes a workspace for the day.
 */
@Injectable()
export class ClaimChecker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('claims');
  private readonly checked: Counter;
  private readonly differing: Counter;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private ending = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimsService,
    @Inject(ENV) private readonly env: Env,
    @Inject(METRICS) registry: Registry,
  ) {
    const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
    this.checked = counter('rapport_claim_audit_claims_total', 'Claims that nightly audits have folded again');
    this.differing = counter('rapport_claim_audit_mismatches_total', 'Claims that differed from the fold of the log');
  }

  onApplicationBootstrap(): void {
    if (this.env.role === 'api') return;
    this.timer = setInterval(() => this.checkAtNight(), EVERY_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.ending = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Checks every workspace that nobody has checked on this day yet. @param day YYYY-MM-DD, which also is the sample. */
  async checkAll(day: string): Promise<Rebuilt> {
    const sum = { entities: 0, claims: 0, changed: 0 };
    for (const { id } of await listWorkspaces(this.work)) {
      if (this.ending || !(await this.take(id, day))) continue;
      const found = await this.check(id, day);
      sum.entities += found.entities;
      sum.claims += found.claims;
      sum.changed += found.changed;
    }
    return sum;
  }

  /** Checks one sample of one workspace, counts it and keeps the outcome. */
  async check(workspace: string, sample: string): Promise<Rebuilt> {
    const found = await checkClaims(this.work, workspace, this.claims, sample);
    this.checked.inc(found.claims);
    this.differing.inc(found.changed);
    if (found.changed > 0) {
      this.log.error(`${found.changed} of ${found.claims} checked claims of ${workspace} differ; run rebuild-claims`);
    }
    await this.work.run(workspace, tx =>
      tx.query('UPDATE claim_audits SET claims = $2, mismatches = $3 WHERE workspace_id = $1 AND day::text = $4', [
        workspace,
        found.claims,
        found.changed,
        sample,
      ]),
    );
    return found;
  }

  private async take(workspace: string, day: string): Promise<boolean> {
    return this.work.run(workspace, async tx => {
      tx.queryWithCommit(`DELETE FROM claim_audits WHERE workspace_id = $1 AND day < current_date - ${KEPT_DAYS}`, [
        workspace,
      ]);
      const taken = await tx.query(
        'INSERT INTO claim_audits (workspace_id, day) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING day',
        [workspace, day],
      );
      return taken.length > 0;
    });
  }

  private checkAtNight(): void {
    const now = new Date();
    if (now.getUTCHours() < FROM_HOUR) return;
    this.running ??= this.checkAll(now.toISOString().slice(0, 10))
      .catch(error => this.log.warn(String(error)))
      .finally(() => (this.running = undefined));
  }
}
