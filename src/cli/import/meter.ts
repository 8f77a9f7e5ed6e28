import type { Desk } from '../base/desk.js';
import { counted } from '../base/lines.js';
import { isInteractive, say } from '../base/terminal.js';

const WIDTH = 40;

/** Shows how far something has come. */
export interface Meter {
  /** @param share from 0 to 1 @param rows so far */
  at(share: number, rows: number): void;
  end(said: string): void;
  fail(said: string): void;
}

/** A bar where a person sees it, a line for every tenth where a log does, nothing beside JSON. */
export function meterFor({ terminal, json }: Desk): Meter {
  if (json) return { at: () => undefined, end: () => undefined, fail: () => undefined };
  return isInteractive(terminal) ? bar(terminal) : log(terminal);
}

/** One line that is drawn over and over. No library's: theirs take Ctrl-C away and end the process as if all were well. */
function bar({ stderr, env }: Desk['terminal']): Meter {
  const [full, empty] = env['LANG']?.includes('UTF-8') ? ['━', '─'] : ['#', '.'];
  const draw = (text: string) => stderr.write(`\r\x1b[2K${text}`);
  return {
    at: (share, rows) => {
      const done = Math.floor(share * WIDTH);
      const line = full.repeat(done) + empty.repeat(WIDTH - done);
      draw(`${line} ${Math.floor(share * 100)} %  ${counted(rows, 'row')}`);
    },
    end: said => draw(`${said}\n`),
    fail: said => draw(`${said}\n`),
  };
}

function log(terminal: Desk['terminal']): Meter {
  let tenths = 0;
  return {
    at: (share, rows) => {
      const now = Math.floor(share * 10);
      if (now > tenths) say(terminal, `${now * 10} %: ${counted(rows, 'row')}`);
      tenths = now;
    },
    end: () => undefined,
    fail: () => undefined,
  };
}
