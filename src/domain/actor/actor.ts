/** Kinds of {@link Actor}. */
export const ACTOR_KINDS = ['key', 'person', 'oauth', 'operator'] as const;

/** One of {@link ACTOR_KINDS}. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Identifies who does something: a program with an API key, a person, or the operator of the hub. */
export interface Actor {
  /**
   * `key`: an API key that was created over the REST API or by the operator. `oauth`: an API key that an OAuth client
   * or a sign-in of the CLI received. `person`: a signed-in person. `operator`: an administration command.
   */
  readonly kind: ActorKind;
  /** ID of the API key (`key` and `oauth`), ID of the person, or `admin` for the operator. */
  readonly id: string;
}

/** The operator of the hub, who works with the administration commands. */
export const OPERATOR: Actor = Object.freeze({ kind: 'operator', id: 'admin' });

/** Beginning of the sources of people who are signed in. */
export const PERSON_SOURCE = 'person:';

/** Returns the source of what a signed-in person states; undefined for other actors, who name their own. */
export function toPersonSource(actor: Actor | undefined): string | undefined {
  return actor?.kind === 'person' ? `${PERSON_SOURCE}${actor.id}` : undefined;
}

/** Returns whether a source is that of a signed-in person. */
export function isPersonSource(source: string): boolean {
  return source.toLowerCase().startsWith(PERSON_SOURCE);
}

/** Returns the ID of the API key of an actor; undefined for an actor without one. */
export function readKeyId({ kind, id }: Actor): string | undefined {
  return kind === 'key' || kind === 'oauth' ? id : undefined;
}
