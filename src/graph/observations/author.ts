import { isPersonSource, toPersonSource } from '#domain/actor/actor.js';
import type { ObservationDraft } from '#domain/observation/observation.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { requestActor } from '#kernel/request-context.js';

/** Method of what a person states that the graph did not say otherwise. */
export const MANUAL = 'manual';
/** Method of what a person states where the graph says otherwise. */
export const CORRECTION = 'correction';

/** The source of a signed-in person, in whose name something is stated. */
export interface Authored {
  /** `person:<user ID>`; undefined for what programs state. */
  readonly author?: string;
}

/** Returns who the current request states something as: a signed-in person, or nobody in particular. */
export function readAuthor(): Authored {
  const author = toPersonSource(requestActor());
  return author === undefined ? {} : { author };
}

/** Returns the source of what the current request states. @throws HubError `reserved_source` for that of a person */
export function toAuthoredSource(source: string): string {
  return readAuthor().author ?? requireOwnSource(source);
}

/** Returns a source, unless it is that of a person who does not send the request. @throws HubError `reserved_source` */
export function requireOwnSource(source: string): string {
  if (isPersonSource(source) && source !== readAuthor().author) throw HubError.reservedSource('source');
  return source;
}

/** Returns what a request states in the name of the signed-in person, whatever source its observations name. */
export function attribute<Request extends { readonly observations: readonly ObservationDraft[] }>(
  request: Request,
): Request & Authored {
  const { author } = readAuthor();
  if (author === undefined) return request;
  const origin = { source: author, method: MANUAL };
  const observations = request.observations.map(each => ({ ...each, ...origin }));
  return { ...request, author, observations, ...('origin' in request && { origin }) };
}

/** Returns an error if an observation has the source of a person who did not send it. */
export function findReservedSource({
  author,
  observations,
}: Authored & { readonly observations: readonly ObservationDraft[] }): HubError | undefined {
  const index = observations.findIndex(({ source }) => isPersonSource(source) && source !== author);
  return index === -1 ? undefined : HubError.reservedSource(`observations[${index}].source`);
}
