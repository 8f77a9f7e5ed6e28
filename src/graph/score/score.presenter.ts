import { type Band, isIcpFit, type Tier } from '#domain/score/bands.js';
import type { Layer } from '#domain/score/layer.js';
import { type LayerName, LAYERS } from '#domain/score/model.js';
import { MAX_SUMMARY_REASONS, type LeadScore } from '#domain/score/score-lead.js';
import type { PresentedCandidate } from '../identity/entity-resolver.service.js';

/** The reason why there is no score, or only a partial one. None of these is an error. */
export type ScoreStatusReason =
  | 'unknown_identifier'
  | 'ambiguous'
  | 'awaiting_enrichment'
  | 'partial'
  | 'no_attributes'
  | 'no_model';

/** The score of a lead in the response. */
export interface PresentedScore extends Omit<LeadScore, 'layers' | 'tier' | 'band'> {
  /** True: the lead is in the graph, or was described by the caller. */
  readonly resolved: boolean;
  /** Whether at least one layer is known. */
  readonly scored: boolean;
  readonly reason?: ScoreStatusReason;
  readonly entity_id?: string;
  readonly lead_id?: string;
  /** The identifier of the request. */
  readonly identifier?: string;
  readonly ref?: string | number;
  /** Set for a lead that the caller described. */
  readonly source?: 'inline';
  /** Whether the score was written into the graph. */
  readonly persisted: boolean;
  readonly icp: {
    readonly score: number | null;
    readonly fit: boolean | null;
    readonly tier: Tier | null;
    readonly reason: string | null;
    readonly scored_at: string;
  };
  readonly intent: { readonly score: number | null; readonly band: Band | null };
  readonly layers: Readonly<Record<LayerName, Layer>>;
}

/** The result for an identifier that matches no entity or several. */
export interface UnresolvedSubject {
  readonly resolved: false;
  readonly scored: false;
  readonly reason: 'unknown_identifier' | 'ambiguous';
  readonly identifier?: string;
  readonly lead_id?: string;
  readonly persisted: false;
  readonly status?: 'ambiguous';
  readonly count?: number;
  readonly candidates?: readonly PresentedCandidate[];
}

/** The result for one lead. */
export type ScoreResponse = PresentedScore | UnresolvedSubject;

/** The results for many leads, in the order of the request. */
export interface ScoreListResponse {
  readonly results: readonly ScoreResponse[];
  /** Whether any score was written into the graph. */
  readonly persisted: boolean;
}

/** The fields that identify the scored lead. */
export type SubjectRef = Pick<PresentedScore, 'entity_id' | 'lead_id' | 'identifier' | 'ref' | 'source'>;

/**
 * Converts a score to its response shape.
 * @param at time of the score, ISO 8601.
 * @param explain whether to include the reasons of the layers.
 * @param empty whether the lead has no attributes.
 */
export function presentScore(
  score: LeadScore,
  subject: SubjectRef,
  at: string,
  explain: boolean,
  empty = false,
): PresentedScore {
  const { fit, intent } = score.layers;
  const reason = findStatusReason(score, empty);
  return {
    resolved: true,
    scored: LAYERS.some(name => score.layers[name].score !== null),
    ...(reason && { reason }),
    ...subject,
    persisted: false,
    icp: {
      score: fit.score,
      fit: isIcpFit(fit.score),
      tier: score.tier,
      reason: formatReasons(fit),
      scored_at: at,
    },
    intent: { score: intent.score, band: score.band },
    layers: explain || fit.reasons.length === 0 ? score.layers : withoutReasons(score.layers),
    missing: score.missing,
    play: score.play,
    play_rule: score.play_rule,
    suppressed_by: score.suppressed_by,
    flags: score.flags,
    priority: score.priority,
    priority_confidence: score.priority_confidence,
    icp_model: score.icp_model,
  };
}

/** Returns the result for an identifier that matches no entity. */
export function toUnknownIdentifier(subject: Pick<UnresolvedSubject, 'identifier' | 'lead_id'>): UnresolvedSubject {
  return { resolved: false, scored: false, reason: 'unknown_identifier', ...subject, persisted: false };
}

/** Removes the reasons of Fit, which are computed only for the sentence. */
function withoutReasons({ fit, pain, intent, ability }: LeadScore['layers']): LeadScore['layers'] {
  const { status, score, coverage, trust } = fit;
  return { fit: { status, score, coverage, trust, reasons: [] }, pain, intent, ability };
}

function findStatusReason({ layers, icp_model }: LeadScore, empty: boolean): ScoreStatusReason | undefined {
  if (empty) return 'no_attributes';
  if (icp_model === null) return 'no_model';
  if (layers.fit.score !== null) return undefined;
  return LAYERS.some(name => layers[name].score !== null) ? 'partial' : 'awaiting_enrichment';
}

function formatReasons({ reasons }: Layer): string | null {
  if (reasons.length === 0) return null;
  let sentence = reasons[0]!.text;
  for (let i = 1; i < reasons.length && i < MAX_SUMMARY_REASONS; i++) sentence += `; ${reasons[i]!.text}`;
  return sentence;
}
