/**
 * One block of content as the protocol names it; `text`, `image`, `audio` and `resource` blocks exist.
 * @example { type: 'image', data: base64, mimeType: 'image/png' }
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string } & (
        | { readonly text: string }
        | { readonly blob: string }
      );
    };

/** Survives two copies of this package in one process, which `instanceof` does not. */
const BRAND = Symbol.for('rapport:tool-content');

/**
 * A result made of content blocks. Only for what JSON cannot carry, such as an image (`data` in base64); a
 * handler that returns a plain object needs nothing of this.
 * @example return new ToolContent({ type: 'image', data: base64, mimeType: 'image/png' });
 */
export class ToolContent {
  readonly [BRAND] = true;
  readonly blocks: readonly ContentBlock[];

  constructor(...blocks: ContentBlock[]) {
    this.blocks = blocks;
  }
}

/**
 * Whether a result is {@link ToolContent}, of this copy of the package or of another.
 * @example if (isToolContent(result)) return result.blocks;
 */
export function isToolContent(result: unknown): result is ToolContent {
  return typeof result === 'object' && result !== null && BRAND in result;
}
