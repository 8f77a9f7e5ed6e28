import { isPlainObject } from '../observation/value-issue.js';
import type { JsonValue } from '../observation/observation.js';

const TYPE_FIELDS = ['bounce_type', 'bounceType', 'type'];
const CODE_FIELDS = ['code', 'status', 'status_code', 'smtp_code', 'enhanced_code', 'bounce_code'];
const TEXT_FIELDS = ['reason', 'message', 'description', 'diagnostic', 'diagnostic_code', 'detail', 'error', 'text'];
const SOFT_TYPE = /^\s*(soft|transient|temporary)/i;
const HARD_TYPE = /^\s*(hard|permanent)/i;

/** An enhanced status code of RFC 3463: class, subject and detail. */
const ENHANCED_CODE = /(?<![\d.])([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;
/** A reply code of RFC 5321, section 4.2. */
const REPLY_CODE = /^\s*([45]\d\d)(?!\d)/;

/**
 * The enhanced codes of an address that does not exist or takes no mail: 5.1.0 to 5.1.3 and 5.1.6 (bad or moved
 * address), 5.1.10 (the domain takes no mail), 5.2.1 (mailbox disabled), 5.4.1 (no answer, which Exchange Online sends
 * for an unknown recipient) and 5.4.4 (the domain cannot be routed). Others speak of the message, of a full mailbox
 * (5.2.2), of the sender (5.1.7, 5.1.8) or of a policy (5.7.x).
 */
const DEAD_ADDRESS = new Set(['1.0', '1.1', '1.2', '1.3', '1.6', '1.10', '2.1', '4.1', '4.4']);
/** Reply codes that speak of something else when no enhanced code stands beside them: 552 is a full mailbox. */
const OTHER_REPLIES = new Set(['552', '554']);
/** What a server says when a mailbox is full or a policy refuses the message. */
const OTHER_REASON =
  /\b(?:mailbox (?:is )?full|over ?quota|quota exceeded|exceeded (?:\w+ )?quota|insufficient storage|policy|policies|spam|blocked|blocklist(?:ed)?|blacklist(?:ed)?|block list|reputation|dmarc|dkim|spf|rate limit(?:ed)?|too large|size limit|content rejected|greylist(?:ed)?)\b/i;

/**
 * Returns whether a bounce says that the address is dead. A temporary failure, a full mailbox and a message refused by a
 * policy say nothing about the address. The enhanced status code decides; without one the named type, then the reply
 * code and the server's text. A bounce that names none of them counts as dead.
 */
export function isDeadAddress(value: JsonValue): boolean {
  if (typeof value === 'string') return isDeadByText(value);
  if (!isPlainObject(value)) return true;
  const read = (fields: readonly string[]) => fields.map(field => String(value[field] ?? '')).filter(Boolean);
  const types = read(TYPE_FIELDS);
  if (types.some(type => SOFT_TYPE.test(type))) return false;
  const isHard = types.some(type => HARD_TYPE.test(type));
  const texts = [...read(CODE_FIELDS), ...read(TEXT_FIELDS)];
  return isDeadByCode(texts, isHard) ?? (isHard || texts.every(isDeadByText));
}

/** Decides by the first enhanced code, if there is one. The word "hard" of a provider outweighs a temporary code. */
function isDeadByCode(texts: readonly string[], isHard: boolean): boolean | undefined {
  for (const text of texts) {
    const code = ENHANCED_CODE.exec(text);
    if (code) return code[1] === '4' ? isHard : DEAD_ADDRESS.has(`${Number(code[2])}.${Number(code[3])}`);
  }
  return undefined;
}

function isDeadByText(text: string): boolean {
  const code = ENHANCED_CODE.exec(text);
  if (code) return code[1] === '5' && DEAD_ADDRESS.has(`${Number(code[2])}.${Number(code[3])}`);
  const reply = REPLY_CODE.exec(text)?.[1];
  if (reply && (reply.startsWith('4') || OTHER_REPLIES.has(reply))) return false;
  return !OTHER_REASON.test(text);
}
