/**
 * The state of a plugin in this process. While starting: `discovered` (package.json read), `valid` (manifest read),
 * `loaded` (module started, manifest and code agree), `ready` (running). Where it stopped: `invalid` and `incompatible`
 * (the package has to be fixed), `conflict` (another plugin has its ID), `failed` (its code failed at the start),
 * `disabled` (an operator disabled it).
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

/** A plugin as it is presented to operators. */
export interface PluginInfo {
  /** ID in the manifest, or the package name if no manifest could be read. */
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly state: PluginState;
  /** Why it is not ready, and how to fix it. */
  readonly reason?: string;
}
