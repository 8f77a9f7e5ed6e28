import { composeModel } from '#domain/icp/compose-model.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { buildInlineEvidence } from '#domain/score/evidence.js';
import type { IcpModel } from '#domain/score/model.js';
import { parseModel } from '#domain/score/parse-model.js';
import { scoreLead } from '#domain/score/score-lead.js';
import { parseInstant } from '#domain/time/instant.js';
import { vectorsOf } from './vectors.ts';

/** How well a lead fits, as a careful seller says. */
type Band = 'high' | 'mid' | 'low' | 'out' | 'unknown';

interface JudgedList {
  readonly description: string;
  readonly leads: readonly { readonly band: Band; readonly attributes: Readonly<Record<string, JsonValue>> }[];
}

/** A lead that was judged, and the band that the score puts it in. */
export interface LeadVerdict {
  readonly description: string;
  readonly lead: string;
  readonly judged: Band;
  readonly scored: Band;
  readonly fit: number | null;
}

const NOW = parseInstant('2026-11-20')!;

/** Scores the judged leads by the model that is read from the description of their list. */
export function scoreJudgedLeads(): LeadVerdict[] {
  return vectorsOf<JudgedList>('score/leads').flatMap(({ description, leads }) => {
    const model = buildModel(description);
    return leads.map(({ band, attributes }) => {
      const { layers, tier, suppressed_by } = scoreLead(model, buildInlineEvidence(attributes, new Set(), NOW), NOW);
      const isOut = suppressed_by.some(({ rule }) => rule !== 'low_fit');
      const scored = isOut ? ('out' as const) : BANDS[tier ?? 'unknown'];
      return { description, lead: JSON.stringify(attributes), judged: band, scored, fit: layers.fit.score };
    });
  });
}

const BANDS = { tier_1: 'high', tier_2: 'mid', tier_3: 'mid', not_icp: 'low', unknown: 'unknown' } as const;

function buildModel(description: string): IcpModel {
  const { fit, pain } = parseDescription(description);
  const read = parseModel(composeModel({ rules: [], described: fit, learned: [], pain, description }), 1);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.model;
}
