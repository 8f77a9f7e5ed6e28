import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { ITEM_STATES, MARK_STATES } from '#domain/attention/attention-mark.js';
import { ActorDto } from '#kernel/auth/actor.dto.js';
import { IsInstant, OptionalField } from '#kernel/http/validation.decorators.js';

const ITEM_ID = 'going_dark:01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17:silence';

/** Maximum length of a note on what was done. */
const MAX_NOTE_LENGTH = 2_000;

/** Body of POST /v2/attention/:id/snooze. */
export class SnoozeItem {
  @ApiProperty({
    format: 'date-time',
    description: 'Time at which the item appears again, ISO 8601. It lies in the future, at most 366 days ahead.',
    maxLength: 40,
    example: '2027-01-11T08:00:00Z',
  })
  @IsInstant()
  until: string;
}

/** Body of POST /v2/attention/:id/done. */
export class FinishItem {
  @ApiPropertyOptional({
    description: 'What was done, for colleagues.',
    maxLength: MAX_NOTE_LENGTH,
    example: 'Called her; the contract comes on Friday.',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NOTE_LENGTH)
  note?: string;
}

/** Says who put an item off or dealt with it. */
export class AttentionMarkDto {
  @ApiProperty({ description: 'ID of the item.', example: ITEM_ID }) id: string;
  @ApiProperty({ description: 'Whether the item was put off or dealt with.', enum: MARK_STATES, example: 'snoozed' })
  state: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which a snoozed item appears again, ISO 8601. Null for an item that is done.',
    example: '2027-01-11T08:00:00.000000Z',
  })
  until: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'What was done. Null without a note.', example: null })
  note: string | null;
  @ApiProperty({ type: () => ActorDto, description: 'Who marked the item.' }) marked_by: ActorDto;
  @ApiProperty({
    format: 'date-time',
    description: 'Time of the mark, ISO 8601.',
    example: '2026-11-20T09:00:00.000000Z',
  })
  marked_at: string;
}

/** Response of the endpoints that take a mark back. */
export class ReopenedItem {
  @ApiProperty({ description: 'ID of the item.', example: ITEM_ID }) id: string;
  @ApiProperty({ description: 'State of the item, which is in the list again.', enum: ITEM_STATES, example: 'open' })
  state: string;
}
