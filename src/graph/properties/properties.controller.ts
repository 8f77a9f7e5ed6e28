import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { PropertiesQuery, PropertyPage } from './properties.dto.js';
import { type PropertiesResponse, PropertiesService } from './properties.service.js';

/** Serves the list of properties. */
@ApiTags('Entities')
@Controller('v2/properties')
export class PropertiesController {
  constructor(private readonly properties: PropertiesService) {}

  /** Lists the properties of people or companies. */
  @Get()
  @Operation({
    id: 'listProperties',
    summary: 'List properties',
    description:
      'Returns the properties of people or companies by name: those that observations state, and those that mean ' +
      'something to the service, stated or not. Each tells which conditions a filter can set on it, whether lists sort ' +
      'by it, and what its values look like. Use it to offer filters, columns and mappings. Interactions and action ' +
      'items are no properties of this list. Returns 400 `invalid_request` for an unknown `type`.',
    response: { type: PropertyPage, description: 'The properties.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: PropertiesQuery): Promise<PropertiesResponse> {
    return this.properties.list(workspaceId, query);
  }
}
