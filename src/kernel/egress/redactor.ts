/** Replaces known secrets in a text. */
export type Redactor = (text: string) => string;

const REDACTED_TEXT = '[hidden]';
/** Shorter secrets are ignored, because they would match parts of unrelated words. */
const MIN_SECRET_LENGTH = 4;

/**
 * Creates a redactor of secrets. It finds them as plain text and encoded: in JSON, in a URL, in base64 (alone or
 * after a name, as in Basic credentials). Longer ones match first, so that no part of one remains.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = new Set([...secrets].filter(secret => secret.length >= MIN_SECRET_LENGTH).flatMap(listEncodings));
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text => text;
  const pattern = new RegExp(longestFirst.map(form => RegExp.escape(form)).join('|'), 'g');
  return text => text.replace(pattern, REDACTED_TEXT);
}

/**
 * Creates a redactor of secrets to which others are added later, such as tokens that are refreshed.
 * @param listLater returns all later ones so far; they only become more
 */
export function createGrowingRedactor(secrets: readonly string[], listLater: () => readonly string[]): Redactor {
  let count = -1;
  let redact: Redactor;
  return text => {
    const later = listLater();
    if (later.length !== count) redact = createRedactor([...secrets, ...later]);
    count = later.length;
    return redact(text);
  };
}

/** Maximum number of values in a copy: plugins may log graphs of thousands of objects that refer to each other. */
const MAX_VALUES = 2_000;

/**
 * Copies a value with every text redacted, including field names. At most ten levels deep and at most 2000 values;
 * the rest is omitted.
 */
export function redactDeep(redact: Redactor, value: unknown): unknown {
  return redactValue(redact, value, 0, { left: MAX_VALUES });
}

function redactValue(redact: Redactor, value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > 10 || budget.left-- <= 0) return '[deeper]';
  if (Array.isArray(value)) return value.map(item => redactValue(redact, item, depth + 1, budget));
  const fields = value instanceof Error ? listErrorFields(value) : Object.entries(value);
  return Object.fromEntries(fields.map(([name, held]) => [redact(name), redactValue(redact, held, depth + 1, budget)]));
}

/** Includes the properties of an error that are not enumerable. */
function listErrorFields(error: Error): [string, unknown][] {
  const { name, message, stack, cause } = error;
  return Object.entries({ ...error, type: name, message, stack, ...(cause !== undefined && { cause }) });
}

/**
 * In base64 a text looks different at each of three offsets; characters that also encode a neighbouring byte are left
 * out.
 */
function listEncodings(secret: string): string[] {
  const uri = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const inBase64 = [0, 1, 2].flatMap(offset => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const text = bytes.toString('base64').replace(/(?<!=)=+$/, '');
    const whole = bytes.length % 3 === 0 ? text : text.slice(0, -1);
    const own = whole.slice(offset === 0 ? 0 : offset + 1);
    return own.length < 6 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, JSON.stringify(secret).slice(1, -1), uri, form, ...inBase64];
}
