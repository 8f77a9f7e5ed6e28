import { redactDeep, type Redactor } from './redactor.js';

const MAX_DEPTH = 5;

/**
 * Removes secrets from a thrown value. Returns the same value if it contains none; otherwise a copy of the same class
 * with the same symbols, whose message, stack, fields and causes are redacted.
 */
export function redactError(redact: Redactor, thrown: unknown): unknown {
  let found = false;
  const trackingRedactor: Redactor = text => {
    const clean = redact(text);
    found ||= clean !== text;
    return clean;
  };
  const clean = copyRedacted(trackingRedactor, thrown, 0);
  return found ? clean : thrown;
}

function copyRedacted(redact: Redactor, value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map(item => copyRedacted(redact, item, depth + 1));
  if (!(value instanceof Error)) return redactDeep(redact, value);
  if (depth > MAX_DEPTH) return '[deeper]';
  const copy = Object.create(Object.getPrototypeOf(value) as object) as object;
  for (const key of Reflect.ownKeys(value)) {
    const held: unknown = Reflect.get(value, key);
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    const own = typeof key === 'symbol' ? held : copyRedacted(redact, held, depth + 1);
    Object.defineProperty(copy, key, { value: own, enumerable, writable: true, configurable: true });
  }
  return copy;
}
