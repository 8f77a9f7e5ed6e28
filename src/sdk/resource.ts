import type { ToolPlan, ToolScope } from './tool.js';

/**
 * Options of a resource, which users or clients attach to a conversation and read by its URI. Not every client
 * supports resources: provide a tool for data that an agent must reach by itself.
 * @example
 * ```ts
 * { uri: 'acme-dialer://calls/{id}', name: 'call', title: 'Call', description: 'A call with its outcome.',
 *   mimeType: 'application/json', scopes: ['read'] }
 * ```
 */
export interface McpResourceOptions {
  /**
   * The URI, which in a partner's plugin starts with `<id of the plugin>://`. Parameters in braces, such as `{id}`,
   * make it a template; each matches a segment without a slash.
   */
  readonly uri: string;
  /** Name for programs: at most 48 characters `a-z0-9_-`. */
  readonly name: string;
  /** Name shown to users in lists of resources. */
  readonly title: string;
  readonly description: string;
  /** Media type of the content, unless the result sets another. Default: `text/plain`. */
  readonly mimeType?: string;
  /** Scopes that the API key must have. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan with access to the resource. Default: the plan of the plugin; `starter` in the hub itself. */
  readonly minPlan?: ToolPlan;
}

/**
 * Argument of a resource handler.
 * @example { uri: 'acme-dialer://calls/c-1', params: { id: 'c-1' } }
 */
export interface ResourceRequest {
  /** The requested URI. */
  readonly uri: string;
  /** Values of the parameters in braces, decoded; empty for a URI without parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Result of a resource handler: text, or `blob` in base64; undefined if there is nothing at this URI.
 * @example return call && { text: JSON.stringify(call), mimeType: 'application/json' };
 */
export type ResourceResult =
  | string
  | { readonly text: string; readonly mimeType?: string }
  | { readonly blob: string; readonly mimeType?: string }
  | undefined;

/**
 * Matches a URI against that of a resource, which may be a template.
 * @returns the values of the parameters in braces; undefined if the URI does not match
 * @example matchResourceUri('acme://calls/{id}', 'acme://calls/c-1') // { id: 'c-1' }
 */
export function matchResourceUri(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = template
    .split(/\{(\w+)\}/)
    .map((part, i) => {
      if (i % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part);
      return '([^/]+)';
    })
    .join('');
  const match = new RegExp(`^${pattern}$`).exec(uri);
  if (!match) return undefined;
  try {
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1]!)]));
  } catch {
    return undefined;
  }
}
