import { SetMetadata } from '@nestjs/common';
import type { Scope } from './caller.js';

/** Metadata key of {@link Scopes}. */
export const SCOPES = 'rapport:scopes';

/**
 * Says which scopes a handler, or every handler of a class, needs; a key must have all of them. Without this
 * decorator GET and HEAD need `read`, everything else `write`. `@Scopes()` is content with any valid key.
 */
export function Scopes(...needed: Scope[]): MethodDecorator & ClassDecorator {
  return SetMetadata(SCOPES, needed);
}
