import { typeOf } from '#domain/observation/direction.js';
import type { Json } from '#domain/observation/observation.js';
import { evidenceAmong } from './rank-rows.js';
import { said } from './said.js';

/** A sentence of a summary with the observations that it rests on. */
export interface Bullet {
  readonly text: string;
  /** Never empty. */
  readonly observation_ids: readonly string[];
}

/** How much there was of a property, and in the equally long time before. */
export interface PropertyCount {
  readonly property: string;
  readonly count: number;
  readonly entities: number;
  /** The newest three. */
  readonly ids: readonly string[];
}

/** A count beside the one of the time before. */
export interface PeriodChange {
  readonly property: string;
  readonly count: number;
  readonly entities: number;
  readonly previous_count: number;
  readonly change: number;
}

/** An observation as a summary sees it. */
export interface Seen {
  readonly id: string;
  readonly entity: string;
  readonly property: string;
  readonly value: Json;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** What it says in words; null for nothing. */
  readonly summary: string | null;
}

/** A fact that changed. */
export interface Change {
  readonly entity: string;
  readonly property: string;
  readonly before: Json;
  readonly after: Json;
  readonly day: string;
  /** The observation that changed it. */
  readonly id: string;
}

/** What a summary is made of. */
export interface SummaryMaterial {
  readonly question: string | undefined;
  readonly counts: readonly PropertyCount[];
  /** Of the equally long time before; undefined where no time was asked for. */
  readonly previous: readonly PropertyCount[] | undefined;
  /** Newest first. */
  readonly seen: readonly Seen[];
  readonly changes: readonly Change[];
}

/** A summary without a model: the same for the same log. */
export interface ExtractiveSummary {
  readonly text: string;
  readonly bullets: readonly Bullet[];
  readonly period_change: readonly PeriodChange[] | null;
}

const COUNTED = 10;
const VALUES = 5;
const VALUED = 5;
const EVIDENCE = 8;
const CHANGES = 8;

/**
 * Sums observations up: how much there is of each property, against the time before; the five most frequent values of
 * each state; up to eight sentences that say most about the question; and facts that changed. Every bullet cites.
 */
export function summarize(material: SummaryMaterial): ExtractiveSummary {
  const changes = material.previous && changesOf(material.counts, material.previous);
  const bullets = [
    ...material.counts.slice(0, COUNTED).map(count => countBullet(count, changes)),
    ...valueBullets(material.seen),
    ...evidenceIn(material, EVIDENCE).map(evidenceBullet),
    ...material.changes.slice(0, CHANGES).map(changeBullet),
  ].filter(({ observation_ids }) => observation_ids.length > 0);
  const text = bullets.length === 0 ? 'Nothing was found.' : bullets.map(bullet => `- ${bullet.text}`).join('\n');
  return { text, bullets, period_change: changes ?? null };
}

/** The observations that say most about the question, `count` at most. */
export function evidenceIn({ question, seen }: SummaryMaterial, count: number): Seen[] {
  const told = seen.filter(({ summary }) => summary !== null);
  return evidenceAmong(
    question,
    told,
    ({ property, summary }) => `${typeOf(property).replaceAll('_', ' ')} ${summary}`,
    count,
  );
}

/** Keeps what cites only what was given, and so can be checked; everything else is dropped. */
export function citedBullets(raw: unknown, known: ReadonlySet<string>): Bullet[] {
  const given = typeof raw === 'object' && raw !== null && 'bullets' in raw ? raw.bullets : undefined;
  if (!Array.isArray(given)) return [];
  return given.flatMap((each: unknown): Bullet[] => {
    if (typeof each !== 'object' || each === null) return [];
    const { text, observation_ids: ids } = each as { text?: unknown; observation_ids?: unknown };
    if (typeof text !== 'string' || text.trim() === '' || !Array.isArray(ids) || ids.length === 0) return [];
    const cited = ids.filter((id): id is string => typeof id === 'string' && known.has(id));
    return cited.length === ids.length
      ? [{ text: text.trim().slice(0, 1000), observation_ids: [...new Set(cited)] }]
      : [];
  });
}

function changesOf(counts: readonly PropertyCount[], previous: readonly PropertyCount[]): PeriodChange[] {
  const before = new Map(previous.map(({ property, count }) => [property, count]));
  const now = new Map(counts.map(each => [each.property, each]));
  return [...new Set([...now.keys(), ...before.keys()])].toSorted().map(property => {
    const { count = 0, entities = 0 } = now.get(property) ?? {};
    const previous_count = before.get(property) ?? 0;
    return { property, count, entities, previous_count, change: count - previous_count };
  });
}

function countBullet(
  { property, count, entities, ids }: PropertyCount,
  changes: readonly PeriodChange[] | undefined,
): Bullet {
  const change = changes?.find(each => each.property === property)?.change;
  const versus = change === undefined ? '' : `, ${change > 0 ? '+' : ''}${change} against the time before`;
  return {
    text: `${typeOf(property)}: ${count} of ${entities} ${entities === 1 ? 'entity' : 'entities'}${versus}`,
    observation_ids: ids,
  };
}

function valueBullets(seen: readonly Seen[]): Bullet[] {
  const states = seen.filter(({ property, value }) => !property.startsWith('interaction.') && value !== null);
  const byProperty = [...Map.groupBy(states, ({ property }) => property)];
  return byProperty
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .slice(0, VALUED)
    .map(([property, all]) => {
      const values = [...Map.groupBy(all, ({ value }) => said(property, value, 60))]
        .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
        .slice(0, VALUES);
      const text = `${property}: ${values.map(([value, those]) => `${value} (${those.length})`).join(', ')}`;
      return { text, observation_ids: values.map(([, those]) => those[0]!.id) };
    });
}

function evidenceBullet({ id, entity, property, day, summary }: Seen): Bullet {
  return { text: `${day} ${entity}, ${typeOf(property).replaceAll('_', ' ')}: ${summary}`, observation_ids: [id] };
}

function changeBullet({ id, entity, property, before, after, day }: Change): Bullet {
  return {
    text: `${day} ${property} of ${entity}: ${said(property, before, 60)} to ${said(property, after, 60)}`,
    observation_ids: [id],
  };
}
