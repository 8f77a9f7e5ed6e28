/**
 * A content block of the Model Context Protocol: `text`, `image`, `audio` or `resource`.
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

/** Identifies instances across several copies of this package in one process, which `instanceof` cannot. */
const BRAND = Symbol.for('rapport:tool-content');

/**
 * A tool result made of content blocks. Needed only for content that is not JSON, such as an image (`data` in
 * base64). A handler can otherwise return a plain object.
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
 * Checks whether a result is {@link ToolContent} from any copy of this package.
 * @example if (isToolContent(result)) return result.blocks;
 */
export function isToolContent(result: unknown): result is ToolContent {
  return typeof result === 'object' && result !== null && BRAND in result;
}
