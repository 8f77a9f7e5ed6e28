/**
 * What has become of a plugin in this process. On the way up: discovered (package.json read), valid (manifest read),
 * loaded (module opened, manifest and code agree), ready (serves). Where it has stopped: `invalid` and `incompatible`
 * say what to mend in the package, `conflict` that another plugin has its id, `failed` what its code did; `disabled`
 * is an operator's wish.
 */
export type PluginState =
  | 'discovered'
  | 'valid'
  | 'loaded'
  | 'ready'
  | 'invalid'
  | 'incompatible'
  | 'conflict'
  | 'failed'
  | 'disabled';

/** A plugin as operators see it. */
export interface PluginInfo {
  /** Id in the manifest; the name of the package where no manifest could be read. */
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly state: PluginState;
  /** Why it is not ready, in a sentence that mends it. */
  readonly reason?: string;
}
