import type { EventName } from '../events.js';
import { checkOAuth2, listSignIns } from './oauth2-rules.js';
import { checkSyncPage } from './sync-page/sync-page-rules.js';
import type { HmacSignature, InboundManifest, PluginManifest } from './manifest.js';
import type { ToolPlan } from '../tool.js';

/** The type makes the compiler require every event of `EventMap` here. */
const hubEvents: Readonly<Record<EventName, true>> = {
  'observation.recorded': true,
  'claims.recomputed': true,
  'contact.created': true,
  'contact.imported': true,
  'lead.scored': true,
  'fact.refresh_requested': true,
  'note.saved': true,
  'person.erased': true,
  'reply.received': true,
  'connection.accepted': true,
  'meeting.scheduled': true,
  'meeting.cancelled': true,
  'run.finished': true,
  'run.failed': true,
  'connection.connected': true,
  'connection.removed': true,
};
const hubNamespaces = new Set(Object.keys(hubEvents).map(name => name.split('.')[0]));
const plans: readonly ToolPlan[] = ['starter', 'growth', 'scale'];

/**
 * Returns the prefix of the tool names of a plugin.
 * @example toolPrefix('acme-dialer') // 'acme_dialer_'
 */
export function toolPrefix(id: string): string {
  return `${id.replaceAll('-', '_')}_`;
}

/**
 * Checks rules that the JSON Schema of the manifest cannot express. The manifest must match `manifestSchema` already.
 * @param options `freeToolNames`: tool names need no prefix, as for bundled plugins
 * @returns one sentence per fault that says how to fix it; empty if there is none
 * @example const faults = checkManifest(manifest);
 */
export function checkManifest(manifest: PluginManifest, options: { readonly freeToolNames?: boolean } = {}): string[] {
  return [
    ...validateEvents(manifest),
    ...(options.freeToolNames ? [] : validateToolNames(manifest)),
    ...validatePlans(manifest),
    ...validateRoutes(manifest),
    ...validatePanels(manifest),
    ...checkSyncPage(manifest),
    ...Object.entries(manifest.inbound ?? {}).flatMap(([name, inbound]) => validateInbound(manifest, name, inbound)),
    ...validateDefaults(manifest),
    ...validateHttp(manifest),
    ...checkOAuth2(manifest),
    ...validateConnections(manifest),
  ];
}

function validateEvents({ id, consumes = [], emits = {} }: PluginManifest): string[] {
  const foreign = Object.keys(emits).filter(name => !name.startsWith(`${id}.`));
  const unknown = consumes.filter(name => hubNamespaces.has(name.split('.')[0]) && !(name in hubEvents));
  return [
    ...foreign.map(name => `The event "${name}" in "emits" must begin with "${id}.", the id of the plugin.`),
    ...unknown.map(name => `The hub has no event "${name}". Its events are ${Object.keys(hubEvents).join(', ')}.`),
  ];
}

function validateToolNames({ id, tools = {}, resources = {}, prompts = {} }: PluginManifest): string[] {
  const begin = (word: string, names: object, prefix: string) =>
    Object.keys(names)
      .filter(name => !name.startsWith(prefix))
      .map(
        name => `The ${word} "${name}" must begin with "${prefix}", so that names of different plugins cannot collide.`,
      );
  const prefix = toolPrefix(id);
  return [
    ...begin('tool', tools, prefix),
    ...begin('resource', resources, `${id}://`),
    ...begin('prompt', prompts, prefix),
  ];
}

function validatePlans({ minPlan, tools, resources, prompts, routes }: PluginManifest): string[] {
  const parts = Object.entries({ tool: tools, resource: resources, prompt: prompts, route: routes }).flatMap(
    ([word, named]) =>
      Object.entries(named ?? {}).map(([name, part]) => ({ what: `${word} "${name}"`, plan: part.minPlan })),
  );
  return parts
    .filter(({ plan }) => plan !== undefined && plans.indexOf(plan) < plans.indexOf(minPlan))
    .map(({ what, plan }) => `The ${what} has minPlan ${plan}, lower than the plugin's ${minPlan}: leave it out.`);
}

function validateRoutes({ routes = {} }: PluginManifest): string[] {
  const shape = ({ method, path }: { method: string; path: string }) => `${method} ${path.replaceAll(/:[^/]+/g, ':')}`;
  const byShape = Map.groupBy(Object.entries(routes), ([, route]) => shape(route));
  const twice = [...byShape.values()].filter(same => same.length > 1);
  const uploads = Object.entries(routes).filter(([, route]) => route.upload && (route.body || route.method === 'GET'));
  return [
    ...twice.map(same => `The routes ${same.map(([name]) => `"${name}"`).join(' and ')} have one method and path.`),
    ...Object.entries(routes)
      .filter(([, { path }]) => path === 'runs' || path.startsWith('runs/'))
      .map(([name]) => `The route "${name}" begins with "runs", where the hub serves the runs: choose another path.`),
    ...uploads.map(([name]) => `The route "${name}" takes an upload, so it must not be a GET and has no "body".`),
  ];
}

function validatePanels({ panels = [], routes = {} }: PluginManifest): string[] {
  return panels.flatMap(({ title, source, kind }) => {
    const route = routes[source];
    if (route?.method !== 'GET') {
      return [`The panel "${title}" takes its data from "${source}", which must be a GET route in "routes".`];
    }
    const sent = Object.values(routes).some(other => other.method === 'POST' && other.path === route.path);
    return kind === 'form' && !sent ? [`The form "${title}" is sent to POST ${route.path}: add that route.`] : [];
  });
}

function validateInbound({ credentials }: PluginManifest, name: string, { signature }: InboundManifest): string[] {
  if (!signature) return [];
  const faults: string[] = [];
  const fields = (credentials?.['properties'] ?? {}) as Record<string, { secret?: unknown } | undefined>;
  if (signature.secretFrom !== 'generated' && fields[signature.secretFrom]?.secret !== true) {
    const fix = 'it must be "generated" or a field of "credentials" with "secret": true';
    faults.push(`The webhook "${name}" takes its secret from "${signature.secretFrom}": ${fix}.`);
  }
  if (signature.algorithm !== 'standard-webhooks' && isTimestampSigned(signature) && !signature.timestampHeader) {
    faults.push(`The webhook "${name}" signs {timestamp}: name its header in "timestampHeader".`);
  }
  return faults;
}

function isTimestampSigned({ signed }: HmacSignature): boolean {
  return signed?.includes('{timestamp}') === true;
}

function validateHttp(manifest: PluginManifest): string[] {
  const { http, settings, credentials } = manifest;
  const tokenFields = listSignIns(manifest).flatMap(({ oauth2 }) => oauth2.tokenFields ?? []);
  const fields = {
    settings: listFields(settings),
    credentials: [...listFields(credentials), ...tokenFields],
  };
  const sent = http?.auth?.credential;
  const unknown =
    sent === undefined || listFields(credentials).includes(sent)
      ? []
      : [`"http.auth" sends the credential "${sent}": declare it in "credentials".`];
  const addresses = [...(http?.baseUrl === undefined ? [] : [http.baseUrl]), ...(http?.hosts ?? [])].flatMap(entry => {
    const [group, field, ...more] = entry.split('.');
    if ((group !== 'settings' && group !== 'credentials') || field === undefined || more.length > 0) return [];
    return fields[group].includes(field) ? [] : [`"http" takes an address from "${entry}": declare that field.`];
  });
  const tooMuch = (http?.limits ?? []).filter(({ atOnce = 1, requests }) => atOnce > requests);
  const unsafe = tooMuch.map(
    ({ requests }) => `The limit of ${requests} requests in "http" has a larger "atOnce": lower it.`,
  );
  return [...addresses, ...unknown, ...unsafe];
}

function validateConnections({
  multipleConnections,
  dormant,
  routes = {},
  resources,
  prompts,
}: PluginManifest): string[] {
  if (!multipleConnections) return [];
  const isReserved = ([, { query }]: [string, { query?: object }]) => 'connection_id' in listProperties(query);
  const reserved = Object.entries(routes).filter(isReserved);
  const silent = Object.keys({ ...resources, ...prompts });
  return [
    ...(dormant ? ['A plugin with "dormant" has no connections: leave out "multipleConnections".'] : []),
    ...reserved.map(
      ([name]) => `The route "${name}" declares "connection_id", which the hub adds: choose another name.`,
    ),
    ...silent.map(name => `"${name}" cannot name a connection: with "multipleConnections", offer a tool instead.`),
  ];
}

function listProperties(schema: object | undefined): object {
  return ((schema as { properties?: object } | undefined)?.properties ?? {}) as object;
}

function listFields(schema: PluginManifest['settings']): string[] {
  return Object.keys((schema?.['properties'] ?? {}) as object);
}

function validateDefaults({ settings }: PluginManifest): string[] {
  const fields = Object.entries((settings?.['properties'] ?? {}) as Record<string, object>);
  return fields
    .filter(([, field]) => !('default' in field))
    .map(([name]) => `The setting "${name}" needs a "default": a connection must work before a user sets it.`);
}
