import { ApiClient, type ApiResponse } from '../api/api-client.js';
import { CliError, SIGN_IN_HINT } from '../base/errors.js';
import type { CommandContext } from '../base/command-context.js';
import { whoAmI } from '../api/identity.js';
import { credentialsFile } from '../settings/credentials.js';
import { isLoopback, type Settings } from '../settings/settings.js';
import { VERSION } from '../version.js';

/** Result of a check. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What the check found. */
  readonly detail: string;
  /** How to fix the problem. */
  readonly fix?: string;
}

/** Creates the result of a check that passed. */
export const ok = (name: string, detail: string): DoctorCheck => ({ name, state: 'ok', detail });

/** Creates a result for something that works but needs attention. */
export const warning = (name: string, detail: string, fix: string): DoctorCheck => ({
  name,
  state: 'warning',
  detail,
  fix,
});

/** Creates the result of a check that failed. */
export const failed = (name: string, detail: string, fix: string): DoctorCheck => ({
  name,
  state: 'failed',
  detail,
  fix,
});

/** Creates the result of a check that could not run. */
export const skipped = (name: string, detail: string): DoctorCheck => ({ name, state: 'skipped', detail });

/** The `Date` header has whole seconds, and a response takes time. */
const MAX_SKEW_SECONDS = 5;

/**
 * Compares the local clock with the hub's.
 * @param date `Date` header of a response
 * @param now milliseconds since 1970
 */
export function checkClock(date: string | null, now: number): DoctorCheck {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'the hub sends no Date header');
  const apart = Math.round((now - theirs) / 1_000);
  if (Math.abs(apart) <= MAX_SKEW_SECONDS) return ok('clock', 'agrees with the hub');
  const detail = `${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the hub`;
  return warning('clock', detail, 'Set the clock: times that you send with --observed-at are taken as they are.');
}

const LIST_TOOLS_REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Lists the tools of the MCP endpoint, as an agent does. */
export async function checkMcp(hub: ApiClient): Promise<DoctorCheck> {
  if (hub.settings.apiKey === undefined) return skipped('mcp', 'no key');
  const headers = { accept: 'application/json, text/event-stream' };
  const ask = { body: LIST_TOOLS_REQUEST, headers, readsOnly: true, attempts: 1 };
  const answer = await hub.send('POST', '/mcp', ask).catch((error: unknown) => error as CliError);
  if (answer instanceof Error) return failed('mcp', answer.message, 'The hub does not respond at /mcp.');
  const { result } = (answer.body ?? {}) as { result?: { tools?: readonly unknown[] } };
  const tools = result?.tools?.length;
  if (tools !== undefined) return ok('mcp', `${hub.settings.baseUrl}/mcp lists ${tools} tools`);
  if (answer.status === 401) return skipped('mcp', 'the key is refused');
  return failed('mcp', `/mcp responds with status ${answer.status}`, 'Check whether a proxy blocks POST requests.');
}

/** One attempt with a short timeout, so that an unreachable hub is reported quickly. */
const QUICK_REQUEST = { attempts: 1, timeoutMs: 10_000 };

/** Runs all checks in the order of their dependencies. */
export async function runChecks(context: CommandContext): Promise<DoctorCheck[]> {
  const settings = await context.settings();
  const hub = new ApiClient(settings, context.terminal.signal);
  const openApi = await hub.send('GET', '/openapi.json', QUICK_REQUEST).catch((error: unknown) => error as CliError);
  const first = [ok('client', `rapport ${VERSION} on Node ${process.versions.node}`), checkAddress(settings)];
  if (openApi instanceof Error) {
    const fix = `Start the hub, or set another address with --base-url or RAPPORT_BASE_URL.`;
    const rest = ['version', 'clock', 'key', 'plan', 'mcp'].map(name => skipped(name, 'the hub does not respond'));
    return [...first, failed('hub', openApi.message, fix), ...rest];
  }
  const checks = [
    ...first,
    checkHub(openApi),
    checkVersion(openApi),
    checkClock(openApi.headers.get('date'), Date.now()),
  ];
  return [...checks, ...(await checkKey(context, hub)), await checkMcp(hub)];
}

function checkAddress({ baseUrl, baseUrlFrom }: Settings): DoctorCheck {
  const detail = `${baseUrl} (from: ${baseUrlFrom})`;
  if (baseUrl.startsWith('https:') || isLoopback(baseUrl)) return ok('address', detail);
  return warning('address', detail, 'The key travels unencrypted: use https, or a tunnel.');
}

function checkHub({ status }: ApiResponse): DoctorCheck {
  if (status === 200) return ok('hub', 'responds');
  return failed('hub', `responds with status ${status}`, 'Check the address, and the log of the hub.');
}

function checkVersion({ body }: ApiResponse): DoctorCheck {
  const { info } = (body ?? {}) as { info?: { title?: string; version?: string } };
  if (info?.version !== undefined) return ok('version', `${info.title ?? 'hub'} ${info.version}`);
  return failed(
    'version',
    'there is no hub at this address',
    'Set the address of the hub with --base-url or RAPPORT_BASE_URL.',
  );
}

async function checkKey({ terminal }: CommandContext, hub: ApiClient): Promise<DoctorCheck[]> {
  const { apiKey, apiKeyFrom, savedFor } = hub.settings;
  if (apiKey === undefined) {
    const detail = savedFor === undefined ? 'there is none' : `the saved one belongs to ${savedFor}`;
    return [failed('key', detail, SIGN_IN_HINT), skipped('plan', 'no key')];
  }
  try {
    const { workspace, plan, key } = await whoAmI(hub);
    const from = apiKeyFrom === 'file' ? credentialsFile(terminal.env) : apiKeyFrom;
    const name = workspace?.name === undefined ? '' : `, workspace ${workspace.name}`;
    const expiry = key?.expires_at ? `, until ${key.expires_at.slice(0, 10)}` : '';
    return [
      ok('key', `accepted (from: ${from})${name}${expiry}`),
      plan ? ok('plan', plan) : skipped('plan', 'unknown'),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [failed('key', error.message, error.facts.hint ?? SIGN_IN_HINT), skipped('plan', 'no key')];
  }
}
