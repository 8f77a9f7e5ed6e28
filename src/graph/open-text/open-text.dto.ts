import { ApiProperty, ApiPropertyOptional, ApiSchema, OmitType } from '@nestjs/swagger';
import { ObservationDto, RecordResultDto } from '../observations/observations.dto.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_QUOTE_LENGTH, MAX_TEXT_LENGTH } from './open-text-request.js';
import { focusProperty } from '../identity/focus.dto.js';

/** An observation of the caller, read from the text. */
export class CitedObservationDto extends ObservationDto {
  @ApiPropertyOptional({
    description:
      'Words of the text that support the observation. If they do not occur in the text, the observation is ' +
      'returned in `needs_review`.',
    maxLength: MAX_QUOTE_LENGTH,
    example: 'Ada is now VP of Sales',
  })
  evidence?: string;
}

/** The body of POST /v2/observations/from-text. */
export class RecordTextRequest {
  @ApiPropertyOptional(
    focusProperty(
      'Subject of the text: entity UUID, e-mail address, domain or LinkedIn URL. Created if it does not ' +
        'exist. Default: the one person that the text names by e-mail address or LinkedIn URL, ignoring ' +
        'colleagues and shared mailboxes.',
    ),
  )
  focus?: string;

  @ApiPropertyOptional({
    description:
      'Text to record, such as a reply, call note or message. Required unless `observations` is sent. At ' +
      'most 60 KB in UTF-8.',
    example: 'Ada is now VP of Sales at Acme. Their budget is $50k.',
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
  })
  text?: string;

  @ApiPropertyOptional({
    type: [CitedObservationDto],
    minItems: 1,
    maxItems: 1000,
    description: 'Observations that you read in the text yourself, 1 to 1000.',
  })
  observations?: CitedObservationDto[];

  @ApiPropertyOptional({
    description:
      'Time at which the text was written, ISO 8601. Relative dates such as "next month" are resolved from ' +
      'it. Default: now.',
    format: 'date-time',
    maxLength: 40,
    example: '2026-11-20T09:30:00Z',
  })
  observed_at?: string;

  @ApiPropertyOptional({
    description:
      'Origin of the text. In `email`, `linkedin`, `form`, `chat`, `sms`, `reply` and `inbox` (with or ' +
      'without a suffix after a colon) the contact is the author, so "I" means the contact.',
    default: 'agent',
    maxLength: 100,
    example: 'email:gmail',
  })
  source?: string;

  @ApiPropertyOptional({
    description:
      'Deduplication key of the text in the source system. Sending the same text again adds only facts that ' +
      'were not extracted before.',
    maxLength: MAX_EXTERNAL_ID_LENGTH,
    example: 'msg-8842',
  })
  external_id?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return what would be recorded without writing anything.',
    default: false,
  })
  dry_run?: boolean;
}

class ExtractedObservationDto {
  @ApiProperty({
    description: '`event` for something that happened, `state` for a fact that holds.',
    enum: ['event', 'state'],
  })
  kind: string;

  @ApiProperty({ description: 'Property that the statement is about.', example: 'title', maxLength: 92 })
  property: string;

  @ApiProperty({ description: 'Extracted value, any JSON.', example: 'VP of Sales', nullable: true, type: Object })
  value: unknown;

  @ApiProperty({ description: 'Source that the observation is recorded under.', example: 'agent', maxLength: 100 })
  source: string;

  @ApiProperty({
    description: 'How it was extracted: `api` (sent by the caller), `rules:<id>` or `llm:<model>`.',
    example: 'rules:role',
    maxLength: 100,
  })
  method: string;

  @ApiProperty({
    type: String,
    description: 'Words of the text that support it. Null if the caller gave none.',
    example: 'Ada is now VP of Sales at Acme',
    nullable: true,
  })
  quote: string | null;
}

/** A statement that was extracted from text and recorded. */
export class RecordedExtractionDto extends ExtractedObservationDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'ID of the observation. Null for a duplicate and in a dry run.',
  })
  observation_id: string | null;

  @ApiProperty({
    type: [String],
    description: 'All methods that extracted the same statement.',
    example: ['rules:role'],
  })
  methods: string[];

  @ApiProperty({ description: 'Reliability of the source and method, 0 to 1.', example: 0.55 })
  reliability: number;
}

/** A statement that was extracted from text and not recorded, with the reason. */
@ApiSchema({ name: 'ExtractionForReview' })
export class NeedsReviewDto extends ExtractedObservationDto {
  @ApiProperty({
    description:
      'Reason why the statement was not recorded: `negated`, `question`, `hedged`, `past`, `somebody_else`, ' +
      '`first_person`, `other_company`, `unattributed`, `several_values`, `mere_mention` or ' +
      '`quote_not_found`.',
    example: 'hedged',
  })
  why: string;

  @ApiProperty({
    description: 'Reason in one sentence, for display.',
    example: 'The sentence says maybe, or only under a condition.',
  })
  detail: string;
}

/** A statement of the language model that was dropped, with the reason. */
@ApiSchema({ name: 'RejectedExtraction' })
export class RejectedDto {
  @ApiProperty({
    description: 'Text that the language model returned, at most 200 characters.',
    example: 'the chief revenue officer',
    maxLength: 200,
  })
  span: string;

  @ApiProperty({ description: 'Reason why it cannot be recorded.', example: 'The quote does not occur in the text.' })
  why: string;
}

/** Response of POST /v2/observations/from-text. */
export class RecordTextResult extends OmitType(RecordResultDto, ['entity_id']) {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Entity that the text is about. Null in a dry run for an entity that does not exist yet.',
  })
  entity_id: string | null;

  @ApiProperty({
    type: [RecordedExtractionDto],
    description: 'Extracted observations that were recorded. The event for the text itself is not listed.',
  })
  observations: RecordedExtractionDto[];

  @ApiProperty({
    type: [NeedsReviewDto],
    description:
      'Extracted statements that were not recorded because they are uncertain. Review them and record the ' +
      'right ones.',
  })
  needs_review: NeedsReviewDto[];

  @ApiProperty({ type: [RejectedDto], description: 'Output of the language model that could not be used.' })
  rejected: RejectedDto[];

  @ApiProperty({
    enum: ['off', 'used', 'failed'],
    description: 'Whether a language model read the text: `off` (none configured), `used` or `failed`.',
  })
  llm: string;

  @ApiPropertyOptional({
    description: 'Why the language model failed. Omitted unless `llm` is `failed`.',
    example: 'It cannot be reached.',
  })
  llm_detail?: string;

  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.' })
  dry_run?: boolean;
}
