import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { OptionalField } from '#kernel/http/validation.decorators.js';

/** The body of POST /v2/workspace/export. */
export class ExportWorkspace {
  @ApiPropertyOptional({
    description: 'Tables to export. Default: all. After an interruption, send those that are not complete.',
    type: 'array',
    items: { type: 'string', maxLength: 60 },
    maxItems: 50,
    example: ['entities', 'observation_log'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(60, { each: true })
  tables?: string[];

  @ApiPropertyOptional({
    description:
      'Key of the last row that was received of the first table, without `workspace_id`: the export goes on ' +
      'after it. The first table is the one that was interrupted.',
    type: 'array',
    items: { type: 'string', maxLength: 1000 },
    maxItems: 4,
    example: ['01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(4)
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  after?: string[];
}

/** The manifest in the zip of POST /v2/workspace/export. */
export class ExportContent {
  @ApiProperty({ type: 'integer', description: 'Version of the format.', example: 1 })
  format: number;

  @ApiProperty({ description: 'Version of the hub.', maxLength: 40, example: '0.1.0' })
  hub_version: string;

  @ApiProperty({ description: 'Time of the export.', format: 'date-time', example: '2026-11-24T09:30:00.000000Z' })
  exported_at: string;

  @ApiProperty({
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Unique identifier of the workspace.' },
      name: { type: 'string', description: 'Display name of the workspace.' },
      plan: { type: 'string', description: 'Plan that the workspace has.' },
    },
    description: 'ID, name and plan of the workspace.',
    example: { id: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', name: 'Acme', plan: 'scale' },
  })
  workspace: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of rows by table.',
    example: { entities: 2, observation_log: 9 },
  })
  tables: Record<string, number>;
}

/** Returns the type of a column: `value` holds any JSON. */
const typeOf = (column: string): object => {
  if (column === 'value') return {};
  return { type: column === 'confidence' ? 'number' : 'string' };
};

/** Describes rows by their most useful columns; rows have others too. */
const rowsWith = (...columns: string[]) => ({
  type: 'array' as const,
  items: {
    type: 'object' as const,
    properties: Object.fromEntries(
      columns.map(name => [
        name,
        { ...typeOf(name), description: `Column \`${name}\` of the table, as stored.`, nullable: true },
      ]),
    ),
    additionalProperties: true,
  },
});

/** Response of GET /v2/people/{id}/export. */
export class PersonExport {
  @ApiProperty({
    description: 'ID of the person.',
    format: 'uuid',
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  person_id: string;

  @ApiProperty({ description: 'Time of the export.', format: 'date-time', example: '2026-11-24T09:30:00.000000Z' })
  exported_at: string;

  @ApiProperty({
    ...rowsWith('id', 'name', 'company_id'),
    description: 'The entity, and those that were merged into it.',
    example: [{}],
  })
  entities: object[];

  @ApiProperty({
    ...rowsWith('kind', 'value', 'first_seen'),
    description: 'Identifiers: e-mail addresses, profiles and IDs in other systems.',
    example: [{ kind: 'email', value: 'ada@acme.com' }],
  })
  identifiers: object[];

  @ApiProperty({ ...rowsWith('a', 'b', 'kind', 'source'), description: 'Merges with other entities.', example: [] })
  links: object[];

  @ApiProperty({
    ...rowsWith('entity_id', 'other_entity_id', 'kind'),
    description: 'Possible merges that are not decided.',
    example: [],
  })
  merge_proposals: object[];

  @ApiProperty({
    ...rowsWith('property', 'value', 'confidence'),
    description: 'Current facts, with confidence and the observation that supports each.',
    example: [{ property: 'title', value: 'VP Sales', confidence: 0.86 }],
  })
  claims: object[];

  @ApiProperty({
    ...rowsWith('property', 'value', 'source', 'method', 'observed_at'),
    description: 'Everything that was recorded, with its source, method, times and raw payload.',
    example: [{ property: 'title', value: 'VP Sales', source: 'crm:hubspot', method: 'sync' }],
  })
  observations: object[];

  @ApiProperty({
    ...rowsWith('id', 'title', 'content', 'source'),
    description: 'Notes with their full text and source.',
    example: [],
  })
  notes: object[];

  @ApiProperty({
    ...rowsWith('id', 'list_id', 'status', 'stage'),
    description: 'Entries in lead lists, with the imported row and the scores.',
    example: [],
  })
  leads: object[];

  @ApiProperty({
    ...rowsWith('note_id', 'date', 'source', 'passages'),
    description: 'Passages of notes on others that mention the person.',
    example: [],
  })
  mentions: object[];

  @ApiProperty({
    ...rowsWith('entity_id', 'property', 'value', 'source', 'method', 'observed_at', 'raw'),
    description: 'Observations of others that mention the person, such as attendees of a meeting.',
    example: [],
  })
  mentions_in_observations: object[];

  @ApiProperty({
    ...rowsWith('id', 'list_id', 'fields', 'original'),
    description: 'Entries of others in lead lists that mention the person.',
    example: [],
  })
  mentions_in_leads: object[];

  @ApiProperty({
    ...rowsWith('section', 'version', 'source'),
    description: 'Facts about the workspace that mention the person, in every version.',
    example: [],
  })
  mentions_in_facts: object[];

  @ApiProperty({
    ...rowsWith('plugin', 'name', 'received_at', 'body'),
    description: 'Received webhooks about the person, with their body.',
    example: [],
  })
  received_webhooks: object[];

  @ApiProperty({
    ...rowsWith('key', 'body', 'created_at'),
    description: 'Stored responses for `Idempotency-Key` about the person.',
    example: [],
  })
  stored_responses: object[];

  @ApiProperty({
    ...rowsWith('plugin', 'key', 'value', 'updated_at'),
    description: 'What plugins store about the person, such as deliveries of triggers with excerpts of responses.',
    example: [],
  })
  plugin_values: object[];

  @ApiProperty({
    ...rowsWith('id', 'plugin', 'name', 'created_at'),
    description: 'Runs of plugins whose input, state or result mentions the person.',
    example: [],
  })
  runs: object[];

  @ApiProperty({
    ...rowsWith('run_id', 'at', 'error'),
    description: 'Rows about the person that an import rejected, with their original cells.',
    example: [],
  })
  rejected_rows: object[];

  @ApiProperty({
    ...rowsWith('file_id', 'plugin', 'name', 'created_at', 'expires_at', 'line'),
    description:
      'Lines of stored files, such as uploads, that mention the person. `line` is null for a file that is no text and cannot be searched, and where only the name of the file mentions them.',
    example: [],
  })
  mentions_in_files: object[];
}
