import { type AddCommands, at, declare } from '../base/desk.js';
import { EXIT } from '../base/exit.js';
import { printable } from '../base/lines.js';
import type { Check } from '../doctor/check.js';
import { examine } from '../doctor/examine.js';

/** `doctor` */
export const addDoctorCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'doctor',
    summary: 'check the way to the hub, and say what mends it',
    description: 'Check settings, hub, version, key, plan, clock and MCP endpoint. What is wrong comes with its mend.',
    examples: ['rapport doctor', 'rapport doctor --json'],
  }).action(
    at(terminal, seat, async desk => {
      const checks = await examine(desk);
      const { green, yellow, red, dim } = desk.paint;
      const marks = { ok: green('ok  '), warning: yellow('mind'), failed: red('FAIL'), skipped: dim('skip') };
      const lines = checks.flatMap(({ name, state, detail, mend }) => [
        `${marks[state]}  ${name.padEnd(10)}  ${printable(detail)}`,
        ...(mend === undefined ? [] : [`      ${''.padEnd(10)}  ${dim(`-> ${mend}`)}`]),
      ]);
      const healthy = checks.every(isWell);
      const snippets = 'To connect an agent: rapport mcp config <client>.';
      desk.answer({ healthy, checks }, healthy ? [...lines, '', snippets] : lines, healthy ? EXIT.ok : EXIT.partly);
    }),
  );
};

function isWell({ state }: Check): boolean {
  return state !== 'failed';
}
