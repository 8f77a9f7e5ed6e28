import type { CommandContext } from '../base/command-context.js';
import { CliError, SIGN_IN_HINT } from '../base/exit.js';
import { ApiClient, type ApiResponse } from '../api/api-client.js';
import { whoAmI } from '../api/identity.js';
import { credentialsFile } from '../settings/credentials.js';
import { isLoopback, type Settings } from '../settings/settings.js';
import { VERSION } from '../version.js';
import { type DoctorCheck, failed, ok, skipped, warning } from './check.js';
import { checkClock } from './clock.js';
import { checkMcp } from './mcp.js';

/** One attempt with a short timeout, so that an unreachable hub is reported quickly. */
const QUICK_REQUEST = { attempts: 1, timeoutMs: 10_000 };

/** Runs all checks in the order of their dependencies. */
export async function runChecks(context: CommandContext): Promise<DoctorCheck[]> {
  const settings = await context.settings();
  const hub = new ApiClient(settings, context.terminal.signal);
  const openApi = await hub.send('GET', '/openapi.json', QUICK_REQUEST).catch((error: unknown) => error as CliError);
  const first = [ok('client', `rapport ${VERSION} on Node ${process.versions.node}`), checkAddress(settings)];
  if (openApi instanceof Error) {
    const mend = `Start the hub, or set another address with --base-url or RAPPORT_BASE_URL.`;
    const rest = ['version', 'clock', 'key', 'plan', 'mcp'].map(name => skipped(name, 'the hub does not respond'));
    return [...first, failed('hub', openApi.message, mend), ...rest];
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
