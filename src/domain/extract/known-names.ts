import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';

const MAX_NAMES = 500;
const LONGEST_NAME = 60;
const LIST_ITEM = /^[^\S\n\r\u2028\u2029]*(?:[-*•]|\d+[.)])\s+(.+)$/gm;

/**
 * The names that a section of the workspace's facts lists: texts of an array, the `name` of objects in one, the items
 * of a list in Markdown (what stands before the first `:`, `(` or dash), or texts parted by commas. Each once.
 */
export function namesIn(content: Json | undefined): string[] {
  const found = rawNames(content).map(name => name.replaceAll(/[*_`#]/g, '').trim());
  return [...new Set(found.filter(name => name.length > 1 && name.length <= LONGEST_NAME))].slice(0, MAX_NAMES);
}

/** The values that rules of a model about `technologies` compare with. */
export function technologiesIn(model: Json | undefined): string[] {
  if (Array.isArray(model)) return [...new Set(model.flatMap(technologiesIn))].slice(0, MAX_NAMES);
  if (!isPlainObject(model)) return [];
  const own = /^(?:technologies|tech_stack)$/.test(String(model['property'])) ? texts(model['value']) : [];
  const inside = [...Object.values(model).flatMap(technologiesIn), ...texts(model['technology'])];
  return [...new Set([...own, ...inside])].slice(0, MAX_NAMES);
}

function rawNames(content: Json | undefined): string[] {
  if (typeof content === 'string') return namesInText(content);
  if (Array.isArray(content)) return content.flatMap(item => (typeof item === 'string' ? [item] : rawNames(item)));
  if (!isPlainObject(content)) return [];
  if (typeof content['name'] === 'string') return [content['name']];
  return Object.values(content).flatMap(value => (typeof value === 'string' ? namesInText(value) : rawNames(value)));
}

function namesInText(text: string): string[] {
  const items = [...text.matchAll(LIST_ITEM)].map(([, item]) => item!.split(/[:(]| [-–—] /)[0]!);
  return items.length > 0 || text.includes('\n') ? items : text.split(/[,;]/);
}

function texts(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string');
}
