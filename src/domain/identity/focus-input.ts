import { isPlainObject } from '#domain/observation/value-issue.js';
import { formatExternal, toExternalFocus } from './external.js';
import { parsePhone, type PhoneCountry } from './phone.js';

/** The text of a focus, or the reason why there is none. */
export type FocusTextResult = { readonly text: string } | { readonly reason: string };

const NATIONAL_LINK = /^\s*tel:\s*[^+\s]/i;

/**
 * Returns the text of a focus that is given as an object, `{external: {system, id, type?}}` or `{phone}`, or as a `tel:`
 * link without a country code. Undefined for anything else, which is left as it is.
 * @param country country of phone numbers without a country code.
 */
export function toFocusText(given: unknown, country: PhoneCountry | undefined): FocusTextResult | undefined {
  if (typeof given === 'string') return NATIONAL_LINK.test(given) ? phoneText(given, country) : undefined;
  if (!isPlainObject(given)) return undefined;
  const [field, ...others] = Object.keys(given);
  if (others.length === 0 && field === 'phone' && typeof given['phone'] === 'string')
    return phoneText(given['phone'], country);
  if (others.length === 0 && field === 'external' && isPlainObject(given['external']))
    return externalText(given['external']);
  return {
    reason:
      'An object names an entity as {"external": {"system": "hubspot", "id": "501"}} or {"phone": "+4930123456"}; send one of them, or a text.',
  };
}

function phoneText(given: string, country: PhoneCountry | undefined): FocusTextResult {
  const phone = parsePhone(given, country);
  return phone.form === 'phone' ? { text: `tel:${phone.value}` } : { reason: phone.reason };
}

function externalText({ system, id, type = 'person', ...others }: Record<string, unknown>): FocusTextResult {
  const isKnown = Object.keys(others).length === 0 && (type === 'person' || type === 'company');
  const text = typeof id === 'number' ? String(id) : id;
  const focus =
    isKnown && typeof system === 'string' && typeof text === 'string' ? toExternalFocus(system, text, type) : undefined;
  return focus
    ? { text: formatExternal(focus) }
    : {
        reason:
          '`external` needs `system`, such as "hubspot" in lower case, and `id`, at most 320 characters; `type` is ' +
          '"person" (the default) or "company".',
      };
}
