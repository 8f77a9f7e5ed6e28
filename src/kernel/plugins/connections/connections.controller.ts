import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { Connector } from './connector.service.js';
import { ConnectedDto, ConnectIntegration, DisconnectedDto, TestedDto, TestIntegration } from './connections.dto.js';
import { ConnectionsService } from './connections.service.js';
import { Disconnector } from './disconnector.service.js';
import { IntegrationListDto } from './integrations.dto.js';

const provider = {
  name: 'plugin',
  description: 'The provider, as the list names it.',
  schema: { type: 'string', maxLength: 60, pattern: '^[A-Za-z0-9._-]+$' },
  example: 'calcom',
} as const;

/** What a workspace is connected to, and what it could be. */
@ApiTags('integrations')
@Controller('v2/workspace/integrations')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly connector: Connector,
    private readonly disconnector: Disconnector,
  ) {}

  @Get()
  @Operation({
    id: 'listIntegrations',
    summary: 'List integrations',
    description:
      'Every provider that this hub can connect, with its state in the workspace: those that the plan does not ' +
      'include are `locked`, those whose plugin does not serve are `failed` with the reason. Credentials are never shown.',
    answer: { type: IntegrationListDto, description: 'All of them.' },
  })
  async list(@CurrentCaller() caller: Caller): Promise<IntegrationListDto> {
    return { integrations: await this.connections.catalogue(caller) };
  }

  @Post()
  @Operation({
    id: 'connectIntegration',
    summary: 'Connect a provider',
    description:
      'Tests the credentials at the provider by a call that changes nothing there, registers the webhook, and only ' +
      'then saves. Connecting again changes credentials, settings and name; the webhook stays. Errors: ' +
      '`invalid_request` (400) names a setting that is wrong, such as a URL that may not be called, ' +
      '`invalid_credentials` (400) says what the provider said, `provider_refused` (400) why it does not let ' +
      'itself be connected, `provider_unreachable` (502) that it said nothing; in all cases nothing was saved.',
    status: 201,
    body: { type: ConnectIntegration },
    answer: { type: ConnectedDto, description: 'The connection. Status 200 when there was one already.' },
    writes: true,
  })
  connect(
    @CurrentCaller() caller: Caller,
    @Body() body: ConnectIntegration,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<ConnectedDto>> {
    return this.connector.connect(caller, body, key);
  }

  @Post(':plugin/test')
  @ApiParam(provider)
  @Operation({
    id: 'testIntegration',
    summary: 'Test a connection',
    description:
      'Asks the provider whether the saved credentials are still good, or those in the body, which are not saved. ' +
      'That they are not is an answer, no error.',
    body: { type: TestIntegration },
    answer: { type: TestedDto, description: 'What the provider says.' },
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: TestIntegration,
  ): Promise<TestedDto> {
    const result = await this.connections.test(caller, plugin, body);
    return { ok: result.outcome === 'ok', ...result };
  }

  @Delete(':plugin')
  @ApiParam(provider)
  @Operation({
    id: 'disconnectIntegration',
    summary: 'Disconnect a provider',
    description:
      'Ends the connection at once and removes the subscription at the provider; when the provider does not answer, ' +
      'that is tried again for a week. May be repeated.',
    answer: { type: DisconnectedDto, description: 'Whether there was a connection.' },
    writes: true,
  })
  disconnect(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<DisconnectedDto>> {
    return this.disconnector.disconnect(caller, plugin, key);
  }
}
