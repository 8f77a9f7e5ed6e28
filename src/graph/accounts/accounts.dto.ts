import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt } from '#kernel/http/to-int.decorator.js';
import { INTENTS, type Intent, isIntent } from '#domain/context/intents.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { IsInstant } from '#kernel/http/is-instant.decorator.js';
import { Note, NotePreviewDto } from '../notes/notes-response.dto.js';
import type { AccountRequest } from './accounts.service.js';

/** Observations on a page, unless the caller says otherwise, and at most. */
export const DEFAULT_TIMELINE_LIMIT = 50;
export const MAX_TIMELINE_LIMIT = 200;

const BOOLEAN_TEXTS = ['true', 'false'] as const;

/** The query of GET /v2/accounts/:id. */
export class AccountQuery {
  @ApiPropertyOptional({ enum: ['person', 'company'], description: 'Restricts a name lookup to people or companies.' })
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ApiPropertyOptional({
    description: 'Restricts a name lookup to people of this company, by its name or domain.',
    maxLength: 320,
  })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  company?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_TIMELINE_LIMIT,
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    description:
      'Maximum number of observations in `recent_observations`. Values above the maximum are treated as the ' +
      'maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page, to continue the timeline.', maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;

  @ApiPropertyOptional({
    enum: BOOLEAN_TEXTS,
    default: 'true',
    description: 'Whether claims include their previous values.',
  })
  @IsOptional()
  @IsIn(BOOLEAN_TEXTS)
  history?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: INTENTS,
    description:
      'Purpose of the read. Adds `key_activity`, `activity_summary`, `stakeholders` and `committee`, ' +
      'selected for it.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  intent?: string;

  @ApiPropertyOptional({
    enum: ['1', '0', ...BOOLEAN_TEXTS],
    default: 'false',
    description: 'Same as `intent`, and omits `recent_observations` for a shorter response.',
  })
  @IsOptional()
  @IsIn(['1', '0', ...BOOLEAN_TEXTS])
  compress?: '1' | '0' | 'true' | 'false';

  @ApiPropertyOptional({
    enum: ['map', 'list'],
    default: 'map',
    description: 'Whether claims are returned as a map by property or as a flat list.',
  })
  @IsOptional()
  @IsIn(['map', 'list'])
  claims?: 'map' | 'list';

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return facts as they were in effect at this time, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Use only what had been recorded by this time, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  known_at?: string;
}

/** The intent that a text names. @throws HubError `invalid_intent`. */
export function parseIntent(text: string): Intent {
  if (isIntent(text)) return text;
  throw new HubError('invalid_intent', { extra: { valid_intents: INTENTS } });
}

/** The request that a query stands for. @throws HubError `invalid_intent`. */
export function toAccountRequest(query: AccountQuery): AccountRequest {
  return {
    type: query.type,
    company: query.company,
    limit: Math.min(query.limit ?? DEFAULT_TIMELINE_LIMIT, MAX_TIMELINE_LIMIT),
    cursor: query.cursor,
    history: query.history !== 'false',
    claims: query.claims ?? 'map',
    intent: query.intent === undefined ? undefined : parseIntent(query.intent),
    compress: query.compress === '1' || query.compress === 'true',
    asOf: query.as_of === undefined ? undefined : parseInstant(query.as_of),
    knownAt: query.known_at === undefined ? undefined : parseInstant(query.known_at),
  };
}

/** A statement behind a claim. */
export class ClaimSourceDto {
  @ApiProperty({ description: 'ID of the supporting observation.', format: 'uuid' }) observation_id: string;
  @ApiProperty({ description: 'System or person that provided the observation.', example: 'agent' }) source: string;
  @ApiProperty({ description: 'How the observation was captured.', example: 'api' }) method: string;
  @ApiProperty({ description: 'Time of the observation, ISO 8601.', format: 'date-time' }) observed_at: string;
  @ApiProperty({ description: 'Reliability of the source and method, 0 to 1.', example: 0.75 }) r: number;
  @ApiProperty({ description: 'Reliability after decay by the age of the observation, 0 to 1.', example: 0.75 })
  weight: number;
}

/** A derived fact with what a caller needs to judge it. */
export class ClaimDto {
  @ApiProperty({ description: 'Entity that the claim is about.', format: 'uuid' }) entity_id: string;
  @ApiProperty({ description: 'Name of the property, such as `title` or `stage`.', example: 'title' }) property: string;
  @ApiProperty({
    description: 'Current value, any JSON. Null if the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value: unknown;
  @ApiProperty({
    description: 'JSON type of `value`.',
    enum: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  })
  value_type: string;
  @ApiProperty({
    description: '`current` while the fact holds, `ended` once it was stated to have ended.',
    enum: ['current', 'ended'],
  })
  status: string;
  @ApiProperty({
    description:
      'Probability that the value is right, 0 to 0.99. Act on a claim that is `fresh` and above 0.7; verify ' +
      'any other first.',
    example: 0.75,
  })
  confidence: number;
  @ApiProperty({
    description:
      'Age of the newest support relative to how quickly such facts change: `fresh`, `aging`, `suspect` or ' +
      '`expired`.',
    enum: ['fresh', 'aging', 'suspect', 'expired'],
  })
  freshness: string;
  @ApiProperty({
    description: 'Estimated probability that the fact has not changed since it was last observed, 0 to 1.',
    example: 0.99,
  })
  freshness_score: number;
  @ApiProperty({
    description:
      'Basis of the claim: `asserted`, `observed`, `reported`, `inferred`, `corroborated` (several sources ' +
      'agree), `contested` (sources disagree) or `ended`.',
    enum: ['asserted', 'observed', 'reported', 'inferred', 'corroborated', 'contested', 'ended'],
  })
  epistemic_class: string;
  @ApiProperty({ description: 'Time since which the value holds, ISO 8601.', format: 'date-time' }) valid_from: string;
  @ApiProperty({
    description: 'Time at which the fact ended, ISO 8601. Null while it holds.',
    type: String,
    format: 'date-time',
    nullable: true,
  })
  valid_to: string | null;
  @ApiProperty({ description: 'Time of the newest supporting observation, ISO 8601.', format: 'date-time' })
  last_observed_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the claim stops being `fresh`, ISO 8601. Null if such facts never age.',
  })
  refresh_due_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the claim becomes `expired`, ISO 8601. Null if such facts never age.',
  })
  decays_at: string | null;
  @ApiProperty({ description: 'Number of observations that support the claim.', type: 'integer' })
  observation_count: number;
  @ApiProperty({ description: 'Observations that support the claim, strongest first.', type: [ClaimSourceDto] })
  sources: ClaimSourceDto[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    description: 'Latest observations from sources that state another value, and why they did not prevail.',
  })
  opposing: object[];
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    description: 'Previous values, newest first. Omitted with `history=false`.',
  })
  history?: object[];
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    description: 'Only for properties with several values: the claim of each value.',
  })
  values?: object[];
  @ApiProperty({ description: 'Version of the trust settings that the claim was computed with.', example: 'default@3' })
  trust_version: string;
}

/** Somebody of a company. */
export class CompanyPersonDto {
  @ApiProperty({ description: 'Unique identifier of the person.', format: 'uuid' }) entity_id: string;
  @ApiProperty({ description: 'Full name. Null if unknown.', type: String, nullable: true, example: 'Ada Lovelace' })
  name: string | null;
  @ApiProperty({ description: 'Job title. Null if unknown.', type: String, nullable: true, example: 'VP Sales' })
  title: string | null;
  @ApiProperty({
    description: 'Primary e-mail address. Null if unknown.',
    type: String,
    nullable: true,
    example: 'ada@acme.com',
  })
  email: string | null;
  @ApiProperty({ description: 'Pipeline stage. Null if unknown.', type: String, nullable: true, example: 'evaluating' })
  stage: string | null;
}

/** A signal or a single note as a sentence. */
export class FactSentenceDto {
  @ApiProperty({
    description: 'Property that the sentence comes from, such as `signal.hiring`.',
    example: 'signal.hiring',
  })
  category: string;
  @ApiProperty({ description: 'The fact as a sentence.', example: 'Hires three account executives in Berlin' })
  content: string;
  @ApiProperty({ description: 'Time at which the fact was observed, ISO 8601.', format: 'date-time' }) date: string;
}

/** The score that was last recorded of an account. */
export class AccountScore {
  @ApiProperty({
    description: 'Fit score, 0 to 100. Null if unknown.',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    example: 82,
  })
  score: number | null;
  @ApiProperty({
    description: 'Whether the score is at least 70. Null if unknown.',
    type: Boolean,
    nullable: true,
    example: true,
  })
  fit: boolean | null;
  @ApiProperty({
    description: 'Tier that the score falls into, such as `tier_1`. Null if unknown.',
    type: String,
    nullable: true,
    example: 'tier_2',
  })
  tier: string | null;
  @ApiProperty({
    description: 'Recommended play and the rule that decided it. Null if not scored.',
    type: String,
    nullable: true,
    example: 'work now (P8)',
  })
  reason: string | null;
  @ApiProperty({ description: 'Time at which the score was computed, ISO 8601.', format: 'date-time' })
  scored_at: string;
  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'Previous scores, newest first.' })
  history: object[];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Reserved for a score learned from outcomes; always null at present.',
    example: null,
  })
  outcome_score: null;
}

/** The answer of GET /v2/accounts/:id. For a name that several bear: `status`, `query`, `count`, `candidates`. */
export class AccountDto {
  @ApiProperty({ description: 'Unique identifier of the person or company.', format: 'uuid' }) entity_id: string;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Present if the requested ID was merged into this entity: the ID to use from now on.',
  })
  merged_into?: string;
  @ApiProperty({ description: 'Whether the entity is a person or a company.', enum: ['person', 'company'] })
  type: string;
  @ApiProperty({ description: 'Display name. Null if unknown.', type: String, nullable: true, example: 'Ada Lovelace' })
  name: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The entity with its company, age and latest activity.',
  })
  entity: object;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    description: 'Identifiers that resolve to the entity, such as e-mail addresses, domains and LinkedIn URLs.',
  })
  identifiers: object[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/ClaimDto' },
    description: 'Claims by property. With `claims=list`, a flat array of claims instead.',
  })
  claims: object;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: MAX_TIMELINE_LIMIT,
    description:
      "Timeline, newest first. A company's timeline includes events of its people, marked with `person_id`. " +
      'Omitted with `compress`.',
  })
  recent_observations?: object[];
  @ApiProperty({
    type: [Note],
    maxItems: 20,
    description: 'Newest notes with their full content, at most 20. Use `GET /v2/notes` for older ones.',
  })
  notes: Note[];
  @ApiProperty({ type: [NotePreviewDto], maxItems: 8, description: 'Previews of the newest notes, at most 8.' })
  documents: NotePreviewDto[];
  @ApiProperty({
    type: [FactSentenceDto],
    maxItems: 15,
    description: 'Signals (`signal.*`) and single notes (`note.*`) as sentences, newest first.',
  })
  facts: FactSentenceDto[];
  @ApiPropertyOptional({
    type: AccountScore,
    description: 'Latest recorded score. Omitted if the account was never scored.',
  })
  icp?: AccountScore;
  @ApiPropertyOptional({
    type: [CompanyPersonDto],
    maxItems: 50,
    description: 'Only for a company: its most recently active people, at most 50.',
  })
  people?: CompanyPersonDto[];
  @ApiPropertyOptional({
    description: 'Only for a company: number of people who belong to it.',
    type: 'integer',
    minimum: 0,
    example: 3,
  })
  people_count?: number;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 24,
    description: 'Most relevant activity for the intent. Only with `intent` or `compress`.',
  })
  key_activity?: object[];
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Counts over the whole timeline. Only with `intent` or `compress`.',
  })
  activity_summary?: object;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 50,
    description: 'Other people of the same company. Only with `intent` or `compress`.',
  })
  stakeholders?: object[];
  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'Buying committee of the company. Null if no company is known. Only with `intent` or `compress`.',
  })
  committee?: object | null;
  @ApiProperty({ description: 'Maximum number of observations on a page.', type: 'integer', example: 50 })
  limit: number;
  @ApiProperty({ description: 'Whether older observations exist.' }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next timeline page. Null on the last page.',
    type: String,
    nullable: true,
  })
  next_cursor: string | null;
  @ApiProperty({ description: 'Time for which the facts hold, ISO 8601.', format: 'date-time' }) as_of: string;
  @ApiProperty({ description: 'Recording time up to which observations were used, ISO 8601.', format: 'date-time' })
  known_at: string;
}
