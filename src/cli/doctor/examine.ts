import type { Desk } from '../base/desk.js';
import { CliError, SIGN_IN } from '../base/exit.js';
import { Hub, type HubAnswer } from '../hub/hub.js';
import { identify } from '../hub/identity.js';
import { credentialsFile } from '../settings/credentials.js';
import { isLoopback, type Settings } from '../settings/settings.js';
import { VERSION } from '../version.js';
import { type Check, failed, ok, skipped, warning } from './check.js';
import { checkClock } from './clock.js';
import { checkMcp } from './mcp.js';

/** One attempt and little patience: a doctor says soon that nobody answers. */
const SHORT = { attempts: 1, timeoutMs: 10_000 };

/** Looks at everything between here and the hub, in the order in which one thing needs another. */
export async function examine(desk: Desk): Promise<Check[]> {
  const settings = await desk.settings();
  const hub = new Hub(settings, desk.terminal.signal);
  const openApi = await hub.send('GET', '/openapi.json', SHORT).catch((error: unknown) => error as CliError);
  const first = [ok('client', `rapport ${VERSION} on Node ${process.versions.node}`), addressCheck(settings)];
  if (openApi instanceof Error) {
    const mend = `Start the hub, or name another: --base-url or RAPPORT_BASE_URL.`;
    const rest = ['version', 'clock', 'key', 'plan', 'mcp'].map(name => skipped(name, 'the hub does not answer'));
    return [...first, failed('hub', openApi.message, mend), ...rest];
  }
  const checks = [
    ...first,
    hubCheck(openApi),
    versionCheck(openApi),
    checkClock(openApi.headers.get('date'), Date.now()),
  ];
  return [...checks, ...(await keyChecks(desk, hub)), await checkMcp(hub)];
}

function addressCheck({ baseUrl, baseUrlFrom }: Settings): Check {
  const detail = `${baseUrl} (from: ${baseUrlFrom})`;
  if (baseUrl.startsWith('https:') || isLoopback(baseUrl)) return ok('address', detail);
  return warning('address', detail, 'The key travels unencrypted: use https, or a tunnel.');
}

function hubCheck({ status }: HubAnswer): Check {
  if (status === 200) return ok('hub', 'answers');
  return failed('hub', `answers with status ${status}`, 'Is this the address of a hub? Its log says more.');
}

function versionCheck({ body }: HubAnswer): Check {
  const { info } = (body ?? {}) as { info?: { title?: string; version?: string } };
  if (info?.version !== undefined) return ok('version', `${info.title ?? 'hub'} ${info.version}`);
  return failed('version', 'no hub speaks there', 'Name the address of the hub: --base-url or RAPPORT_BASE_URL.');
}

async function keyChecks({ terminal }: Desk, hub: Hub): Promise<Check[]> {
  const { apiKey, apiKeyFrom, savedFor } = hub.settings;
  if (apiKey === undefined) {
    const detail = savedFor === undefined ? 'there is none' : `the saved one belongs to ${savedFor}`;
    return [failed('key', detail, SIGN_IN), skipped('plan', 'no key')];
  }
  try {
    const { workspace, plan, key } = await identify(hub);
    const from = apiKeyFrom === 'file' ? credentialsFile(terminal.env) : apiKeyFrom;
    const name = workspace?.name === undefined ? '' : `, workspace ${workspace.name}`;
    const expiry = key?.expires_at ? `, until ${key.expires_at.slice(0, 10)}` : '';
    return [
      ok('key', `accepted (from: ${from})${name}${expiry}`),
      plan ? ok('plan', plan) : skipped('plan', 'not told'),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [failed('key', error.message, error.facts.hint ?? SIGN_IN), skipped('plan', 'no key')];
  }
}
