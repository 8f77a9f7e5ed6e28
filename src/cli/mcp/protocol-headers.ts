const PROTOCOL = 'io.modelcontextprotocol/protocolVersion';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?/i;

/** Parameter copied to the header `Mcp-Name`, by method. */
const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

interface RpcRequest {
  readonly method: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** Builds the HTTP headers required by revision 2026-07-28, which stdio does not have; none for older messages. */
export function buildProtocolHeaders(message: object): Record<string, string> {
  if (!('method' in message)) return {};
  const { method, params } = message as RpcRequest;
  const version = params?._meta?.[PROTOCOL];
  if (typeof version !== 'string') return {};
  const name = params?.[NAME_PARAMS[method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

/** Encodes a header value: plain ASCII unchanged, anything else as base64 of its UTF-8 bytes. */
function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
