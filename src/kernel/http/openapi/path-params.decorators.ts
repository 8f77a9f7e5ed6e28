import { ApiParam } from '@nestjs/swagger';

/** Describes `:id` as a text that names an entity. @param forms which ones are taken: `Entity UUID, e-mail address …`. */
export function EntityIdParam(forms: string): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: forms,
    example: 'ada@acme.com',
    schema: { type: 'string', maxLength: 320 },
  });
}

/** Describes `:id` as the UUID of something: `lead`. */
export function UuidParam(resource: string): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: `Id of the ${resource}.`,
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
  });
}
