import { type AddCommands, at, declare } from '../base/desk.js';
import { pairs, printable } from '../base/lines.js';
import type { WorkspaceStatus } from '../hub/identity.js';
import { setupWords } from './status.lines.js';

/** `status` */
export const addStatusCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'status',
    summary: 'how far the workspace is set up, and what to do next',
    examples: ['rapport status', 'rapport status --json'],
  }).action(
    at(terminal, seat, async desk => {
      const hub = await desk.hub();
      const status = await hub.call<WorkspaceStatus>('GET', '/v2/workspace/status');
      const { workspace, plan, completeness, counts = {}, setup = {}, next_steps: steps = [] } = status;
      desk.answer(status, [
        ...pairs({
          workspace: printable(workspace?.name ?? ''),
          plan: plan?.name,
          hub: hub.settings.baseUrl,
          'set up': completeness === undefined ? undefined : `${completeness} %`,
        }),
        '',
        ...pairs(mapped(counts, count => count.toLocaleString('en-US'))),
        '',
        ...pairs(mapped(setup, setupWords)),
        ...(steps.length > 0 ? ['', desk.paint.bold('Next')] : []),
        ...steps.map(({ title, how }) => `  ${printable(title ?? '')}${how ? `: ${printable(how)}` : ''}`),
      ]);
    }),
  );
};

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  word: (value: Value) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll('_', ' '), word(value)]));
}
