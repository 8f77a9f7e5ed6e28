import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';

const TYPE_FIELDS = ['bounce_type', 'bounceType', 'type'];
const CODE_FIELDS = ['code', 'status', 'status_code', 'smtp_code', 'enhanced_code', 'bounce_code'];
const SOFT = /^\s*(soft|transient|temporary)/i;
const HARD = /^\s*(hard|permanent)/i;

/** An SMTP reply or enhanced status code of the class "try again later": 450, 4.2.2, "451 4.7.1 greylisted". */
const TRY_AGAIN = /^\s*4(\d\d|\.\d{1,3}\.\d{1,3})(?!\d)/;

/**
 * Whether a bounce says that the mailbox exists and only could not take the message now; it states nothing then. Its
 * named type decides, else its code; a bounce with neither is hard.
 */
export function isSoftBounce(value: Json): boolean {
  if (!isPlainObject(value)) return false;
  const types = TYPE_FIELDS.map(field => String(value[field] ?? ''));
  if (types.some(type => SOFT.test(type))) return true;
  if (types.some(type => HARD.test(type))) return false;
  return CODE_FIELDS.some(field => TRY_AGAIN.test(String(value[field] ?? '')));
}
