/** A JSON schema of the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** A body in the document. */
export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** What stands in the place of a body. */
export interface Place {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

/** One operation of the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Place;
  readonly responses: Readonly<Record<string, Place>>;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

/** The document as a reader gets it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Place>>;
  };
}

/** The document of a running hub. */
export async function documentAt(url: string): Promise<Document> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Document;
}

/** Its operations, `GET` and the path with them. */
export function operationsIn({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, own]) =>
    Object.entries(own).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The JSON body at a place. */
export function jsonOf(place: Place | undefined): Media | undefined {
  return place?.content?.['application/json'];
}

/** Every example that a body has. */
export function examplesOf(media: Media | undefined): unknown[] {
  if (!media) return [];
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? named : [media.example, ...named];
}

/** The status of success and what is said of it: 201 before the 200 that says that there was nothing to make. */
export function successOf({ responses }: Operation): [status: string, place: Place] {
  return Object.entries(responses).findLast(([status]) => status.startsWith('2'))!;
}
