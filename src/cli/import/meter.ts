import { progress } from '@clack/prompts';
import type { Desk } from '../base/desk.js';
import { counted } from '../base/lines.js';
import { isInteractive, say } from '../base/terminal.js';

const STEPS = 100;

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

function bar(terminal: Desk['terminal']): Meter {
  const shown = progress({ max: STEPS, output: terminal.stderr, signal: terminal.signal });
  let done = 0;
  shown.start('Importing');
  return {
    at: (share, rows) => {
      const now = Math.floor(share * STEPS);
      shown.advance(now - done, `${counted(rows, 'row')}, ${now} %`);
      done = now;
    },
    end: said => shown.stop(said),
    fail: said => shown.error(said),
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
