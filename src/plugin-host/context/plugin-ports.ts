import type { GraphPort } from '#sdk/graph-port.js';
import type { JobOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';

/** For whom a plugin works. */
export interface PluginScope {
  readonly workspaceId: string;
  /** Id of the plugin. */
  readonly plugin: string;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

/** Gives plugins their way to the graph. The graph implements it; it is bound where all rooms are known. */
export abstract class GraphPortFactory {
  /** The graph of one workspace, written in the name of one plugin. */
  abstract create(scope: PluginScope): GraphPort;
}

/** Takes the background work that plugins give themselves. The plugin host implements it. */
export abstract class PluginJobsPort {
  /** Keeps a job; resolves once it is committed. */
  abstract emit(scope: PluginScope, name: string, data: Json, options: JobOptions): Promise<void>;
}
