import {
  type Document,
  jsonOf,
  type Operation,
  operationsIn,
  type Parameter,
  type Schema,
} from '../support/open-api.js';
import { type Change, narrowed, withdrawn } from './schema.promises.js';

/** A tool as it is listed. */
export interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

/** What clients written for the document `before` cannot rely on in `after`, in words. Additions break nothing. */
export function brokenInDocument(before: Document, after: Document): string[] {
  const now = new Map(operationsIn(after).map(operation => [nameOf(operation), operation]));
  const names = { oldNames: before.components.schemas, newNames: after.components.schemas };
  return operationsIn(before).flatMap(operation => {
    const same = now.get(nameOf(operation));
    return same ? [...broken(operation, same, names)] : [`${nameOf(operation)}: is gone`];
  });
}

/** The same of tools. */
export function brokenInTools(before: readonly Tool[], after: readonly Tool[]): string[] {
  return before.flatMap(tool => {
    const same = after.find(({ name }) => name === tool.name);
    if (!same) return [`${tool.name}: is gone`];
    const change = { where: tool.name, oldNames: {}, newNames: {} };
    return [
      ...narrowed({ ...change, before: tool.inputSchema, after: same.inputSchema }),
      ...withdrawn({ ...change, before: tool.outputSchema, after: same.outputSchema }),
    ];
  });
}

/** The same of the table of errors: codes and their status. */
export function brokenInErrors(before: Record<string, number>, after: Record<string, number>): string[] {
  return Object.entries(before).flatMap(([code, status]) => {
    if (after[code] === undefined) return [`${code}: is gone`];
    return after[code] === status ? [] : [`${code}: is ${after[code]} now, was ${status}`];
  });
}

type Names = Pick<Change, 'oldNames' | 'newNames'>;

function* broken(before: Operation, after: Operation, names: Names): Generator<string> {
  const where = nameOf(before);
  if (before.operationId !== after.operationId) yield `${where}: is called ${after.operationId} now`;
  yield* parameters(before.parameters ?? [], after.parameters ?? [], where);
  const sent = { ...names, where: `${where} body`, before: schemaOf(before), after: schemaOf(after) };
  if (!sent.before && sent.after) yield `${where}: needs a body now`;
  yield* narrowed(sent);
  for (const [status, place] of Object.entries(before.responses).filter(([code]) => code.startsWith('2'))) {
    const same = after.responses[status];
    if (!same) yield `${where}: no longer answers ${status}`;
    const [old, now] = [jsonOf(place)?.schema, jsonOf(same)?.schema];
    yield* withdrawn({ ...names, where: `${where} ${status}`, before: old, after: now });
  }
}

function* parameters(before: readonly Parameter[], after: readonly Parameter[], where: string): Generator<string> {
  const find = (list: readonly Parameter[], { name, in: place }: Parameter) =>
    list.find(each => each.name === name && each.in === place);
  for (const old of before) {
    const same = find(after, old);
    if (!same) yield `${where} ?${old.name}: is gone`;
    yield* narrowed({
      where: `${where} ?${old.name}`,
      before: old.schema,
      after: same?.schema,
      oldNames: {},
      newNames: {},
    });
  }
  for (const now of after) {
    if (now.required && !find(before, now)?.required) yield `${where} ?${now.name}: is required now`;
  }
}

function schemaOf({ requestBody }: Operation): Schema | undefined {
  return jsonOf(requestBody)?.schema;
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
