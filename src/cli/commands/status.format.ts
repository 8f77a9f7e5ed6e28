import { toPrintable } from '../base/format.js';

/** Possible fields of a part of the setup. A hub of another version may have other fields. */
interface SetupPart {
  readonly done?: boolean;
  readonly missing?: readonly string[];
  readonly version?: number | null;
  readonly available?: boolean;
  readonly configured?: boolean;
  readonly providers?: readonly string[];
  readonly count?: number;
  readonly connected?: readonly { readonly name?: string; readonly state?: string }[];
}

/** Describes a part of the setup, such as `done, version 2` or `to do: market, pricing`. */
export function describeSetupPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return toPrintable(part);
  const words = [...describeProgress(part), ...describePresence(part), ...describeConnections(part)];
  return words.length > 0 ? toPrintable(words.join(', ')) : toPrintable(part);
}

function describeProgress({ done, missing = [], version }: SetupPart): string[] {
  if (done === undefined) return [];
  if (!done) return [missing.length > 0 ? `to do: ${missing.join(', ')}` : 'to do'];
  return typeof version === 'number' ? ['done', `version ${version}`] : ['done'];
}

function describePresence({ available, configured, providers = [] }: SetupPart): string[] {
  if (configured === true) return [['configured', ...providers].join(' ')];
  if (available === undefined) return [];
  if (!available) return ['not available'];
  return [configured === false ? 'not configured' : 'available'];
}

function describeConnections({ count, connected = [] }: SetupPart): string[] {
  if (connected.length > 0) return connected.map(({ name = '', state = '' }) => `${name} ${state}`.trim());
  return count === undefined ? [] : [count === 0 ? 'none' : count.toLocaleString('en-US')];
}
