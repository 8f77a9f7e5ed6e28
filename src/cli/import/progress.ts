import type { CommandContext } from '../base/command-context.js';
import { pluralize } from '../base/format.js';
import { isInteractive, printNotice } from '../base/terminal.js';

const WIDTH = 40;

/** Shows how far something has come. */
export interface ProgressReporter {
  /** @param share from 0 to 1 @param rows so far */
  update(share: number, rows: number): void;
  end(said: string): void;
  fail(said: string): void;
}

/** A bar where a person sees it, a line for every tenth where a log does, nothing beside JSON. */
export function createProgressReporter({ terminal, json }: CommandContext): ProgressReporter {
  if (json) return { update: () => undefined, end: () => undefined, fail: () => undefined };
  return isInteractive(terminal) ? createBarReporter(terminal) : createLogReporter(terminal);
}

/** One line that is drawn over and over. No library's: theirs take Ctrl-C away and end the process as if all were well. */
function createBarReporter({ stderr, env }: CommandContext['terminal']): ProgressReporter {
  const [full, empty] = env['LANG']?.includes('UTF-8') ? ['━', '─'] : ['#', '.'];
  const draw = (text: string) => stderr.write(`\r\x1b[2K${text}`);
  return {
    update: (share, rows) => {
      const done = Math.floor(share * WIDTH);
      const line = full.repeat(done) + empty.repeat(WIDTH - done);
      draw(`${line} ${Math.floor(share * 100)} %  ${pluralize(rows, 'row')}`);
    },
    end: said => draw(`${said}\n`),
    fail: said => draw(`${said}\n`),
  };
}

function createLogReporter(terminal: CommandContext['terminal']): ProgressReporter {
  let tenths = 0;
  return {
    update: (share, rows) => {
      const now = Math.floor(share * 10);
      if (now > tenths) printNotice(terminal, `${now * 10} %: ${pluralize(rows, 'row')}`);
      tenths = now;
    },
    end: () => undefined,
    fail: () => undefined,
  };
}
