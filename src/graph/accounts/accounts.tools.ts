import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { INTENTS } from '#domain/context/intents.js';
import { parseInstant } from '#domain/time/instant.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { asOfField, knownAtField } from '#kernel/mcp/argument-problems.js';
import { type AmbiguousName, withNextCall } from '../identity/entity-resolver.service.js';
import type { AccountResponse } from './accounts.presenter.js';
import { MAX_TIMELINE_LIMIT } from './account-query.dto.js';
import { AccountsService } from './accounts.service.js';

const input = z.strictObject({
  id: z.string().max(320).describe('E-mail, domain, LinkedIn URL, ID, tel:+…, external:<system>:<id> or name.'),
  type: z.enum(['person', 'company']).optional().describe('Narrows a name lookup.'),
  company: z.string().max(320).optional().describe('Employer, to narrow a name.'),
  limit: z.number().int().min(1).default(10).describe('Observations on a page, at most 200.'),
  cursor: z.string().max(500).optional().describe('next_cursor of the previous page.'),
  history: z.boolean().default(false).describe('Add previous values of claims.'),
  intent: z.enum(INTENTS).optional().describe('Adds key activity and decision makers.'),
  compress: z.boolean().default(false).describe('Omit recent_observations, summarize them.'),
  as_of: asOfField.optional(),
  known_at: knownAtField.optional(),
  detail,
});

/** One schema for both results: an account, or the candidates for a name. */
const output = z.looseObject({
  entity_id: z.string().optional(),
  claims: z.record(z.string(), z.looseObject({ confidence: z.number(), freshness: z.string() })).optional(),
  recent_observations: z.array(z.looseObject({ observed_at: z.string() })).optional(),
  next_cursor: z.string().nullable().optional(),
});

/** Fields omitted with `detail: brief`: the derivation of claims, and redundant fields. */
const OMITTED_IN_BRIEF = [
  ...'entity_id property value_type freshness_score observation_count refresh_due_at decays_at opposing trust_version values'
    .split(' ')
    .map(field => `claims.*.${field}`),
  'claims.*.sources.*.method',
  'claims.*.sources.*.weight',
  'recent_observations.*.entity_id',
  'recent_observations.*.recorded_at',
  'recent_observations.*.type',
  'recent_observations.*.method',
  'identifiers.*.key',
  'identifiers.*.first_seen',
  'documents',
];

/** Provides the account tool. */
@Injectable()
export class AccountsTools {
  constructor(private readonly accounts: AccountsService) {}

  /** Returns the same as GET /v2/accounts/:id, trimmed to `detail`. */
  @McpTool({
    name: 'get_account',
    title: 'Get account',
    description:
      'Returns all about one person or company: claims with confidence, freshness and sources, notes, latest ' +
      'observations. For a selection use get_context. Rely only on fresh claims above 0.7, not inferred.\nExample: {"id":"ada@acme.com"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['notes', 'recent_observations', 'people', 'claims'],
  })
  async read(request: z.output<typeof input>, { caller }: CoreToolContext): Promise<AccountResponse | AmbiguousName> {
    const { id, as_of, known_at, detail: level, limit: rows, ...rest } = request;
    const limit = Math.min(rows, MAX_TIMELINE_LIMIT);
    const asOf = as_of === undefined ? undefined : parseInstant(as_of);
    const knownAt = known_at === undefined ? undefined : parseInstant(known_at);
    const account = await this.accounts.read(caller.workspaceId, id, { ...rest, limit, claims: 'map', asOf, knownAt });
    return trimToDetail(withNextCall(account, 'get_account', 'id'), level, OMITTED_IN_BRIEF);
  }
}
