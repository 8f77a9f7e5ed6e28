import { type Intent, MIN_BUDGET_TOKENS, MAX_BUDGET_TOKENS, PRESETS } from '#domain/context/intents.js';
import type { NameHints } from '#domain/identity/match-name.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { parseIntent } from '../accounts/account-query.dto.js';
import type { ContextRequestDto } from './context.dto.js';

/** Parts that a context can include. */
export const CONTEXT_PARTS = ['claims', 'timeline', 'notes', 'company', 'workspace'] as const;

/** One of {@link CONTEXT_PARTS}. */
export type ContextPart = (typeof CONTEXT_PARTS)[number];

/** A validated request for context. */
export interface ContextRequest {
  readonly focus: string;
  /** Disambiguates a name. */
  readonly hints: NameHints;
  readonly intent: Intent;
  /** The caller's task in prose; undefined for a general brief. */
  readonly task: string | undefined;
  /** Maximum number of tokens of the text, 200 to 16,000. */
  readonly budget: number;
  readonly include: ReadonlySet<ContextPart>;
  /** Omits claims with a lower confidence, 0 to 1, except pinned ones. */
  readonly minConfidence: number;
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
  /** Whether every item explains its rank. */
  readonly explain: boolean;
}

/** Validates the body of a REST or tool call. @throws HubError `focus_required`, `invalid_intent`. */
export function toContextRequest(body: Partial<ContextRequestDto>): ContextRequest {
  if (body.focus === undefined || body.focus === null || body.focus.trim() === '') throw new HubError('focus_required');
  const intent = parseIntent(body.intent ?? 'account_review');
  const budget = body.budget_tokens ?? PRESETS[intent].budget;
  return {
    focus: body.focus,
    hints: { ...(body.type && { type: body.type }), ...(body.company && { company: body.company }) },
    intent,
    task: body.task?.trim() || undefined,
    budget: Math.min(Math.max(budget, MIN_BUDGET_TOKENS), MAX_BUDGET_TOKENS),
    include: new Set(body.include ?? CONTEXT_PARTS),
    minConfidence: body.min_confidence ?? 0,
    asOf: body.as_of === undefined ? undefined : parseInstant(body.as_of),
    knownAt: body.known_at === undefined ? undefined : parseInstant(body.known_at),
    explain: body.explain ?? false,
  };
}
