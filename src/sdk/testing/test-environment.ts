import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../schema.js';
import { TestGraph } from './test-graph.js';
import { TestStore } from './test-store.js';
import type { HubContext } from '../hub-context.js';
import type { PluginManifest } from '../manifest/manifest.js';
import { type ProviderSignIn, selectSignIn } from '../manifest/oauth2-rules.js';
import type { ToolPlan } from '../tool.js';
import { NotIdempotentError } from './test-errors.js';
import { dropUndeclared, parseWithSchema, buildSample } from './schemas.js';
import { TestClock } from './test-clock.js';
import { TestEvents, TestJobs } from './test-jobs.js';
import { TestFiles } from './test-files.js';
import { HttpRules } from '../http-rules.js';
import { TestHttp } from './test-http.js';
import { recordingLog, type LogLine } from './test-log.js';
import { TestRuns } from './test-runs.js';

/** Data that deliveries have written to the hub. */
export interface SideEffects {
  readonly observations: TestGraph['observations'];
  readonly notes: TestGraph['notes'];
  readonly store: Readonly<Record<string, Json>>;
}

/** Captures the current data. */
export function captureSideEffects(graph: TestGraph, store: TestStore): SideEffects {
  return { observations: [...graph.observations], notes: [...graph.notes], store: store.entries() };
}

/** Describes the changes between two captures, one phrase each; empty if nothing changed. */
export function diffSideEffects(before: SideEffects, after: SideEffects): string[] {
  const observations = after.observations.slice(before.observations.length);
  const notes = after.notes.slice(before.notes.length);
  const keys = [...new Set([...Object.keys(before.store), ...Object.keys(after.store)])];
  const changed = keys.filter(key => !isDeepStrictEqual(before.store[key], after.store[key]));
  return [
    ...observations.map(
      ({ property, subject, external_id }) =>
        `another ${property} of ${subject}` +
        (external_id ? ` (its external_id "${external_id}" must be the same each time)` : ' (it needs an external_id)'),
    ),
    ...notes.map(({ title }) => `another note "${title}" (it needs an external_id that is the same each time)`),
    ...changed.map(key => `another value under "${key}" in the store`),
  ];
}

/**
 * Options of a test hub.
 * @example { plan: 'growth', credentials: { api_key: 'k' }, settings: { api_url: 'https://acme.test' } }
 */
export interface TestHubOptions {
  /** Plan of the workspace. Default: `scale`. */
  readonly plan?: ToolPlan;
  /** Credentials of the connection. Default: a sample for each field, such as `test-api_key`. */
  readonly credentials?: JsonObject;
  /**
   * Connects by OAuth 2.0 with this access token. Default: `test-access-token` for a plugin with `oauth2` and without
   * `credentials`.
   */
  readonly accessToken?: string;
  /** Settings of the connection. Default for each field: that of the manifest. */
  readonly settings?: JsonObject;
  /** Start time of the clock, ISO 8601. Default: noon of 5 January 2026, UTC. */
  readonly now?: string;
}

/** The in-memory environment of a plugin in a test. Runs deliveries once or twice. */
export class TestEnvironment {
  readonly clock: TestClock;
  readonly http: TestHttp;
  readonly store: TestStore;
  readonly files: TestFiles;
  readonly graph: TestGraph;
  readonly jobs: TestJobs;
  readonly runs: TestRuns;
  readonly events: TestEvents;
  readonly logs: LogLine[] = [];
  readonly credentials: JsonObject;
  readonly settings: JsonObject;
  /** Access token of a connection by OAuth 2.0; undefined with pasted credentials. */
  readonly accessToken: string | undefined;
  /** Whether the plugin needs a connection that it does not have. */
  isDisconnected = false;

  /** @throws Error when credentials or settings do not fit their schemas */
  constructor(manifest: PluginManifest, options: TestHubOptions) {
    this.clock = new TestClock(options.now);
    const now = () => this.clock.now();
    this.store = new TestStore(now);
    this.files = new TestFiles(now);
    this.graph = new TestGraph(manifest.id, now);
    this.jobs = new TestJobs(manifest, now);
    this.runs = new TestRuns(manifest);
    this.events = new TestEvents(manifest);
    const isSignedIn = manifest.oauth2 !== undefined && (!manifest.credentials || options.accessToken !== undefined);
    this.accessToken = isSignedIn ? (options.accessToken ?? 'test-access-token') : undefined;
    this.settings = validateValues('settings', manifest.settings, {
      ...buildSample(manifest.settings),
      ...options.settings,
    });
    this.credentials = isSignedIn
      ? sampleTokenFields(selectSignIn(manifest, this.settings), options.credentials)
      : validateValues('credentials', manifest.credentials, options.credentials);
    this.http = new TestHttp(new HttpRules(manifest, this), this.accessToken);
  }

  /** Creates the hub context for one delivery. */
  context(signal: AbortSignal = new AbortController().signal): HubContext {
    const { graph, jobs, runs, events, store, files, credentials, settings, http, clock } = this;
    return Object.freeze({
      graph,
      jobs,
      runs,
      events,
      store,
      files,
      credentials,
      settings,
      http,
      signal,
      clock: { now: () => clock.now() },
      log: recordingLog(this.logs),
    });
  }

  /** Runs a delivery once. @throws the error of the delivery, or Error if it sent an unexpected request */
  async runOnce<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } finally {
      this.http.assertExpected();
    }
  }

  /** Runs a delivery twice. @throws NotIdempotentError if the second run changes anything */
  async runTwice<Answer>(what: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    const from = this.http.replyCount;
    const result = await this.runOnce(work);
    const before = captureSideEffects(this.graph, this.store);
    this.jobs.isMuted = this.runs.isMuted = this.events.isMuted = true;
    try {
      await this.runOnce(() => this.http.replay(from, async () => work()));
    } finally {
      this.jobs.isMuted = this.runs.isMuted = this.events.isMuted = false;
    }
    const more = diffSideEffects(before, captureSideEffects(this.graph, this.store));
    if (more.length > 0) throw new NotIdempotentError(what, more);
    return result;
  }
}

/** Returns stored values without undeclared fields and with defaults. @throws Error if they do not fit the schema */
export function parseStored(what: string, schema: PluginManifest['settings'], values: JsonObject): JsonObject {
  return validateValues(what, schema, dropUndeclared(schema, values));
}

/** Returns the credentials of a connection by OAuth 2.0: a sample such as `test-instance_url` for each token field. */
function sampleTokenFields(signIn: ProviderSignIn | undefined, given: JsonObject = {}): JsonObject {
  const samples = (signIn?.oauth2.tokenFields ?? []).map(name => [name, `test-${name}`]);
  return Object.freeze({ ...(Object.fromEntries(samples) as JsonObject), ...given });
}

function validateValues(what: string, schema: PluginManifest['settings'], given: JsonObject | undefined): JsonObject {
  const values = given ?? buildSample(schema);
  if (!schema) return Object.freeze({ ...values });
  const parsed = parseWithSchema(schema, values);
  if ('value' in parsed) return Object.freeze(parsed.value as JsonObject);
  throw new Error(`The ${what} of this test do not fit the manifest: ${parsed.problems.join('; ')}.`);
}
