const PROTOCOL = 'io.modelcontextprotocol/protocolVersion';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?/i;

/** The parameter that `Mcp-Name` repeats, by method. */
const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

interface RpcRequest {
  readonly method: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** The headers that revision 2026-07-28 asks for over HTTP; over stdio they do not exist. None for older messages. */
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

/** A text as a header may hold it: what is not plain ASCII goes as base64 of its UTF-8. */
function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
