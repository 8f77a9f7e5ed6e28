import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Matches, MaxLength, Min } from 'class-validator';
import { ToInt } from '#kernel/http/validation.decorators.js';
import { EntityCandidateDto } from '../identity/focus.dto.js';
import { DEFAULT_HITS, MAX_SEARCH_LENGTH, MAX_HITS } from './search.service.js';

/** The query of GET /v2/search. */
export class SearchQueryDto {
  @ApiProperty({
    description:
      'Text to search, as far as it is typed: part of a name in any order, an e-mail address, a domain, a LinkedIn ' +
      'URL or an entity UUID. Required.',
    minLength: 1,
    maxLength: MAX_SEARCH_LENGTH,
    example: 'ada lov',
  })
  @IsString()
  @Matches(/\S/, { message: 'q must be a text to search for, such as q=ada.' })
  @MaxLength(MAX_SEARCH_LENGTH)
  q: string;

  @ApiPropertyOptional({
    description: 'Only these types, separated by commas: `person`, `company`. Default: both.',
    maxLength: 40,
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  types?: string;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    default: DEFAULT_HITS,
    minimum: 1,
    maximum: MAX_HITS,
    description: 'Maximum number of hits. Values above the maximum are treated as the maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** Response of GET /v2/search. */
export class SearchResult {
  @ApiProperty({ type: String, example: 'ada lov', description: 'Text that was searched, without surrounding spaces.' })
  query: string;
  @ApiProperty({ type: [EntityCandidateDto], maxItems: MAX_HITS, description: 'Matches, the best one first.' })
  hits: EntityCandidateDto[];
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of hits in this response.', example: 1 })
  count: number;
  @ApiProperty({ description: 'Whether more matches were found than are returned.', example: false })
  has_more: boolean;
}
