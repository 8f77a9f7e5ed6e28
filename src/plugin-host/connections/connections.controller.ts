import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { ConnectorService } from './connector.service.js';
import {
  ConnectResult,
  ConnectIntegration,
  DisconnectResult,
  ConnectionTestResult,
  TestIntegration,
} from './connections.dto.js';
import { ConnectionsService } from './connections.service.js';
import { DisconnectorService } from './disconnector.service.js';
import { IntegrationList } from './integrations.dto.js';

const PROVIDER_PARAM = {
  name: 'plugin',
  description: 'The provider, as the list names it.',
  schema: { type: 'string', maxLength: 60, pattern: '^[A-Za-z0-9._-]+$' },
  example: 'calcom',
} as const;

/** Endpoints for listing, connecting, testing and disconnecting providers. */
@ApiTags('integrations')
@Controller('v2/workspace/integrations')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly connector: ConnectorService,
    private readonly disconnector: DisconnectorService,
  ) {}

  @Get()
  @Operation({
    id: 'listIntegrations',
    summary: 'List integrations',
    description:
      'Every provider that this hub can connect, with its state in the workspace: those that the plan does not ' +
      'include are `locked`, those whose plugin does not serve are `failed` with the reason. Credentials are never shown.',
    response: { type: IntegrationList, description: 'All of them.' },
  })
  async list(@CurrentCaller() caller: Caller): Promise<IntegrationList> {
    return { integrations: await this.connections.listIntegrations(caller) };
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
    response: { type: ConnectResult, description: 'The connection. Status 200 when there was one already.' },
    isIdempotent: true,
  })
  connect(
    @CurrentCaller() caller: Caller,
    @Body() body: ConnectIntegration,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ConnectResult>> {
    return this.connector.connect(caller, body, key);
  }

  @Post(':plugin/test')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'testIntegration',
    summary: 'Test a connection',
    description:
      'Asks the provider whether the saved credentials are still good, or those in the body, which are not saved. ' +
      'That they are not is an answer, no error.',
    body: { type: TestIntegration },
    response: { type: ConnectionTestResult, description: 'What the provider says.' },
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: TestIntegration,
  ): Promise<ConnectionTestResult> {
    const result = await this.connections.test(caller, plugin, body);
    return { ok: result.outcome === 'ok', ...result };
  }

  @Delete(':plugin')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'disconnectIntegration',
    summary: 'Disconnect a provider',
    description:
      'Ends the connection at once and removes the subscription at the provider; when the provider does not answer, ' +
      'that is tried again for a week. May be repeated.',
    response: { type: DisconnectResult, description: 'Whether there was a connection.' },
    isIdempotent: true,
  })
  disconnect(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<DisconnectResult>> {
    return this.disconnector.disconnect(caller, plugin, key);
  }
}
