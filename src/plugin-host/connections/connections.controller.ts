import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { ConnectorService } from './connector.service.js';
import {
  AuthorizationLinkDto,
  AuthorizeIntegration,
  ConnectResult,
  ChangeIntegration,
  ConnectIntegration,
  DisconnectResult,
  ConnectionTestResult,
  TestIntegration,
  ListOptions,
  SettingOptions,
} from './connections.dto.js';
import { ProviderAuthorizationsService } from '../oauth2/provider-authorizations.service.js';
import { ConnectionOptionsService } from './connection-options.service.js';
import { ConnectionsService } from './connections.service.js';
import { DisconnectorService } from './disconnector.service.js';
import { IntegrationDetail, IntegrationList } from './integrations.dto.js';

/** The parameter that names a provider. */
export const PROVIDER_PARAM = {
  name: 'plugin',
  description:
    'Provider, by its name in the list of integrations. With several connections to it, the call is 409 ' +
    '`connection_required`: use the path with `/connections/:id`.',
  schema: { type: 'string', maxLength: 60, pattern: '^[A-Za-z0-9._-]+$', example: 'calcom' },
} as const;

/** Endpoints for listing, connecting, testing and disconnecting providers. */
@ApiTags('Integrations')
@Controller('v2/workspace/integrations')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly connector: ConnectorService,
    private readonly disconnector: DisconnectorService,
    private readonly options: ConnectionOptionsService,
    private readonly authorizations: ProviderAuthorizationsService,
  ) {}

  @Get()
  @Operation({
    id: 'listIntegrations',
    summary: 'List integrations',
    description:
      'Returns every provider that this hub can connect, with its state in the workspace. Providers that ' +
      'the plan does not include are `locked`; those whose plugin is not running are `failed`, with the ' +
      'reason. Credentials are never returned.',
    response: { type: IntegrationList, description: 'The integrations.' },
  })
  async list(@CurrentCaller() caller: Caller): Promise<IntegrationList> {
    return { integrations: await this.connections.listIntegrations(caller) };
  }

  @Post()
  @Scopes('settings')
  @Operation({
    id: 'connectIntegration',
    summary: 'Connect an integration',
    description:
      'Tests the credentials with a read-only call to the provider, registers the webhook, and then saves ' +
      'the connection. Connecting again updates credentials, settings and name, and keeps the webhook; a provider with ' +
      '`multiple_connections` gets one connection for each name. If ' +
      'any step fails, nothing is saved: 400 `invalid_request` for a wrong setting, 400 ' +
      '`invalid_credentials` if the provider rejected them, 400 `provider_refused` if the provider does not ' +
      'allow the connection, 404 `unknown_provider`, and 502 `provider_unreachable` if it did not respond.',
    status: 201,
    body: { type: ConnectIntegration },
    response: { type: ConnectResult, description: 'The connection. The status is 200 if it existed before.' },
    isIdempotent: true,
  })
  connect(
    @CurrentCaller() caller: Caller,
    @Body() body: ConnectIntegration,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ConnectResult>> {
    return this.connector.connect(caller, body, key);
  }

  @Get(':plugin')
  @ApiParam({ ...PROVIDER_PARAM, description: 'Provider, by its name in the list of integrations.' })
  @Operation({
    id: 'getIntegration',
    summary: 'Get an integration',
    description:
      'Returns a provider with its state in the workspace, its connections and its newest runs. Credentials are never ' +
      'returned. Returns 404 `unknown_provider` for an unknown provider.',
    response: { type: IntegrationDetail, description: 'The integration.' },
  })
  get(@CurrentCaller() caller: Caller, @Param('plugin') plugin: string): Promise<IntegrationDetail> {
    return this.connections.getIntegration(caller, plugin);
  }

  @Post(':plugin/test')
  @Scopes('settings')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'testIntegration',
    summary: 'Test an integration',
    description:
      'Checks with the provider whether the saved credentials still work, or the ones in the body, which ' +
      'are not saved. Rejected credentials are a normal result with `ok: false`, not an error. Returns 409 ' +
      '`not_connected` if there are neither.',
    body: { type: TestIntegration },
    response: { type: ConnectionTestResult, description: 'The outcome of the test.' },
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: TestIntegration,
  ): Promise<ConnectionTestResult> {
    const result = await this.connections.test(caller, { plugin }, body);
    return { ok: result.outcome === 'ok', ...result };
  }

  @Post(':plugin/options')
  @Scopes('settings')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'listIntegrationOptions',
    summary: 'List options of a setting',
    description:
      'Asks the provider which values a setting can have, such as pipelines, owners or lists, with the saved ' +
      'credentials or the ones in the body, which are not saved. Returns 400 `invalid_request` for a setting ' +
      'without such options, 409 `not_connected` if there are no credentials, 400 `provider_refused` if the ' +
      'provider rejects the call, and 502 `provider_unreachable` if it does not respond.',
    body: { type: ListOptions },
    response: { type: SettingOptions, description: 'The options of the setting.' },
  })
  listOptions(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: ListOptions,
  ): Promise<SettingOptions> {
    return this.options.list(caller, { plugin }, body);
  }

  @Post(':plugin/authorize')
  @Scopes('settings')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'authorizeIntegration',
    summary: 'Connect an integration by sign-in',
    description:
      'Creates a link with which a person signs in at the provider (OAuth 2.0). The connection is made, or gets new ' +
      'tokens, when the person comes back from there; `GET /v2/workspace/integrations` shows it. The link works for one ' +
      'hour and connects once. Settings and name are those of the connection that exists, unless they are sent. Returns ' +
      '400 `invalid_request` for a wrong setting or a provider without sign-in, 404 `unknown_provider`, and 409 ' +
      '`oauth_client_missing` if the operator has not registered this hub with the provider.',
    status: 201,
    body: { type: AuthorizeIntegration },
    response: { type: AuthorizationLinkDto, description: 'The link.' },
  })
  authorize(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: AuthorizeIntegration,
  ): Promise<AuthorizationLinkDto> {
    return this.authorizations.request(caller, { plugin }, body);
  }

  @Patch(':plugin')
  @Scopes('settings')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'changeIntegration',
    summary: 'Change the settings of an integration',
    description:
      'Changes settings and name of a connection without its credentials being sent again: the saved ones are tested with ' +
      'the new settings, and the webhook is brought up to date. If any step fails, nothing changes: 400 ' +
      '`invalid_request` for a wrong setting, 400 `invalid_credentials` if the provider no longer accepts the ' +
      'credentials, 400 `provider_refused`, 409 `not_connected` without a connection, 404 `unknown_provider`, and 502 ' +
      '`provider_unreachable` if the provider did not respond.',
    body: { type: ChangeIntegration },
    response: { type: ConnectResult, description: 'The connection as it is now.' },
    isIdempotent: true,
  })
  change(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Body() body: ChangeIntegration,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ConnectResult>> {
    return this.connector.change(caller, { plugin }, body, key);
  }

  @Delete(':plugin')
  @Scopes('settings')
  @ApiParam(PROVIDER_PARAM)
  @Operation({
    id: 'disconnectIntegration',
    summary: 'Disconnect an integration',
    description:
      'Ends the connection immediately and removes the webhook subscription at the provider. If the ' +
      'provider does not respond, the removal is retried for a week. The call can be repeated. Returns 404 ' +
      '`unknown_provider` for an unknown provider.',
    response: { type: DisconnectResult, description: 'Whether a connection was removed.' },
    isIdempotent: true,
  })
  disconnect(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<DisconnectResult>> {
    return this.disconnector.disconnect(caller, { plugin }, key);
  }
}
