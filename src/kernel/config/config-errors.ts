/** Names every invalid setting, one per line. */
export class InvalidConfigError extends Error {}
