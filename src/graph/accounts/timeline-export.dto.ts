import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { IsInstant, OptionalField } from '#kernel/http/validation.decorators.js';
import { EPISTEMIC_COLUMNS, TIMELINE_COLUMNS, type TimelineExport } from './timeline-export.service.js';

const FORMATS = ['csv', 'ndjson'] as const;
const COLUMNS: readonly string[] = [...TIMELINE_COLUMNS, ...EPISTEMIC_COLUMNS];

/** Query of GET /v2/accounts/:id/timeline/export. */
export class TimelineExportQuery {
  @ApiPropertyOptional({
    enum: FORMATS,
    default: 'csv',
    description: 'Format of the file: `csv` or `ndjson`, one JSON object per line.',
  })
  @OptionalField()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];

  @ApiPropertyOptional({
    description: `Columns, separated by commas: ${COLUMNS.join(', ')}. The last two are those of the claim that a state is about. Default: all.`,
    maxLength: 500,
  })
  @OptionalField()
  @IsString()
  @MaxLength(500)
  fields?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only what had happened by this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only what had been recorded by this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  known_at?: string;
}

/** The export that a query stands for. @throws HubError `invalid_request` for an unknown column. */
export function toTimelineExport({ format = 'csv', fields, as_of, known_at }: TimelineExportQuery): TimelineExport {
  const columns = fields === undefined ? COLUMNS : fields.split(',').map(name => name.trim());
  const unknown = columns.find(name => !COLUMNS.includes(name));
  if (unknown !== undefined) {
    const message = `fields has the unknown column "${unknown}"; there are ${COLUMNS.join(', ')}.`;
    throw HubError.invalidRequest([{ field: 'fields', message }]);
  }
  return {
    format,
    columns,
    asOf: as_of === undefined ? undefined : parseInstant(as_of),
    knownAt: known_at === undefined ? undefined : parseInstant(known_at),
  };
}
