import type { CommandContext } from '../base/command-context.js';
import { isInteractive, printNotice } from '../base/terminal.js';

const WIDTH = 40;

/** Reports the progress of long work. */
export interface ProgressReporter {
  /** @param share from 0 to 1; null if the total is unknown @param message what is shown beside it */
  update(share: number | null, message?: string): void;
  /** Ends the report. */
  end(): void;
}

const SILENT: ProgressReporter = { update: () => undefined, end: () => undefined };

/** Creates a progress bar on a terminal, a line for every 10 % in a log, and nothing with --json. @param verb such as `uploaded` */
export function createProgressReporter({ terminal, json }: CommandContext, verb: string): ProgressReporter {
  if (json) return SILENT;
  return isInteractive(terminal) ? createBarReporter(terminal, verb) : createLogReporter(terminal, verb);
}

/** Redraws one line. Libraries for progress bars intercept Ctrl-C and end the process with a success code. */
function createBarReporter({ stderr, env }: CommandContext['terminal'], verb: string): ProgressReporter {
  const [full, empty] = env['LANG']?.includes('UTF-8') ? ['━', '─'] : ['#', '.'];
  const clear = () => stderr.write('\r\x1b[2K');
  return {
    update: (share, message = '') => {
      clear();
      if (share === null) return void stderr.write(message);
      const done = Math.floor(share * WIDTH);
      stderr.write(
        `${full.repeat(done)}${empty.repeat(WIDTH - done)} ${Math.floor(share * 100)} % ${verb}  ${message}`,
      );
    },
    end: clear,
  };
}

function createLogReporter(terminal: CommandContext['terminal'], verb: string): ProgressReporter {
  let tenths = 0;
  return {
    update: (share, message = '') => {
      const now = Math.floor((share ?? 0) * 10);
      if (now > tenths) printNotice(terminal, `${now * 10} % ${verb}${message === '' ? '' : `: ${message}`}`);
      tenths = now;
    },
    end: () => undefined,
  };
}
