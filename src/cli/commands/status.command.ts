import { toPrintable, formatFieldLines } from '../base/terminal.js';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import type { ApiWorkspaceStatus } from '../api/identity.js';

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

/** `status` */
export const addStatusCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'status',
    summary: 'show the setup of the workspace and the next steps',
    examples: ['rapport status', 'rapport status --json'],
  }).action(
    action(terminal, holder, async context => {
      const hub = await context.client();
      const status = await hub.call<ApiWorkspaceStatus>('GET', '/v2/workspace/status');
      const { workspace, plan, completeness, counts = {}, setup = {}, next_steps: steps = [] } = status;
      context.print(status, [
        ...formatFieldLines({
          workspace: toPrintable(workspace?.name ?? ''),
          plan: plan?.name,
          hub: hub.settings.baseUrl,
          'set up': completeness === undefined ? undefined : `${completeness} %`,
        }),
        '',
        ...formatFieldLines(mapValues(counts, count => count.toLocaleString('en-US'))),
        '',
        ...formatFieldLines(mapValues(setup, describeSetupPart)),
        ...(steps.length > 0 ? ['', context.colors.bold('Next')] : []),
        ...steps.map(({ title, how }) => `  ${toPrintable(title ?? '')}${how ? `: ${toPrintable(how)}` : ''}`),
      ]);
    }),
  );
};

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  word: (value: Value) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll('_', ' '), word(value)]));
}
