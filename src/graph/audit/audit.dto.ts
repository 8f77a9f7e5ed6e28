import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { AUDIT_ACTIONS } from '#kernel/audit/audit-log.js';
import { ActorDto } from '#kernel/auth/actor.dto.js';
import { IsInstant, NotBlank, OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { MAX_AUDIT_PAGE } from './audit-request.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The query of GET /v2/workspace/audit. */
export class AuditQuery {
  @ApiPropertyOptional({
    description:
      'Return only acts of this actor: a kind (`key`, `person`, `oauth`, `operator`), an ID, or both as `key:<id>`.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  actor?: string;

  @ApiPropertyOptional({
    description:
      'Return only this action, such as `api_key.create`, or all actions on a type of object, such as `api_key`.',
    maxLength: 100,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  action?: string;

  @ApiPropertyOptional({
    description: 'Return only acts on this object: its ID, its type, or both as `api_key:<id>`.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  object?: string;

  @ApiPropertyOptional({
    description: 'Return only acts at or after this time. ISO 8601.',
    maxLength: 40,
  })
  @OptionalField()
  @IsInstant()
  since?: string;

  @ApiPropertyOptional({
    description: 'Return only acts before this time. ISO 8601.',
    maxLength: 40,
  })
  @OptionalField()
  @IsInstant()
  until?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    minimum: 1,
    maximum: MAX_AUDIT_PAGE,
    description: `Maximum number of events on a page. Values above ${MAX_AUDIT_PAGE} are treated as ${MAX_AUDIT_PAGE}.`,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page, with otherwise unchanged parameters.',
    maxLength: 1000,
  })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  cursor?: string;

  @ApiPropertyOptional({
    description:
      '`csv` returns all matching events as a file instead of a page. Cells that a spreadsheet program would ' +
      'take for a formula begin with an apostrophe.',
    enum: ['json', 'csv'],
    default: 'json',
  })
  @OptionalField()
  @IsIn(['json', 'csv'])
  format?: 'json' | 'csv';
}

/** The object of an act. */
export class AuditObject {
  @ApiProperty({ description: 'Type of the object: the part of the action before the dot.', example: 'api_key' })
  type: string;

  @ApiProperty({
    type: String,
    description: 'ID of the object; null if the act concerns the workspace as a whole.',
    nullable: true,
    example: EXAMPLE_ID,
  })
  id: string | null;
}

/** An entry of the audit log. */
export class AuditEvent {
  @ApiProperty({ description: 'Unique identifier of the event.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Time of the act.', format: 'date-time', example: '2026-11-24T09:30:00.000000Z' })
  at: string;

  @ApiProperty({
    type: ActorDto,
    description:
      'Who acted. For the key that a sign-in issued, `oauth` with the ID of the approved sign-in; for jobs of ' +
      'the hub, `operator` with the ID `hub`.',
  })
  actor: ActorDto;

  @ApiProperty({
    description:
      `What was done: one of ${AUDIT_ACTIONS.map(name => `\`${name}\``).join(', ')}, or an action of a plugin ` +
      'that begins with its ID, such as `triggers.create`.',
    example: 'api_key.create',
  })
  action: string;

  @ApiProperty({ type: AuditObject, description: 'The object that was acted on.' })
  object: AuditObject;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'The setting before the act, without secrets; null if there was none. A setting above 16 kB is replaced by ' +
      'its size and SHA-256.',
    example: null,
  })
  before: object | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The setting after the act, in the form of `before`.',
    example: { scopes: ['read'], origin: 'api', expires_at: null },
  })
  after: object | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'IP address of the client; null for administration commands and jobs.',
    example: '203.0.113.7',
  })
  address: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Label of the calling program, such as `api` or `mcp`; null if it is unknown.',
    example: 'api',
  })
  client: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the request, as in the log of the hub; null for administration commands and jobs.',
    example: '01941f5e-9a10-7f21-8c44-6b2d0e5f7a90',
  })
  request_id: string | null;
}

/** Response of GET /v2/workspace/audit. */
export class AuditLogPage {
  @ApiProperty({ type: [AuditEvent], description: 'Events on this page, newest first.', maxItems: MAX_AUDIT_PAGE })
  events: AuditEvent[];

  @ApiProperty({ type: 'integer', description: 'Maximum number of events on a page.', example: 50 })
  limit: number;

  @ApiProperty({ description: 'Whether older events match.', example: false })
  has_more: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null on the last page.',
    example: null,
  })
  next_cursor: string | null;
}
