import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';

const TYPE_FIELDS = ['bounce_type', 'bounceType', 'type'];
const CODE_FIELDS = ['code', 'status', 'status_code', 'smtp_code', 'enhanced_code', 'bounce_code'];
const SOFT_TYPE = /^\s*(soft|transient|temporary)/i;
const HARD_TYPE = /^\s*(hard|permanent)/i;

/** An SMTP reply or enhanced status code of class 4, "try again later": 450, 4.2.2, "451 4.7.1 greylisted". */
const TEMPORARY_CODE = /^\s*4(\d\d|\.\d{1,3}\.\d{1,3})(?!\d)/;

/**
 * Returns whether a bounce is temporary: the mailbox exists but could not accept the message now. A soft bounce states
 * nothing about the address. The named type decides, else the code; a bounce with neither is hard.
 */
export function isSoftBounce(value: JsonValue): boolean {
  if (!isPlainObject(value)) return false;
  const types = TYPE_FIELDS.map(field => String(value[field] ?? ''));
  if (types.some(type => SOFT_TYPE.test(type))) return true;
  if (types.some(type => HARD_TYPE.test(type))) return false;
  return CODE_FIELDS.some(field => TEMPORARY_CODE.test(String(value[field] ?? '')));
}
