import { ApiParam } from '@nestjs/swagger';

/**
 * Describes `:id` as an entity identifier.
 * @param forms the accepted forms, such as `Entity UUID or e-mail address.`
 */
export function EntityIdParam(forms: string, example = 'ada@acme.com'): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: forms,
    example,
    schema: { type: 'string', maxLength: 320 },
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
