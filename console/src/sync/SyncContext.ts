import { createContext, useContext } from 'react';
import type { Schemas } from '../api/schemas.ts';
import type { SyncWords } from '../words/sync.ts';

/** The plugin whose sync is shown. */
export interface Sync {
  /** ID of the plugin. */
  readonly plugin: string;
  /** Name of the integration. */
  readonly title: string;
  readonly words: SyncWords;
  /** Parts of the page that the plugin serves. */
  readonly parts: ReadonlySet<string>;
  /** Panels of the plugin about its integration. */
  readonly panels: readonly Schemas['IntegrationPanel'][];
  /** The connection; null while there is none. */
  readonly connection: Schemas['IntegrationConnection'] | null;
  /**
   * Returns a path of the CRM sync for this plugin: every plugin with the page serves the same routes. The document of the
   * API types those of the bundled one.
   */
  readonly path: <Path extends string>(path: Path) => Path;
}

/** Provides the sync to the parts of its page. */
export const SyncContext = createContext<Sync | undefined>(undefined);

/** Returns the sync that the page is about. */
export function useSync(): Sync {
  const sync = useContext(SyncContext);
  if (!sync) throw new Error('useSync needs a SyncContext');
  return sync;
}

/** Returns what turns a path of the CRM sync into that of another plugin. */
export function toPluginPath(plugin: string): Sync['path'] {
  return <Path extends string>(path: Path) => path.replace('/plugins/crm/', `/plugins/${plugin}/`) as Path;
}
