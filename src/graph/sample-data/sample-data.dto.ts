import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Whether a workspace has the sample data. */
export class SampleData {
  @ApiProperty({ description: 'Whether the sample data is in the workspace.', example: true })
  is_loaded: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which it was loaded, ISO 8601; null if it is not there.',
    example: '2026-11-20T09:30:00.000000Z',
  })
  loaded_at: string | null;
}

/** Response of POST /v2/workspace/sample-data. */
export class SampleDataLoad extends SampleData {
  @ApiProperty({ ...COUNT, description: 'Number of invented people.', example: 10 })
  people: number;

  @ApiProperty({ ...COUNT, description: 'Number of invented companies.', example: 3 })
  companies: number;

  @ApiProperty({ ...COUNT, description: 'Number of observations about them.', example: 80 })
  observations: number;

  @ApiProperty({ ...COUNT, description: 'Number of notes about them.', example: 2 })
  notes: number;
}

/** Response of DELETE /v2/workspace/sample-data. */
export class SampleDataRemoval extends SampleData {
  @ApiProperty({ ...COUNT, description: 'Number of observations that were retracted.', example: 80 })
  observations: number;

  @ApiProperty({ ...COUNT, description: 'Number of notes that were retracted.', example: 2 })
  notes: number;

  @ApiProperty({ ...COUNT, description: 'Number of leads that were deleted.', example: 9 })
  leads: number;

  @ApiProperty({ ...COUNT, description: 'Number of people and companies that disappeared.', example: 13 })
  entities: number;
}
