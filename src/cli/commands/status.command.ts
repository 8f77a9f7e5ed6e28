import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatFieldLines, toPrintable } from '../base/format.js';
import type { ApiWorkspaceStatus } from '../api/identity.js';
import { describeSetupPart } from './status.format.js';

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
