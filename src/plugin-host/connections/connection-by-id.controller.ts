import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation, UuidParam } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { ProviderAuthorizationsService } from '../oauth2/provider-authorizations.service.js';
import { ConnectionOptionsService } from './connection-options.service.js';
import { PROVIDER_PARAM } from './connections.controller.js';
import {
  AuthorizationLinkDto,
  AuthorizeIntegration,
  ChangeIntegration,
  ConnectionTestResult,
  ConnectResult,
  DisconnectResult,
  ListOptions,
  SettingOptions,
} from './connections.dto.js';
import { ConnectionsService } from './connections.service.js';
import { ConnectorService } from './connector.service.js';
import { DisconnectorService } from './disconnector.service.js';
import { IntegrationConnection } from './integrations.dto.js';

const PROVIDER = { ...PROVIDER_PARAM, description: 'Provider, by its name in the list of integrations.' };
const NOT_FOUND = 'Returns 404 `connection_not_found` if the workspace has no connection with this ID to the provider.';

/** Endpoints for one connection, which a provider with several connections needs. */
@ApiTags('Integrations')
@ApiParam(PROVIDER)
@Controller('v2/workspace/integrations/:plugin/connections/:id')
export class ConnectionByIdController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly connector: ConnectorService,
    private readonly disconnector: DisconnectorService,
    private readonly options: ConnectionOptionsService,
    private readonly authorizations: ProviderAuthorizationsService,
  ) {}

  /** Reads a connection. */
  @Get()
  @UuidParam('connection')
  @Operation({
    id: 'getConnection',
    summary: 'Get a connection',
    description: `Returns a connection with its state and settings, never its credentials. ${NOT_FOUND}`,
    response: { type: IntegrationConnection, description: 'The connection.' },
  })
  get(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
  ): Promise<IntegrationConnection> {
    return this.connections.get(caller, { plugin, id });
  }

  /** Tests the saved credentials of a connection. */
  @Post('test')
  @Scopes('settings')
  @UuidParam('connection')
  @Operation({
    id: 'testConnection',
    summary: 'Test a connection',
    description:
      'Checks with the provider whether the saved credentials still work. Rejected credentials are a normal result with ' +
      `\`ok: false\`, not an error. ${NOT_FOUND}`,
    response: { type: ConnectionTestResult, description: 'The outcome of the test.' },
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
  ): Promise<ConnectionTestResult> {
    const result = await this.connections.test(caller, { plugin, id });
    return { ok: result.outcome === 'ok', ...result };
  }

  /** Lists options of a setting with the saved credentials. */
  @Post('options')
  @Scopes('settings')
  @UuidParam('connection')
  @Operation({
    id: 'listConnectionOptions',
    summary: 'List options of a setting of a connection',
    description:
      'Reads from the provider which values a setting can have, with the saved credentials of this connection. The rest is ' +
      `as in \`POST /v2/workspace/integrations/:plugin/options\`. ${NOT_FOUND}`,
    body: { type: ListOptions },
    response: { type: SettingOptions, description: 'The options of the setting.' },
  })
  listOptions(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @Body() body: ListOptions,
  ): Promise<SettingOptions> {
    return this.options.list(caller, { plugin, id }, body);
  }

  /** Creates a link with which somebody signs in again for this connection. */
  @Post('authorize')
  @Scopes('settings')
  @UuidParam('connection')
  @Operation({
    id: 'authorizeConnection',
    summary: 'Renew a connection by sign-in',
    description:
      'Creates a link with which a person signs in at the provider; the connection then gets new tokens and keeps its ' +
      `settings, unless others are sent. ${NOT_FOUND}`,
    status: 201,
    body: { type: AuthorizeIntegration },
    response: { type: AuthorizationLinkDto, description: 'The link.' },
  })
  authorize(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @Body() body: AuthorizeIntegration,
  ): Promise<AuthorizationLinkDto> {
    return this.authorizations.request(caller, { plugin, id }, body);
  }

  /** Changes settings and name of a connection. */
  @Patch()
  @Scopes('settings')
  @UuidParam('connection')
  @Operation({
    id: 'changeConnection',
    summary: 'Change the settings of a connection',
    description:
      'Changes settings and name of a connection, as `PATCH /v2/workspace/integrations/:plugin` does. Returns 409 ' +
      `\`connection_name_taken\` if another connection to the provider has the name. ${NOT_FOUND}`,
    body: { type: ChangeIntegration },
    response: { type: ConnectResult, description: 'The connection as it is now.' },
    isIdempotent: true,
  })
  change(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @Body() body: ChangeIntegration,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ConnectResult>> {
    return this.connector.change(caller, { plugin, id }, body, key);
  }

  /** Ends a connection. */
  @Delete()
  @Scopes('settings')
  @UuidParam('connection')
  @Operation({
    id: 'disconnectConnection',
    summary: 'Disconnect a connection',
    description:
      'Ends the connection immediately and removes the webhook subscription at the provider. Other connections to the ' +
      `provider stay. ${NOT_FOUND}`,
    response: { type: DisconnectResult, description: 'Whether the connection was removed.' },
    isIdempotent: true,
  })
  disconnect(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<DisconnectResult>> {
    return this.disconnector.disconnect(caller, { plugin, id }, key);
  }
}
