import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { EXIT } from '../base/errors.js';
import { toPrintable } from '../base/terminal.js';
import { type DoctorCheck, runChecks } from '../doctor/run-checks.js';

/** `doctor` */
export const addDoctorCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'doctor',
    summary: 'check the connection to the hub and suggest fixes',
    description: 'Check settings, hub, version, key, plan, clock and MCP endpoint. Each problem comes with a fix.',
    examples: ['rapport doctor', 'rapport doctor --json'],
  }).action(
    action(terminal, holder, async context => {
      const checks = await runChecks(context);
      const { green, yellow, red, dim } = context.colors;
      const marks = { ok: green('ok  '), warning: yellow('warn'), failed: red('FAIL'), skipped: dim('skip') };
      const lines = checks.flatMap(({ name, state, detail, fix }) => [
        `${marks[state]}  ${name.padEnd(10)}  ${toPrintable(detail)}`,
        ...(fix === undefined ? [] : [`      ${''.padEnd(10)}  ${dim(`-> ${fix}`)}`]),
      ]);
      const healthy = checks.every(isHealthy);
      const snippets = 'To connect an agent: rapport mcp config <client>.';
      context.print({ healthy, checks }, healthy ? [...lines, '', snippets] : lines, healthy ? EXIT.ok : EXIT.partly);
    }),
  );
};

function isHealthy({ state }: DoctorCheck): boolean {
  return state !== 'failed';
}
