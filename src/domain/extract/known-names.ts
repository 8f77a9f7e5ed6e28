import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';

const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 60;
const LIST_ITEM = /^[^\S\n\r\u2028\u2029]*(?:[-*•]|\d+[.)])\s+(.+)$/gm;

/**
 * Parses the names that a section of the workspace's facts lists: texts of an array, the `name` of objects, items of a
 * Markdown list (up to the first `:`, `(` or dash), or comma-separated texts. Without duplicates.
 */
export function parseKnownNames(content: JsonValue | undefined): string[] {
  const found = collectNames(content).map(name => name.replaceAll(/[*_`#]/g, '').trim());
  return [...new Set(found.filter(name => name.length > 1 && name.length <= MAX_NAME_LENGTH))].slice(0, MAX_NAMES);
}

/** Returns the values that rules of a model about `technologies` compare with. */
export function listModelTechnologies(model: JsonValue | undefined): string[] {
  if (Array.isArray(model)) return [...new Set(model.flatMap(listModelTechnologies))].slice(0, MAX_NAMES);
  if (!isPlainObject(model)) return [];
  const own = /^(?:technologies|tech_stack)$/.test(String(model['property'])) ? filterTexts(model['value']) : [];
  const inside = [...Object.values(model).flatMap(listModelTechnologies), ...filterTexts(model['technology'])];
  return [...new Set([...own, ...inside])].slice(0, MAX_NAMES);
}

function collectNames(content: JsonValue | undefined): string[] {
  if (typeof content === 'string') return splitNames(content);
  if (Array.isArray(content)) return content.flatMap(item => (typeof item === 'string' ? [item] : collectNames(item)));
  if (!isPlainObject(content)) return [];
  if (typeof content['name'] === 'string') return [content['name']];
  return Object.values(content).flatMap(value => (typeof value === 'string' ? splitNames(value) : collectNames(value)));
}

function splitNames(text: string): string[] {
  const items = [...text.matchAll(LIST_ITEM)].map(([, item]) => item!.split(/[:(]| [-–—] /)[0]!);
  return items.length > 0 || text.includes('\n') ? items : text.split(/[,;]/);
}

function filterTexts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string');
}
