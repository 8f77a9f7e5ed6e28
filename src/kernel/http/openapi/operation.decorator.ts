import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
  ApiParam,
} from '@nestjs/swagger';

/** What the document says of an operation. Examples may be left out where the properties of the class have theirs. */
export interface OperationOptions {
  /** Unique, and the name of the call in generated clients: `recordObservations`. */
  readonly id: string;
  /** A few words, as a heading. */
  readonly summary: string;
  /** What it does, when to use it, what to mind. Markdown. */
  readonly description: string;
  /** The class that describes the body. Needed where `@Body()` is typed by an interface. */
  readonly body?: { readonly type: Type; readonly example?: unknown };
  /** The class that describes the answer. */
  readonly response: {
    readonly type: Type;
    /** Further classes that the response may have instead, such as the candidates of an ambiguous name. */
    readonly alternatives?: readonly Type[];
    readonly description: string;
    readonly example?: unknown;
    /** Media type of a file that is returned instead; the class then describes what is in it. Default: JSON. */
    readonly fileType?: string;
  };
  /** Status of success. Default 200. */
  readonly status?: number;
  /** When the same answer comes with 200, because there was nothing to make. */
  readonly existingDescription?: string;
  /** Whether it takes an Idempotency-Key. */
  readonly isIdempotent?: boolean;
  /** `nobody` has to authenticate, or only a `session` does. Default: an API key or a session. */
  readonly authenticates?: 'nobody' | 'session';
}

/** Describes a handler for the OpenAPI document and sets its status, in one decorator. */
export function Operation({
  id,
  summary,
  description,
  body,
  response,
  status = 200,
  existingDescription,
  isIdempotent,
  authenticates,
}: OperationOptions): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ operationId: id, summary, description, ...toSecurity(authenticates) }),
    ApiExtraModels(response.type, ...(response.alternatives ?? [])),
    ApiResponse({ status, ...toSchema(response), description: response.description, ...toExample(response) }),
    ...(existingDescription === undefined
      ? []
      : [ApiResponse({ status: 200, ...toSchema(response), description: existingDescription })]),
    ...(body ? [ApiBody({ type: body.type, required: true, ...toExamples(body) })] : []),
    ...(isIdempotent ? [ApiHeader({ name: 'Idempotency-Key', required: false })] : []),
  );
}

function toSecurity(authenticates: OperationOptions['authenticates']): { security?: Record<string, string[]>[] } {
  if (authenticates === undefined) return {};
  // An empty requirement holds for everybody; the operation still answers 401 and 403, for a wrong password for example.
  return { security: authenticates === 'nobody' ? [{}] : [{ session: [] }] };
}

/** Returns the class of a response, the union of its classes, or a file. */
function toSchema({ type, alternatives = [], fileType }: OperationOptions['response']): object {
  if (fileType !== undefined) return { content: { [fileType]: { schema: { type: 'string', format: 'binary' } } } };
  if (alternatives.length === 0) return { type };
  return { schema: { oneOf: [type, ...alternatives].map(each => ({ $ref: getSchemaPath(each) })) } };
}

function toExample({ example }: { example?: unknown }): object {
  return example === undefined ? {} : { example };
}

function toExamples({ example }: { example?: unknown }): object {
  return example === undefined ? {} : { examples: { example: { value: example } } };
}

/**
 * Describes `:id` as an entity identifier.
 * @param forms the accepted forms, such as `Entity UUID or e-mail address.`
 */
export function EntityIdParam(forms: string, example = 'ada@acme.com'): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: forms,
    // Beside the schema, an example of a parameter gets lost on its way into the document.
    schema: { type: 'string', maxLength: 320, example },
  });
}

/** Describes `:id` as a UUID. @param resource what it identifies, such as `lead`. */
export function UuidParam(resource: string): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: `Unique identifier of the ${resource}.`,
    schema: { type: 'string', format: 'uuid' },
  });
}
