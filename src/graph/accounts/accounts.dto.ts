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
  @ApiPropertyOptional({ enum: ['person', 'company'], description: 'Narrows a name down.' })
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ApiPropertyOptional({ description: 'Narrows a name down: name or domain of the company.', maxLength: 320 })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  company?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_TIMELINE_LIMIT,
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    description: 'Observations on a page; more than the maximum is taken as the maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before.', maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;

  @ApiPropertyOptional({
    enum: BOOLEAN_TEXTS,
    default: 'true',
    description: 'Whether claims carry the values that held before.',
  })
  @IsOptional()
  @IsIn(BOOLEAN_TEXTS)
  history?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: INTENTS,
    description: 'What the account is read for: adds `key_activity`, `activity_summary`, `stakeholders`, `committee`.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  intent?: string;

  @ApiPropertyOptional({
    enum: ['1', '0', ...BOOLEAN_TEXTS],
    default: 'false',
    description: 'The same, and no `recent_observations`.',
  })
  @IsOptional()
  @IsIn(['1', '0', ...BOOLEAN_TEXTS])
  compress?: '1' | '0' | 'true' | 'false';

  @ApiPropertyOptional({ enum: ['map', 'list'], default: 'map', description: 'Claims by property, or as a flat list.' })
  @IsOptional()
  @IsIn(['map', 'list'])
  claims?: 'map' | 'list';

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Valid time: what was the case then, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'System time: what had been recorded by then, ISO 8601. Default: now.',
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
  @ApiProperty({ format: 'uuid' }) observation_id: string;
  @ApiProperty({ example: 'agent' }) source: string;
  @ApiProperty({ example: 'api' }) method: string;
  @ApiProperty({ format: 'date-time' }) observed_at: string;
  @ApiProperty({ description: 'Reliability of source and method, 0 to 1.', example: 0.75 }) r: number;
  @ApiProperty({ description: 'Reliability, decayed by the age of the statement, 0 to 1.', example: 0.75 })
  weight: number;
}

/** A derived fact with what a caller needs to judge it. */
export class ClaimDto {
  @ApiProperty({ format: 'uuid' }) entity_id: string;
  @ApiProperty({ example: 'title' }) property: string;
  @ApiProperty({ description: 'The current value; null when the fact has ended.', nullable: true, example: 'VP Sales' })
  value: unknown;
  @ApiProperty({ enum: ['null', 'boolean', 'number', 'string', 'array', 'object'] }) value_type: string;
  @ApiProperty({ enum: ['current', 'ended'] }) status: string;
  @ApiProperty({
    description: '0 to 0.99. Act on a fact that is fresh and above 0.7; verify any other.',
    example: 0.75,
  })
  confidence: number;
  @ApiProperty({ enum: ['fresh', 'aging', 'suspect', 'expired'] }) freshness: string;
  @ApiProperty({ description: 'Modelled chance that nothing has changed, 0 to 1.', example: 0.99 })
  freshness_score: number;
  @ApiProperty({ enum: ['asserted', 'observed', 'reported', 'inferred', 'corroborated', 'contested', 'ended'] })
  epistemic_class: string;
  @ApiProperty({ format: 'date-time' }) valid_from: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) valid_to: string | null;
  @ApiProperty({ format: 'date-time' }) last_observed_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it leaves fresh.' })
  refresh_due_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it will be expired.' })
  decays_at: string | null;
  @ApiProperty({ type: 'integer' }) observation_count: number;
  @ApiProperty({ type: [ClaimSourceDto] }) sources: ClaimSourceDto[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    description: 'The latest statements of sources that say something else, and why they did not prevail.',
  })
  opposing: object[];
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    description: 'Values that held before, newest first.',
  })
  history?: object[];
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    description: 'Of a property of many values: the claim of each.',
  })
  values?: object[];
  @ApiProperty({ example: 'default@3' }) trust_version: string;
}

/** Somebody of a company. */
export class CompanyPersonDto {
  @ApiProperty({ format: 'uuid' }) entity_id: string;
  @ApiProperty({ type: String, nullable: true, example: 'Ada Lovelace' }) name: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'VP Sales' }) title: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'ada@acme.com' }) email: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'evaluating' }) stage: string | null;
}

/** A signal or a single note as a sentence. */
export class FactSentenceDto {
  @ApiProperty({ example: 'signal.hiring' }) category: string;
  @ApiProperty({ example: 'Hires three account executives in Berlin' }) content: string;
  @ApiProperty({ format: 'date-time' }) date: string;
}

/** The score that was last recorded of an account. */
export class AccountScore {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, nullable: true, example: 82 }) score: number | null;
  @ApiProperty({ type: Boolean, nullable: true, example: true }) fit: boolean | null;
  @ApiProperty({ type: String, nullable: true, example: 'tier_2' }) tier: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'work now (P8)' }) reason: string | null;
  @ApiProperty({ format: 'date-time' }) scored_at: string;
  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'Scores before, the newest first.' })
  history: object[];
  @ApiProperty({ type: 'integer', nullable: true, description: 'Always null for now.', example: null })
  outcome_score: null;
}

/** The answer of GET /v2/accounts/:id. For a name that several bear: `status`, `query`, `count`, `candidates`. */
export class AccountDto {
  @ApiProperty({ format: 'uuid' }) entity_id: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'Given when the id asked for was merged into this entity.' })
  merged_into?: string;
  @ApiProperty({ enum: ['person', 'company'] }) type: string;
  @ApiProperty({ type: String, nullable: true, example: 'Ada Lovelace' }) name: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Company, activity and age of the entity.' })
  entity: object;
  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'Every identifier that names the entity.' })
  identifiers: object[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/ClaimDto' },
    description: 'Claims by property.',
  })
  claims: object;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: MAX_TIMELINE_LIMIT,
    description: 'The timeline, newest first; of a company with the events of its people, tagged with `person_id`.',
  })
  recent_observations?: object[];
  @ApiProperty({ type: [Note], maxItems: 20, description: 'The newest notes, whole; older ones: `GET /v2/notes`.' })
  notes: Note[];
  @ApiProperty({ type: [NotePreviewDto], maxItems: 8, description: 'How the newest notes begin.' })
  documents: NotePreviewDto[];
  @ApiProperty({
    type: [FactSentenceDto],
    maxItems: 15,
    description: 'Signals (`signal.*`) and single notes (`note.*`) as sentences, the newest first.',
  })
  facts: FactSentenceDto[];
  @ApiPropertyOptional({ type: AccountScore, description: 'The score that was last recorded.' })
  icp?: AccountScore;
  @ApiPropertyOptional({ type: [CompanyPersonDto], maxItems: 50, description: 'Of a company: who was active last.' })
  people?: CompanyPersonDto[];
  @ApiPropertyOptional({ type: 'integer', minimum: 0, example: 3 }) people_count?: number;
  @ApiPropertyOptional({ type: 'array', items: { type: 'object' }, maxItems: 24, description: 'What matters most.' })
  key_activity?: object[];
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'The log, counted.' })
  activity_summary?: object;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 50,
    description: 'Others of the company.',
  })
  stakeholders?: object[];
  @ApiPropertyOptional({ type: 'object', nullable: true, additionalProperties: true, description: 'Who decides.' })
  committee?: object | null;
  @ApiProperty({ type: 'integer', example: 50 }) limit: number;
  @ApiProperty() has_more: boolean;
  @ApiProperty({ type: String, nullable: true }) next_cursor: string | null;
  @ApiProperty({ format: 'date-time' }) as_of: string;
  @ApiProperty({ format: 'date-time' }) known_at: string;
}
