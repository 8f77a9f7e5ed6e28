import type { CommandContext } from '../base/command-context.js';
import { pluralize, isInteractive, printNotice } from '../base/terminal.js';

const WIDTH = 40;

/** Reports the progress of an import. */
export interface ProgressReporter {
  /** @param share from 0 to 1 @param rows so far */
  update(share: number, rows: number): void;
  end(message: string): void;
  fail(message: string): void;
}

/** Creates a progress bar on a terminal, a line for every 10 % in a log, and nothing with --json. */
export function createProgressReporter({ terminal, json }: CommandContext): ProgressReporter {
  if (json) return { update: () => undefined, end: () => undefined, fail: () => undefined };
  return isInteractive(terminal) ? createBarReporter(terminal) : createLogReporter(terminal);
}

/** Redraws one line. Libraries for progress bars intercept Ctrl-C and end the process with a success code. */
function createBarReporter({ stderr, env }: CommandContext['terminal']): ProgressReporter {
  const [full, empty] = env['LANG']?.includes('UTF-8') ? ['━', '─'] : ['#', '.'];
  const draw = (text: string) => stderr.write(`\r\x1b[2K${text}`);
  return {
    update: (share, rows) => {
      const done = Math.floor(share * WIDTH);
      const line = full.repeat(done) + empty.repeat(WIDTH - done);
      draw(`${line} ${Math.floor(share * 100)} %  ${pluralize(rows, 'row')}`);
    },
    end: message => draw(`${message}\n`),
    fail: message => draw(`${message}\n`),
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
