import { Injectable } from '@nestjs/common';
import type {
  InboundDelivery,
  Json,
  PanelData,
  PluginEvent,
  JobOf,
  PromptResult,
  ResourceResult,
  ResourceRequest,
  RouteRequest,
  ResponseOf,
} from '@rapport/plugin-sdk';
import { z } from 'zod';
import { listCalls } from './provider.js';
import { type Call, toCall, toObservation } from './call.js';
import { type Hub, plugin } from './plugin.js';

const listInput = z.object({ email: z.email().describe('E-mail address of the contact, such as ada@example.org.') });

/** Everything that happens with calls. Each method may be called twice with the same thing. */
@Injectable()
export class CallHandlers {
  /** The hub has checked the signature, kept the payload and answered Acme Dialer. */
  @plugin.OnInbound('calls')
  async receive({ json }: InboundDelivery, hub: Hub): Promise<void> {
    const call = toCall((json as { readonly call?: Json } | undefined)?.call);
    if (!call) return hub.log.info('left out a webhook that tells of no call');
    await hub.graph.record(call.email, [toObservation(call)]);
  }

  /** One job for each contact, so that one that fails does not hold the others up. */
  @plugin.OnEvent('contact.imported')
  async onContactImported({ payload }: PluginEvent<'contact.imported'>, hub: Hub): Promise<void> {
    if (payload.email) await hub.jobs.emit('backfill', { email: payload.email }, { key: payload.email });
  }

  @plugin.OnJob('backfill')
  async backfill({ data }: JobOf<typeof plugin, 'backfill'>, hub: Hub): Promise<void> {
    for (const call of await this.readCalls(hub, data.email)) await hub.graph.record(call.email, [toObservation(call)]);
  }

  @plugin.OnRoute('calls')
  async panel({ query }: RouteRequest, hub: Hub): Promise<ResponseOf<typeof plugin, 'calls'>> {
    const found = await hub.graph.find(query['focus'] ?? '');
    const email = found?.status === 'one' ? found.entity.email : null;
    const calls = email === null ? [] : await this.readCalls(hub, email);
    return { body: toTable(calls) };
  }

  @plugin.McpTool({
    name: 'acme_dialer_list_calls',
    title: 'List calls',
    description:
      'Lists the latest calls with one person in Acme Dialer, newest first. Use it for call history; for everything ' +
      'else about the person use get_context. Returns time, duration and outcome. Example: {"email": "ada@example.org"}',
    input: listInput,
    output: z.object({
      calls: z.array(z.object({ id: z.string(), ended_at: z.string(), outcome: z.string() }).loose()),
    }),
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['calls'],
  })
  async listCalls({ email }: z.output<typeof listInput>, hub: Hub): Promise<object> {
    const calls = await this.readCalls(hub, email);
    return { calls: calls.map(({ id, endedAt, seconds, outcome }) => ({ id, ended_at: endedAt, seconds, outcome })) };
  }

  /** What a person attaches to a conversation; an agent that looks for calls itself has the tool. */
  @plugin.McpResource({
    uri: 'acme-dialer://calls/{email}',
    name: 'calls',
    title: 'Calls with a person',
    description: 'Latest calls of the team with the person of an e-mail address, newest first.',
    mimeType: 'application/json',
    scopes: ['read'],
  })
  async readResource({ params }: ResourceRequest, hub: Hub): Promise<ResourceResult> {
    const calls = await this.readCalls(hub, params['email'] ?? '');
    return calls.length === 0 ? undefined : JSON.stringify(calls);
  }

  @plugin.McpPrompt({
    name: 'acme_dialer_prepare_call',
    title: 'Prepare a call',
    description: 'What to know before you dial.',
    arguments: [{ name: 'email', description: 'Whom to call', required: true }],
    scopes: ['read'],
  })
  prepareCall({ email }: Record<string, string>): PromptResult {
    return `I am about to call ${email}. Read get_context and acme_dialer_list_calls, and tell me what to open with.`;
  }

  private async readCalls(hub: Hub, email: string): Promise<Call[]> {
    const calls = (await listCalls(hub, email)).map(toCall).filter(call => call !== undefined);
    // Acme Dialer is asked for one address, but whether it answers with that one alone is its business.
    return calls.filter(call => call.email.toLowerCase() === email.toLowerCase());
  }
}

function toTable(calls: readonly Call[]): PanelData {
  return {
    kind: 'table',
    columns: [
      { key: 'at', label: 'When', type: 'time' },
      { key: 'minutes', label: 'Minutes', type: 'number' },
      { key: 'outcome', label: 'Outcome' },
    ],
    rows: calls.map(({ endedAt, seconds, outcome }) => ({ at: endedAt, minutes: Math.round(seconds / 60), outcome })),
  };
}
