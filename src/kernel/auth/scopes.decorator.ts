import { SetMetadata } from '@nestjs/common';
import type { Scope } from './caller.js';

/** Metadata key of {@link Scopes}. */
export const SCOPES = 'rapport:scopes';

/**
 * Sets the scopes that a handler, or every handler of a class, requires; a key must have all of them. Without this
 * decorator GET and HEAD require `read`, all other methods `write`. `@Scopes()` accepts any valid key.
 */
export function Scopes(...needed: Scope[]): MethodDecorator & ClassDecorator {
  return SetMetadata(SCOPES, needed);
}
