import { type Plan, PLANS } from '#domain/plans/tiers.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ProfileFields } from '#domain/facts/profile.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { computeCompleteness, type NextStep, listNextSteps, PLAYBOOK_SECTIONS } from '#domain/workspace/setup.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { QuotaName } from '#kernel/quotas/quota-limits.js';
import type { QuotaUsage } from '#kernel/quotas/quota.service.js';
import type { Integration } from '#plugin-host/connections/integrations.dto.js';
import type { RetentionRun } from '../retention/retention.queries.js';
import { presentRun, type PresentedRetentionRun } from '../retention/retention.service.js';

/** Maximum of each count; a count of this value means "at least". */
export const MAX_COUNTED = 10_000;

/** The workspace with its counts, each at most {@link MAX_COUNTED}. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly people: number;
  readonly companies: number;
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly lead_lists: number;
}

const countSql = (table: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE workspace_id = $1 LIMIT ${MAX_COUNTED}) AS counted)`;

/** Reads the workspace and its counts. One statement, whose work is bounded whatever the size of the workspace. */
export async function readWorkspaceCounts(tx: Tx): Promise<WorkspaceRow> {
  const [row] = await tx.query<WorkspaceRow>(
    `WITH known AS MATERIALIZED (
       SELECT type FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL LIMIT ${MAX_COUNTED}
     )
     SELECT w.id, w.name, w.plan,
            (SELECT count(*)::int FROM known WHERE type = 'person') AS people,
            (SELECT count(*)::int FROM known WHERE type = 'company') AS companies,
            ${countSql('observations')} AS observations, ${countSql('notes')} AS notes,
            ${countSql('leads')} AS leads, ${countSql('lead_lists')} AS lead_lists
     FROM workspaces w WHERE w.id = $1`,
    [tx.workspace],
  );
  return row!;
}

/** The lowest plan that includes CRM sync. */
const CRM_PLAN: Plan = 'growth';

/** The data that the status of a workspace is built from. */
export interface StatusSources {
  readonly row: WorkspaceRow;
  readonly profile: ProfileFields;
  readonly icp: { readonly version: number; readonly updatedAt: Instant; readonly compiled: boolean } | undefined;
  /** Playbook sections with content. */
  readonly sections: readonly string[];
  /** Number of all sections. */
  readonly facts: number;
  /** The last nightly run of retention. */
  readonly retention: RetentionRun | undefined;
}

/** A provider that the workspace is connected to. */
export interface ConnectedProvider {
  readonly name: string;
  readonly provider: string;
  readonly category: string;
  readonly state: string;
  readonly last_used_at: string | null;
}

/** Response of the status endpoint. */
export interface WorkspaceStatusResponse {
  readonly workspace: ProfileFields & { readonly id: string };
  readonly plan: {
    readonly id: Plan;
    readonly name: string;
    readonly crm_sync: boolean;
    readonly lead_lists: boolean;
    readonly icp_scoring: boolean;
  };
  /** Share of the setup steps that are done, in percent. */
  readonly completeness: number;
  readonly counts: Omit<WorkspaceRow, 'id' | 'name' | 'plan'>;
  /** Whether any count reached its limit, so that there may be more. */
  readonly counts_bounded: boolean;
  /** What the plan allows and what is used of it. */
  readonly quotas: Readonly<Record<QuotaName, QuotaUsage>>;
  readonly setup: {
    readonly onboarding: { readonly done: boolean; readonly missing: readonly string[] };
    readonly icp: { readonly done: boolean; readonly version: number | null; readonly updated_at: string | null };
    readonly gtm_playbook: {
      readonly done: boolean;
      readonly facts: number;
      readonly sections: readonly string[];
      readonly missing: readonly string[];
    };
    readonly integrations: { readonly count: number; readonly connected: readonly ConnectedProvider[] };
    readonly records: { readonly count: number };
    readonly crm_sync: {
      readonly available: boolean;
      readonly configured: boolean;
      readonly providers: readonly string[];
    };
    readonly triggers: { readonly available: boolean };
  };
  readonly retention: { readonly last_run: PresentedRetentionRun | null };
  readonly next_steps: readonly NextStep[];
}

/** Profile fields that onboarding requires. */
const REQUIRED_FIELDS = ['name', 'website'] as const;
const CONNECTED_STATES = new Set(['connected', 'degraded']);

/** Builds the status of a workspace. */
export function presentStatus(
  sources: StatusSources,
  integrations: readonly Integration[],
  quotas: Readonly<Record<QuotaName, QuotaUsage>>,
): WorkspaceStatusResponse {
  const { row, profile, icp, sections, facts, retention } = sources;
  const { id, name, plan, ...counts } = row;
  const missing = REQUIRED_FIELDS.filter(field => profile[field] === null);
  const unwritten = PLAYBOOK_SECTIONS.filter(section => !sections.includes(section));
  const connected = integrations.filter(({ state }) => CONNECTED_STATES.has(state));
  const crm = integrations.find(({ provider }) => provider === 'crm');
  const setup = {
    missingFields: missing,
    hasModel: icp?.compiled === true,
    missingSections: unwritten,
    hasRecords: counts.people + counts.companies > 0,
    isConnected: connected.length > 0,
    canConnect: integrations.some(
      ({ state, credentials_schema }) => state === 'available' && credentials_schema !== null,
    ),
  };
  return {
    workspace: { ...profile, id, name: profile.name ?? name },
    plan: {
      id: plan,
      name: capitalize(plan),
      crm_sync: PlanGate.isAllowed(plan, CRM_PLAN),
      lead_lists: true,
      icp_scoring: true,
    },
    completeness: computeCompleteness(setup),
    counts,
    counts_bounded: Object.values(counts).some(count => count >= MAX_COUNTED),
    quotas,
    setup: {
      onboarding: { done: missing.length === 0, missing },
      icp: { done: setup.hasModel, version: icp?.version ?? null, updated_at: icp ? toIso(icp.updatedAt) : null },
      gtm_playbook: { done: unwritten.length === 0, facts, sections, missing: unwritten },
      integrations: { count: connected.length, connected: connected.map(presentProvider) },
      records: { count: counts.people + counts.companies },
      crm_sync: {
        available: crm !== undefined && crm.state !== 'failed' && crm.state !== 'locked',
        configured: crm?.connection != null,
        providers: crm && crm.connection ? ['crm'] : [],
      },
      triggers: {
        available: integrations.some(({ provider, state }) => provider === 'triggers' && state !== 'failed'),
      },
    },
    retention: { last_run: retention ? presentRun(retention) : null },
    next_steps: listNextSteps(setup),
  };
}

function presentProvider({ display_name, provider, category, state, connection }: Integration): ConnectedProvider {
  return { name: display_name, provider, category, state, last_used_at: connection?.last_event_at ?? null };
}

function capitalize(plan: (typeof PLANS)[number]): string {
  return plan.slice(0, 1).toUpperCase() + plan.slice(1);
}
