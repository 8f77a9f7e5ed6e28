import type { HttpJob } from '../load/http-load.ts';
import type { People, Workload } from '../load/requests.ts';
import type { Extent, Sample } from '../load/sample.ts';
import type { SqlJob } from '../load/sql-load.ts';
import type { Limit } from '../load/statements.ts';
import { bareTables } from './bare-tables.ts';
import { Helper } from './helper.ts';
import { createWorkspace, HubProcess, type Workspace } from './hub.ts';
import { drained } from './inside.ts';
import { ask, type Postgres } from './postgres.ts';

/** People that are known before anything is measured. */
export const KNOWN_PEOPLE = 10_000;
/** How many statements of a title each of them has. */
export const KNOWN_TITLES = 5;
/** Connections that the hub and the server's own needs keep. */
const RESERVED_CONNECTIONS = 20;

/** One database with one hub over it, and the tables of the limits beside the hub's own. */
export class BenchEnvironment {
  readonly databaseUrl: string;
  readonly hub: HubProcess;
  readonly workspace: Workspace;
  private readonly mostConnections: number;
  private readonly loads = new Map<string, Helper<HttpJob | SqlJob, Sample>>();
  private introduction: Promise<void> | undefined;

  private constructor(databaseUrl: string, hub: HubProcess, workspace: Workspace, mostConnections: number) {
    this.databaseUrl = databaseUrl;
    this.hub = hub;
    this.workspace = workspace;
    this.mostConnections = mostConnections;
  }

  /**
   * @param profile folder for a CPU profile of the hub.
   * @param settings of the hub besides.
   */
  static async open(
    postgres: Postgres,
    profile?: string,
    settings: Record<string, string> = {},
  ): Promise<BenchEnvironment> {
    const databaseUrl = await postgres.createDatabase();
    const hub = await HubProcess.start({ env: { ...settings, DATABASE_URL: databaseUrl }, profile });
    try {
      const workspace = await createWorkspace(databaseUrl);
      await ask(databaseUrl, bareTables);
      const [row] = await ask<{ most: number }>(databaseUrl, "SELECT current_setting('max_connections')::int AS most");
      return new BenchEnvironment(databaseUrl, hub, workspace, row!.most - RESERVED_CONNECTIONS);
    } catch (error) {
      await hub.stop();
      throw error;
    }
  }

  /** The people of the workspace, made known at the first call. */
  async people(): Promise<People> {
    this.introduction ??= this.introduce({ from: 0, count: KNOWN_PEOPLE }, KNOWN_TITLES);
    await this.introduction;
    return { from: 0, count: KNOWN_PEOPLE };
  }

  /** Makes people known, each with a name and so many statements of a title. */
  async introduce(people: People, titles: number): Promise<void> {
    const workload = { name: 'introduce', people, titles } as const;
    const { failed } = await this.onHub('setup', titles > 100 ? 4 : 32, { calls: people.count }, workload);
    if (failed > 0) throw new Error(`${failed} people could not be made known`);
    await this.settled();
    await ask(this.databaseUrl, 'ANALYZE');
  }

  /**
   * Load on the hub.
   * @param side gives each side of a comparison a client process of its own.
   * @param key that of the stage's workspace by default.
   */
  onHub(side: string, connections: number, extent: Extent, workload: Workload, key?: string): Promise<Sample> {
    return this.onServer(side, this.hub.url, connections, extent, workload, key);
  }

  /** Load on any HTTP server, with the workspace's key. */
  onServer(
    side: string,
    url: string,
    connections: number,
    extent: Extent,
    workload: Workload,
    key = this.workspace.key,
  ): Promise<Sample> {
    const job: HttpJob = { url, key, connections, extent, workload };
    return this.load(side, 'load/http-load.ts').ask(job);
  }

  /** Load on the database; never on more connections than it has to give. */
  onDatabase(side: string, connections: number, extent: Extent, limit: Limit): Promise<Sample> {
    const job: SqlJob = { url: this.databaseUrl, connections: this.connectionsFor(connections), extent, limit };
    return this.load(side, 'load/sql-load.ts').ask(job);
  }

  /** How many of the wished connections the database has to give. */
  connectionsFor(wished: number): number {
    return Math.min(wished, this.mostConnections);
  }

  /** Waits for what the hub still does in the background. */
  settled(): Promise<void> {
    return drained(this.databaseUrl);
  }

  /** Ends the clients and the hub. */
  async close(): Promise<void> {
    for (const load of this.loads.values()) await load.end();
    await this.hub.stop();
  }

  private load(side: string, file: string): Helper<HttpJob | SqlJob, Sample> {
    let load = this.loads.get(side);
    if (!load) this.loads.set(side, (load = Helper.start(file)));
    return load;
  }
}
