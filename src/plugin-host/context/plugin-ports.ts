import type { GraphPort } from '#sdk/graph-port.js';

/** The workspace and connection that a plugin works for. */
export interface PluginScope {
  readonly workspaceId: string;
  /** ID of the plugin. */
  readonly plugin: string;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

/** Creates the graph ports of plugins. The graph implements it; the composition root binds it. */
export abstract class GraphPortFactory {
  /** Returns the graph of one workspace; writes are attributed to the plugin. */
  abstract create(scope: PluginScope): GraphPort;
}
