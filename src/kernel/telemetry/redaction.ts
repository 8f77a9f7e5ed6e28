const SECRET_FIELD_NAME =
  /authorization|cookie|api[-_]?key$|secret|password|passphrase|credential|private[-_]?key|signature|(?:^|[-_])token$|^(?:access|refresh|id)token$/i;
const SECRET_TEXT = /(\brap_[a-z]+_)\w{8,}|(\bBearer )[^\s"\\]+|(:\/\/[^\s"/:@]*:)[^\s"/@]+(?=@)/gi;
/** Every secret text contains one of these; searching for them is far cheaper than the pattern. */
const SECRET_MARKERS = ['rap_', 'earer ', 'EARER ', '://'];
const REDACTED_TEXT = '[hidden]';
const MAX_DEPTH = 8;
const MAX_CACHED_NAMES = 2_000;

const secretNameCache = new Map<string, boolean>();

/** Copies `fields` with the values of secret names redacted, at most eight levels deep. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    copy[name] = isSecretName(name) ? REDACTED_TEXT : redactValue(value, depth + 1);
  return copy;
}

/** Redacts API keys, bearer tokens and passwords in URLs, wherever they are in the text. */
export function redactText(text: string): string {
  return SECRET_MARKERS.some(sign => text.includes(sign)) ? text.replace(SECRET_TEXT, `$1$2$3${REDACTED_TEXT}`) : text;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || isScalar(value)) return value;
  if (depth === MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  return redactFields(value instanceof Error ? toPlainError(value) : value, depth);
}

/** Returns whether a name denotes a secret. Cached, because names come from a small vocabulary. */
function isSecretName(name: string): boolean {
  let verdict = secretNameCache.get(name);
  if (verdict === undefined) {
    verdict = SECRET_FIELD_NAME.test(name);
    if (secretNameCache.size < MAX_CACHED_NAMES) secretNameCache.set(name, verdict);
  }
  return verdict;
}

function isScalar(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value);
}

function toPlainError(error: Error): object {
  const { name, message, stack, cause } = error;
  return { ...error, type: name, message, stack, ...(cause !== undefined && { cause }) };
}
