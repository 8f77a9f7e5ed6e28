import { InvalidArgumentError } from 'commander';
import { validate } from 'uuid';
import { isPlan, type Plan, PLANS } from '#domain/plans/tiers.js';
import { type Scope, API_KEY_SCOPES } from '#kernel/auth/caller.js';

const MAX_EXPIRY_DAYS = 3650;
const MAX_NAME_LENGTH = 200;

/** Parses a plan. @throws InvalidArgumentError that lists the plans */
export function parsePlanArgument(text: string): Plan {
  if (!isPlan(text)) throw new InvalidArgumentError(`It must be one of ${PLANS.join(', ')}.`);
  return text;
}

/** Parses a UUID, in any case. @throws InvalidArgumentError */
export function parseUuidArgument(text: string): string {
  if (!validate(text)) throw new InvalidArgumentError('It must be a UUID, as the list commands print it.');
  return text.toLowerCase();
}

/** Parses a name. @throws InvalidArgumentError if it is blank, too long or contains control characters */
export function parseNameArgument(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(trimmed)) {
    throw new InvalidArgumentError(`It must be 1 to ${MAX_NAME_LENGTH} characters, without control characters.`);
  }
  return trimmed;
}

/** Parses comma-separated scopes. @throws InvalidArgumentError that lists the scopes */
export function parseScopesArgument(text: string): Scope[] {
  const words = text.split(',').map(word => word.trim());
  const scopes = API_KEY_SCOPES.filter(scope => words.includes(scope));
  if (!words.every(word => scopes.some(scope => scope === word))) {
    throw new InvalidArgumentError(`It must be a comma-separated list of ${API_KEY_SCOPES.join(', ')}.`);
  }
  return scopes;
}

/** Parses a number of days. @throws InvalidArgumentError */
export function parseDaysArgument(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > MAX_EXPIRY_DAYS) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_EXPIRY_DAYS}.`);
  }
  return number;
}
