import type { ToolPlan, ToolScope } from './tool.js';

/**
 * Everything a resource declares: something that people or clients attach to a conversation, read by its address.
 * Not every client has resources, so what an agent has to reach by itself is a tool.
 * @example
 * ```ts
 * { uri: 'acme-dialer://calls/{id}', name: 'call', title: 'Call', description: 'A call with its outcome.',
 *   mimeType: 'application/json', scopes: ['read'] }
 * ```
 */
export interface McpResourceOptions {
  /**
   * The address, which in a partner's plugin begins with `<id of the plugin>://`. With parts in braces, such as `{id}`,
   * it is a template: each stands for a piece without a slash.
   */
  readonly uri: string;
  /** For programs: `a-z0-9_-`, at most 48 characters. */
  readonly name: string;
  /** For people, in lists of resources. */
  readonly title: string;
  readonly description: string;
  /** Media type of what is read, unless the answer says another. Default: `text/plain`. */
  readonly mimeType?: string;
  /** Scopes that the API key must hold, all of them. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan that sees the resource. Default: `starter`, in a plugin that of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * What a handler of a resource receives.
 * @example { uri: 'acme-dialer://calls/c-1', params: { id: 'c-1' } }
 */
export interface ResourceRequest {
  /** The address that was asked for. */
  readonly uri: string;
  /** What stands for the parts in braces, decoded; empty for an address without any. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * What a handler of a resource gives: text, or `blob` in base64; undefined when nothing has this address.
 * @example return call && { text: JSON.stringify(call), mimeType: 'application/json' };
 */
export type ResourceResult =
  | string
  | { readonly text: string; readonly mimeType?: string }
  | { readonly blob: string; readonly mimeType?: string }
  | undefined;

/**
 * Reads an address by that of a resource, which may be a template.
 * @returns what stands for the parts in braces; undefined when it is another address
 * @example resourceParams('acme://calls/{id}', 'acme://calls/c-1') // { id: 'c-1' }
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
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (!found) return undefined;
  try {
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1]!)]));
  } catch {
    return undefined;
  }
}
