import type { Redactor } from '#kernel/egress/redactor.js';

const redactors = new WeakMap<object, Redactor>();

/** Remembers what takes the secrets out that a plugin is given with this hub. */
export function registerSecrets(hub: object, redact: Redactor): void {
  redactors.set(hub, redact);
}

/** The redactor of the hub among the arguments of a handler; without one texts stay as they are. */
export function findRedactor(args: readonly unknown[]): Redactor {
  for (const each of args) {
    const known = typeof each === 'object' && each !== null ? redactors.get(each) : undefined;
    if (known) return known;
  }
  return text => text;
}
