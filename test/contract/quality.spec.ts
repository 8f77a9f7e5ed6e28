import {
  type Document,
  examplesOf,
  jsonOf,
  type Operation,
  type Place,
  type Schema,
  successOf,
} from '../support/open-api.js';
import { checkerOf } from '../support/schemas.js';
import { documentForSuite } from './document.fixture.js';

let document: Document;
let operations: Operation[];

documentForSuite(own => ({ document, operations } = own));

/** Every schema of the document with the way to it. Examples are data, and a field may bear any name. */
function* schemasIn(node: unknown, way: readonly string[] = []): Generator<[way: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  const fields = ['properties', 'schemas'].includes(way.at(-1)!) && !['properties', 'schemas'].includes(way.at(-2)!);
  if (!fields && 'type' in node && way.at(-1) !== 'security') yield [way.join('/'), node as Schema];
  for (const [key, held] of Object.entries(node)) {
    if (fields || !['example', 'examples', 'default', 'enum', 'const', 'securitySchemes'].includes(key)) {
      yield* schemasIn(held, [...way, key]);
    }
  }
}

/** The schemas that a caller fills in: bodies and parameters of operations, and the named schemas they refer to. */
function requestSchemas(): [way: string, schema: Schema][] {
  const seen = new Set<string>();
  const found: [string, Schema][] = [];
  const visit = (node: unknown, way: readonly string[]): void => {
    found.push(...schemasIn(node, way));
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (seen.has(name!)) continue;
      seen.add(name!);
      visit(document.components.schemas[name!], ['components', 'schemas', name!]);
    }
  };
  for (const { operationId, requestBody, parameters = [] } of operations) {
    visit({ requestBody, parameters }, [operationId!]);
  }
  return found;
}

/** The ways to request schemas of a type that lack what they should say. */
function lacking(type: string, complete: (schema: Schema) => boolean): string[] {
  return requestSchemas()
    .filter(([, schema]) => [schema['type']].flat().includes(type) && !complete(schema))
    .map(([way]) => way);
}

/** Every named field and parameter of the document with its description. */
function* describedFields(): Generator<[way: string, description: string]> {
  for (const [way, schema] of schemasIn(document)) {
    for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
      yield [`${way}/${name}`, String(field['description'] ?? '')];
    }
  }
  for (const { operationId, parameters = [] } of operations) {
    for (const { name, description } of parameters as unknown as { name: string; description?: string }[]) {
      yield [`${operationId} ${name}`, description ?? ''];
    }
  }
}

/** Limits of requests are what clients have to keep; those of responses would only restate what the service does. */
describe('the document bounds what a caller sends', () => {
  it('looks at every request schema', () => {
    const ways = requestSchemas().map(([way]) => way);
    expect(ways).toContain('components/schemas/RecordObservationsRequest/properties/observations');
    expect(ways.length).toBeGreaterThan(250);
  });

  it('says how many items every list may have', () => {
    expect(lacking('array', ({ maxItems, items }) => typeof maxItems === 'number' && items !== undefined)).toEqual([]);
  });

  it('says how long every text may be, or which ones there are', () => {
    const bounded = ({ maxLength, format, enum: words, const: word }: Schema) => words ?? word ?? format ?? maxLength;
    expect(lacking('string', schema => bounded(schema) !== undefined)).toEqual([]);
  });

  it('says between what every integer lies', () => {
    const has = ({ minimum, maximum }: Schema) => [minimum, maximum].every(each => each !== undefined);
    expect(lacking('integer', has)).toEqual([]);
  });
});

describe('the document describes in words', () => {
  it('every field and parameter, by a sentence of its own', () => {
    const fields = [...describedFields()];
    expect(fields.length).toBeGreaterThan(700);
    expect(fields.filter(([, text]) => text.split(' ').length < 2).map(([way]) => way)).toEqual([]);
    expect(fields.filter(([, text]) => !text.endsWith('.')).map(([way]) => way)).toEqual([]);
  });

  it('every field, parameter and operation in more than three words', () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
    const described = [
      ...describedFields(),
      ...operations.map(({ operationId, ...operation }): [string, string] => [
        operationId,
        (operation as unknown as { description: string }).description,
      ]),
    ];
    expect(described.filter(([, text]) => words(text) <= 3).map(([where]) => where)).toEqual([]);
  });

  it('schemas by the names of the things, not of classes', () => {
    expect(Object.keys(document.components.schemas).filter(name => name.endsWith('Dto'))).toEqual([]);
  });
});

/** Fields that take or hold any JSON, or names that each workspace, plugin or provider chooses. */
const OPEN_FIELDS = new Set(
  [
    'value most_recent_value content raw attributes leads credentials settings credentials_schema settings_schema',
    'features fields row properties filter filters entity observation field_map config from to rules icp_model',
    'company_size mapping key eq ne in before after result',
  ].flatMap(line => line.split(' ')),
);

/** Keywords that tell the shape of a schema. */
const SHAPES = ['type', '$ref', 'oneOf', 'anyOf', 'allOf', 'enum', 'const'];
const OBJECT_SHAPES = ['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref'];

/** Whether a schema leaves open what it describes: any JSON, or an object of any fields. */
function isBare(schema: Schema): boolean {
  if (!SHAPES.some(keyword => keyword in schema)) return true;
  if (![schema['type']].flat().includes('object')) return false;
  if (schema['additionalProperties'] === true && !schema['properties']) return true;
  return !OBJECT_SHAPES.some(keyword => keyword in schema);
}

/** The innermost name of a field on a path of a schema. */
function fieldOf(path: readonly string[]): string {
  // The field itself may be named `properties`.
  const at = path.findLastIndex((part, index) => part === 'properties' && index < path.length - 1);
  return path[at + 1] ?? '';
}

/** Every schema with its path: fields, items, and the bodies of operations. */
function* allSchemas(
  node: unknown,
  path: readonly string[] = [],
): Generator<[path: readonly string[], schema: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  const [last, before] = [path.at(-1)!, path.at(-2)!];
  const holdsNames = ['properties', 'schemas'].includes(last) && !['properties', 'schemas'].includes(before);
  const isSchema =
    ['schema', 'items'].includes(last) ||
    ['properties', 'schemas'].includes(before) ||
    ['oneOf', 'anyOf', 'allOf'].includes(before);
  if (!holdsNames && isSchema && !Array.isArray(node)) yield [path, node as Schema];
  for (const [key, held] of Object.entries(node)) {
    if (holdsNames || !['example', 'examples', 'default', 'enum', 'const', 'securitySchemes'].includes(key)) {
      yield* allSchemas(held, [...path, key]);
    }
  }
}

describe('the document tells the shape', () => {
  it('of every body, field and item whose shape is known', () => {
    const schemas = [...allSchemas(document)];
    expect(schemas.length).toBeGreaterThan(1500);
    const bare = schemas.filter(([path, schema]) => isBare(schema) && !OPEN_FIELDS.has(fieldOf(path)));
    expect(bare.map(([path]) => path.join('/'))).toEqual([]);
  });

  it('of optional parameters without made-up examples, so that a request of the docs page works as it is', () => {
    const invented = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ in: place, required, example, schema }) => {
          return place === 'query' && !required && (example !== undefined || 'example' in schema);
        })
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(invented).toEqual([]);
  });

  it('of the candidates of an ambiguous name, wherever it speaks of them', () => {
    const speaks = operations.filter(operation =>
      String((operation as { description?: unknown }).description).includes('lists `candidates`'),
    );
    expect(speaks.length).toBeGreaterThan(5);
    const silent = speaks.filter(operation => !JSON.stringify(successOf(operation)).includes('/Ambiguous'));
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });
});

/** A file has no example: nobody could read it. */
const isFile = ({ content = {} }: Place) =>
  Object.values(content).some(({ schema }) => schema?.['format'] === 'binary');

describe('the document says of every operation', () => {
  it('a name that is its own, what it is, and where it belongs', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(operations.length);
    const tags = new Set((document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name));
    for (const operation of operations) {
      expect(operation).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
      expect((operation as unknown as { tags: string[] }).tags.filter(tag => !tags.has(tag))).toEqual([]);
    }
  });

  it('an example of each entity and plugin that its path names', () => {
    const inPath = operations.flatMap(({ parameters = [] }) => parameters.filter(each => each.in === 'path'));
    const named = inPath.filter(({ name, description }) => name === 'plugin' || description?.includes('LinkedIn URL'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ schema }) => schema?.example === undefined)).toEqual([]);
  });

  it('what it takes and answers, by example', () => {
    const silent = operations.filter(operation => {
      const places = [operation.requestBody, successOf(operation)[1]].filter(
        place => place !== undefined && !isFile(place),
      );
      return !places.every(place => examplesOf(jsonOf(place)).length > 0);
    });
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('how it fails: without a key, too often, and by our fault', () => {
    for (const { operationId, responses } of operations) {
      const statuses = [operationId, ...Object.keys(responses)];
      expect(statuses).toEqual(expect.arrayContaining([operationId, '400', '401', '403', '404', '429', '500', '503']));
    }
  });

  it('examples that its own schemas accept', () => {
    const check = checkerOf(document);
    const wrong = operations.flatMap(operation =>
      [operation.requestBody, ...Object.values(operation.responses)].flatMap(place => {
        const media = jsonOf(place?.$ref ? document.components.responses[place.$ref.split('/').at(-1)!] : place);
        return examplesOf(media).flatMap(example =>
          check(media!.schema!, example).map(problem => `${operation.operationId} ${problem}`),
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('no field without a meaning where a body is sent', () => {
    const mute = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(each => !('description' in each)).map(({ name }) => `${operationId} ${name}`),
    );
    expect(mute).toEqual([]);
  });
});
