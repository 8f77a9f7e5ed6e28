const SECRET_NAME =
  /authorization|cookie|api[-_]?key$|secret|password|passphrase|credential|private[-_]?key|signature|(?:^|[-_])token$|^(?:access|refresh|id)token$/i;
const SECRET_TEXT = /(\brap_[a-z]+_)\w{8,}|(\bBearer )[^\s"\\]+|(:\/\/[^\s"/:@]*:)[^\s"/@]+(?=@)/gi;
/** One of these stands in every secret text; looking for them is far cheaper than the pattern. */
const signs = ['rap_', 'earer ', 'EARER ', '://'];
const HIDDEN = '[hidden]';
const DEEPEST = 8;
const REMEMBERED_NAMES = 2_000;

const verdicts = new Map<string, boolean>();

/** A copy of `fields` without what stands under a name that speaks of a secret, eight levels deep. */
export function withoutSecrets(fields: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    copy[name] = isSecretName(name) ? HIDDEN : cleaned(value, depth + 1);
  return copy;
}

/** The same text without API keys, bearer tokens and the passwords of addresses, wherever they stand in it. */
export function withoutSecretTexts(text: string): string {
  return signs.some(sign => text.includes(sign)) ? text.replace(SECRET_TEXT, `$1$2$3${HIDDEN}`) : text;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || isScalar(value)) return value;
  if (depth === DEEPEST) return '[deeper]';
  if (Array.isArray(value)) return value.map(item => cleaned(item, depth + 1));
  return withoutSecrets(value instanceof Error ? plainError(value) : value, depth);
}

/** Names come from a small vocabulary, so each is judged once. */
function isSecretName(name: string): boolean {
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    verdict = SECRET_NAME.test(name);
    if (verdicts.size < REMEMBERED_NAMES) verdicts.set(name, verdict);
  }
  return verdict;
}

function isScalar(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value);
}

function plainError(error: Error): object {
  const { name, message, stack, cause } = error;
  return { ...error, type: name, message, stack, ...(cause !== undefined && { cause }) };
}
