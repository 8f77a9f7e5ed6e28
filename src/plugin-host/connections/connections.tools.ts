import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import type { TestResult } from '#sdk/lifecycle.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { SETS } from '#kernel/mcp/tool-schema.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { resolveProvider, mapGenericCredentials } from './connect.input.js';
import { listMissingFields } from './connection-schema.js';
import { ConnectionsService } from './connections.service.js';
import { ConnectorService } from './connector.service.js';
import { ProviderAuthorizationsService } from '../oauth2/provider-authorizations.service.js';
import { PluginDirectory } from './plugin.directory.js';
import { redactProviderMessage, quoteProviderMessage } from './lifecycle.runner.js';

const values = z.record(z.string(), z.unknown());

const input = z.strictObject({
  provider: z.string().min(1).max(60).describe('Provider to connect, e.g. calcom.'),
  credentials: values.optional().describe('From the user. Omit to get missing_fields or a sign-in link.'),
  settings: values.optional().describe('Settings of the provider.'),
  name: z
    .string()
    .regex(/^\P{Cc}{1,200}$/u)
    .optional()
    .describe('Display name for it.'),
  dry_run: z.boolean().optional().describe('Test the credentials, save nothing.'),
});

const output = z.looseObject({
  status: z.enum(['connected', 'verified', 'not_verified', 'missing_fields', 'sign_in_required']),
  verified: z.boolean(),
  webhook_active: z.boolean(),
  missing_fields: z.array(z.string()),
  message: z.string(),
  authorization_url: z.string().optional(),
  expires_at: z.string().optional(),
});

type ConnectToolOutput = z.output<typeof output>;

/** MCP tool for connecting providers. */
@Injectable()
export class ConnectionsTools {
  constructor(
    private readonly directory: PluginDirectory,
    private readonly connections: ConnectionsService,
    private readonly connector: ConnectorService,
    private readonly authorizations: ProviderAuthorizationsService,
  ) {}

  /** Does the same as POST /v2/workspace/integrations, or …/:plugin/test for a dry run. */
  @McpTool({
    name: 'connect_integration',
    title: 'Connect an integration',
    description:
      'Connects a provider, such as a calendar. Ask the user for credentials; they are saved only if they work. ' +
      'get_workspace_status lists connections. Returns status, verified and webhook_active.\n' +
      'Example: {"provider":"calcom","credentials":{"api_key":"cal_live_…"}}',
    input,
    output,
    scopes: ['settings'],
    annotations: { ...SETS, openWorldHint: true },
  })
  async connect(
    request: z.output<typeof input>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<ConnectToolOutput> {
    const { provider, credentials, settings, dry_run } = request;
    const plugin = resolveProvider(this.directory, caller.plan, provider);
    const { manifest } = plugin;
    if (!credentials && this.authorizations.offersLink(plugin, settings ?? {}))
      return this.requestSignIn(caller, request);
    const missing = listMissingFields(manifest.credentials, credentials && mapGenericCredentials(plugin, credentials));
    if (missing.length > 0) return toMissingFieldsOutput(manifest.displayName, missing);
    if (dry_run) {
      const pending = { credentials: credentials ?? {}, settings };
      const { outcome, message } = await this.connections.test(caller, { plugin: provider }, pending);
      return { ...toTestOutput(outcome), provider_said: quoteProviderMessage(message) };
    }
    const key = toIdempotencyKey(idempotencyKey, 'connect_integration', request);
    const { body } = await this.connector.connect(caller, request, key).catch((error: unknown) => {
      throw redactProviderMessage(error);
    });
    const { message, webhook_registered: webhook_active, connection } = body;
    return { status: 'connected', verified: true, webhook_active, missing_fields: [], message, connection };
  }

  private async requestSignIn(
    caller: Caller,
    { provider, settings, name }: z.output<typeof input>,
  ): Promise<ConnectToolOutput> {
    const { authorization_url, expires_at, provider_name } = await this.authorizations.request(
      caller,
      { plugin: provider },
      { settings, name },
    );
    const message = `Give the user this link to sign in at ${provider_name}: ${authorization_url}`;
    const rest = { verified: false, webhook_active: false, missing_fields: [] };
    return { status: 'sign_in_required', ...rest, message, authorization_url, expires_at };
  }
}

const TEST_MESSAGES = {
  ok: 'The provider accepts these credentials. Nothing was saved.',
  bad_credentials: 'The provider does not accept these credentials. Ask the user for others.',
  forbidden: 'The provider knows these credentials, but they may not do what is needed. Tell the user.',
  unreachable: 'The provider gave no usable answer. Try again later.',
} as const satisfies Record<TestResult['outcome'], string>;

function toTestOutput(outcome: TestResult['outcome']): ConnectToolOutput {
  const verified = outcome === 'ok';
  const status = verified ? 'verified' : 'not_verified';
  return { status, verified, webhook_active: false, missing_fields: [], message: TEST_MESSAGES[outcome] };
}

function toMissingFieldsOutput(name: string, missing_fields: string[]): ConnectToolOutput {
  const message = `${name} needs credentials: ${missing_fields.join(', ')}. Ask the user for them.`;
  return { status: 'missing_fields', verified: false, webhook_active: false, missing_fields, message };
}
