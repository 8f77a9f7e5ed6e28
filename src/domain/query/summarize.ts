import { stripEventPrefix } from '../observation/interaction-events.js';
import type { JsonValue } from '../observation/observation.js';
import { expandTokens } from '../text/thesaurus.js';
import { selectEvidence, type TokenizedRow } from './rank-rows.js';
import { formatDisplayValue } from './query.js';

/** A sentence of a summary, with the observations that it cites. */
export interface SummaryBullet {
  readonly text: string;
  /** Never empty. */
  readonly observation_ids: readonly string[];
}

/** Number of observations of a property. */
export interface PropertyCount {
  readonly property: string;
  readonly count: number;
  readonly entities: number;
  /** The newest three. */
  readonly ids: readonly string[];
}

/** A count compared with the preceding period of equal length. */
export interface PeriodChange {
  readonly property: string;
  readonly count: number;
  readonly entities: number;
  readonly previous_count: number;
  readonly change: number;
}

/** An observation as input of a summary. */
export interface SummarySource extends TokenizedRow {
  readonly id: string;
  readonly entity: string;
  readonly property: string;
  readonly value: JsonValue;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Its text summary; null without one. */
  readonly summary: string | null;
  /** What the question is compared with, from {@link tokenizeSummary}; empty without a summary. */
  readonly tokens: readonly string[];
}

/** A fact that changed. */
export interface FactChange {
  readonly entity: string;
  readonly property: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly day: string;
  /** ID of the observation that changed it. */
  readonly id: string;
}

/** Input of a summary. */
export interface SummaryInput {
  readonly question: string | undefined;
  readonly counts: readonly PropertyCount[];
  /** Counts of the preceding period of equal length; undefined if no period was requested. */
  readonly previous: readonly PropertyCount[] | undefined;
  /** Newest first. */
  readonly sources: readonly SummarySource[];
  readonly changes: readonly FactChange[];
}

/** A summary made without a model; deterministic for a given log. */
export interface ExtractiveSummary {
  readonly text: string;
  readonly bullets: readonly SummaryBullet[];
  readonly period_change: readonly PeriodChange[] | null;
}

const MAX_COUNT_BULLETS = 10;
const MAX_VALUES_PER_BULLET = 5;
const MAX_VALUE_BULLETS = 5;
const MAX_EVIDENCE_BULLETS = 8;
const MAX_CHANGE_BULLETS = 8;

/**
 * Summarizes observations: counts per property compared with the preceding period, the five most frequent values of
 * each state, up to eight sentences relevant to the question, and changed facts. Every bullet cites observations.
 */
export function summarize(material: SummaryInput): ExtractiveSummary {
  const changes = material.previous && computePeriodChanges(material.counts, material.previous);
  const bullets = [
    ...material.counts.slice(0, MAX_COUNT_BULLETS).map(count => toCountBullet(count, changes)),
    ...toValueBullets(material.sources),
    ...selectSummaryEvidence(material, MAX_EVIDENCE_BULLETS).map(toEvidenceBullet),
    ...material.changes.slice(0, MAX_CHANGE_BULLETS).map(toChangeBullet),
  ].filter(({ observation_ids }) => observation_ids.length > 0);
  const text = bullets.length === 0 ? 'Nothing was found.' : bullets.map(bullet => `- ${bullet.text}`).join('\n');
  return { text, bullets, period_change: changes ?? null };
}

/** Returns the observations most relevant to the question, at most `count`. */
export function selectSummaryEvidence({ question, sources }: SummaryInput, count: number): SummarySource[] {
  return selectEvidence(
    question,
    sources.filter(({ summary }) => summary !== null),
    count,
  );
}

/** Returns the search tokens of an observation with a summary. */
export function tokenizeSummary({ property, summary }: Pick<SummarySource, 'property' | 'summary'>): string[] {
  if (summary === null) return [];
  return expandTokens(`${stripEventPrefix(property).replaceAll('_', ' ')} ${summary}`);
}

/**
 * Returns the bullets of a model that cite only given observations, so that they can be checked; all others are
 * dropped.
 */
export function filterCitedBullets(raw: unknown, known: ReadonlySet<string>): SummaryBullet[] {
  const given = typeof raw === 'object' && raw !== null && 'bullets' in raw ? raw.bullets : undefined;
  if (!Array.isArray(given)) return [];
  return given.flatMap((each: unknown): SummaryBullet[] => {
    if (typeof each !== 'object' || each === null) return [];
    const { text, observation_ids: ids } = each as { text?: unknown; observation_ids?: unknown };
    if (typeof text !== 'string' || text.trim() === '' || !Array.isArray(ids) || ids.length === 0) return [];
    const cited = ids.filter((id): id is string => typeof id === 'string' && known.has(id));
    return cited.length === ids.length
      ? [{ text: text.trim().slice(0, 1000), observation_ids: [...new Set(cited)] }]
      : [];
  });
}

function computePeriodChanges(counts: readonly PropertyCount[], previous: readonly PropertyCount[]): PeriodChange[] {
  const before = new Map(previous.map(({ property, count }) => [property, count]));
  const now = new Map(counts.map(each => [each.property, each]));
  return [...new Set([...now.keys(), ...before.keys()])].toSorted().map(property => {
    const { count = 0, entities = 0 } = now.get(property) ?? {};
    const previous_count = before.get(property) ?? 0;
    return { property, count, entities, previous_count, change: count - previous_count };
  });
}

function toCountBullet(
  { property, count, entities, ids }: PropertyCount,
  changes: readonly PeriodChange[] | undefined,
): SummaryBullet {
  const change = changes?.find(each => each.property === property)?.change;
  const versus = change === undefined ? '' : `, ${change > 0 ? '+' : ''}${change} against the time before`;
  return {
    text: `${stripEventPrefix(property)}: ${count} of ${entities} ${entities === 1 ? 'entity' : 'entities'}${versus}`,
    observation_ids: ids,
  };
}

function toValueBullets(seen: readonly SummarySource[]): SummaryBullet[] {
  const states = seen.filter(({ property, value }) => !property.startsWith('interaction.') && value !== null);
  const byProperty = [...Map.groupBy(states, ({ property }) => property)];
  return byProperty
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .slice(0, MAX_VALUE_BULLETS)
    .map(([property, all]) => {
      const values = [...Map.groupBy(all, ({ value }) => formatDisplayValue(property, value, 60))]
        .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
        .slice(0, MAX_VALUES_PER_BULLET);
      const text = `${property}: ${values.map(([value, those]) => `${value} (${those.length})`).join(', ')}`;
      return { text, observation_ids: values.map(([, those]) => those[0]!.id) };
    });
}

function toEvidenceBullet({ id, entity, property, day, summary }: SummarySource): SummaryBullet {
  return {
    text: `${day} ${entity}, ${stripEventPrefix(property).replaceAll('_', ' ')}: ${summary}`,
    observation_ids: [id],
  };
}

function toChangeBullet({ id, entity, property, before, after, day }: FactChange): SummaryBullet {
  return {
    text: `${day} ${property} of ${entity}: ${formatDisplayValue(property, before, 60)} to ${formatDisplayValue(property, after, 60)}`,
    observation_ids: [id],
  };
}
