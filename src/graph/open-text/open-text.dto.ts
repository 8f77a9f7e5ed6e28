import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ObservationDto, RecordResultDto } from '../observations/observations.dto.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_QUOTE_LENGTH, MAX_TEXT_LENGTH } from './open-text-request.js';

/** An observation of the caller, read from the text. */
export class CitedObservationDto extends ObservationDto {
  @ApiPropertyOptional({
    description: 'The words of the text that say it. Where they do not occur there, it is left for review.',
    maxLength: MAX_QUOTE_LENGTH,
    example: 'Ada is now VP of Sales',
  })
  evidence?: string;
}

/** The body of POST /v2/observations/from-text. */
export class RecordTextRequest {
  @ApiPropertyOptional({
    description:
      'Whom the text is about: entity UUID, e-mail address, domain or LinkedIn URL. Made if need be. Default: the one ' +
      'person whom the text names by e-mail address or LinkedIn URL, colleagues and shared mailboxes apart.',
    example: 'ada@acme.com',
    maxLength: 320,
  })
  focus?: string;

  @ApiPropertyOptional({
    description: 'A reply, a call note, a message. Needed unless observations are sent. At most 60 KB in UTF-8.',
    example: 'Ada is now VP of Sales at Acme. Their budget is $50k.',
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
  })
  text?: string;

  @ApiPropertyOptional({
    type: [CitedObservationDto],
    minItems: 1,
    maxItems: 1000,
    description: 'What you read in it.',
  })
  observations?: CitedObservationDto[];

  @ApiPropertyOptional({
    description: 'When the text was written, ISO 8601; words such as "next month" are read as of then. Default: now.',
    format: 'date-time',
    maxLength: 40,
    example: '2026-11-20T09:30:00Z',
  })
  observed_at?: string;

  @ApiPropertyOptional({
    description:
      'Where the text comes from. In one of `email`, `linkedin`, `form`, `chat`, `sms`, `reply`, `inbox` (and what ' +
      'follows a colon) the contact speaks, so "I" is the contact.',
    default: 'agent',
    maxLength: 100,
    example: 'email:gmail',
  })
  source?: string;

  @ApiPropertyOptional({
    description: 'Key of the text in the upstream system: the same text again adds only what is newly read in it.',
    maxLength: MAX_EXTERNAL_ID_LENGTH,
    example: 'msg-8842',
  })
  external_id?: string;

  @ApiPropertyOptional({ description: 'Tell what would be recorded, and write nothing.', default: false })
  dry_run?: boolean;
}

class ExtractedObservationDto {
  @ApiProperty({ enum: ['event', 'state'] })
  kind: string;

  @ApiProperty({ example: 'title', maxLength: 92 })
  property: string;

  @ApiProperty({ description: 'As in the request.', example: 'VP of Sales', nullable: true, type: Object })
  value: unknown;

  @ApiProperty({ example: 'agent', maxLength: 100 })
  source: string;

  @ApiProperty({ description: '`api`, `rules:<id>` or `llm:<model>`.', example: 'rules:role', maxLength: 100 })
  method: string;

  @ApiProperty({
    type: String,
    description: 'The words of the text that say it; null where a caller gave none.',
    example: 'Ada is now VP of Sales at Acme',
    nullable: true,
  })
  quote: string | null;
}

/** See RecordedFromText. */
export class RecordedExtractionDto extends ExtractedObservationDto {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null for a repeat and in a dry run.' })
  observation_id: string | null;

  @ApiProperty({ type: [String], description: 'Every method that gave the same.', example: ['rules:role'] })
  methods: string[];

  @ApiProperty({ description: 'How far source and method are trusted, 0 to 1.', example: 0.55 })
  reliability: number;
}

/** See NeedsReview. */
export class NeedsReviewDto extends ExtractedObservationDto {
  @ApiProperty({
    description:
      '`negated`, `question`, `hedged`, `past`, `somebody_else`, `first_person`, `other_company`, `unattributed`, ' +
      '`several_values`, `mere_mention` or `quote_not_found`.',
    example: 'hedged',
  })
  why: string;

  @ApiProperty({ example: 'The sentence says maybe, or only under a condition.' })
  detail: string;
}

/** See Rejected. */
export class RejectedDto {
  @ApiProperty({ description: 'The words it came with.', example: 'the chief revenue officer', maxLength: 200 })
  span: string;

  @ApiProperty({ example: 'The quote does not occur in the text.' })
  why: string;
}

/** The answer of POST /v2/observations/from-text. */
export class RecordTextResult extends OmitType(RecordResultDto, ['entity_id']) {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null in a dry run about somebody new.' })
  entity_id: string | null;

  @ApiProperty({ type: [RecordedExtractionDto], description: 'What was read and recorded; the text is not repeated.' })
  observations: RecordedExtractionDto[];

  @ApiProperty({ type: [NeedsReviewDto], description: 'What was not recorded because something speaks against it.' })
  needs_review: NeedsReviewDto[];

  @ApiProperty({ type: [RejectedDto], description: 'What the language model gave and cannot be recorded.' })
  rejected: RejectedDto[];

  @ApiProperty({ enum: ['off', 'used', 'failed'], description: 'Whether a language model read the text as well.' })
  llm: string;

  @ApiPropertyOptional({ description: 'Why the language model was of no use.', example: 'It cannot be reached.' })
  llm_detail?: string;

  @ApiPropertyOptional({ description: 'Nothing was written.' })
  dry_run?: boolean;
}
