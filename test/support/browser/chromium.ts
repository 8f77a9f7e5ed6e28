import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const program = PLACES.find(place => place !== undefined && existsSync(place));

/** For what only a real browser can show; left out where none is installed, unless CHROMIUM names one. */
export const describeInBrowser = program === undefined ? describe.skip : describe;

/** Starts a browser that asks nobody but the pages under test. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--force-color-profile=srgb',
    ],
  });
}
