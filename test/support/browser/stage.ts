import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Client } from '../hub.js';
import { launchBrowser } from './chromium.js';
import { type ConsoleHub, type ConsoleHubSettings, startConsoleHub } from './console-hub.js';
import { ConsolePage } from './console-page.js';
import { signUpOwner } from './sign-up.js';

/** What a story needs. Its fields may be read inside of tests and hooks. */
export interface Stage {
  readonly browser: Browser;
  readonly hub: ConsoleHub;
  /** A new workspace for each story. */
  readonly workspace: Client;
  /** A page for each story. */
  readonly view: ConsolePage;
  /** E-mail address of the owner who is signed in on the page, or '' where nobody is. */
  readonly email: string;
}

interface StageOptions {
  readonly viewport?: BrowserContextOptions['viewport'];
  /** Whether an owner is signed in on the page. Defaults to true. */
  readonly signedIn?: boolean;
  /** Settings of the hub. */
  readonly settings?: ConsoleHubSettings;
}

/**
 * Starts a browser and a hub for the tests of the surrounding suite, and gives each test a workspace and a page, which must
 * end without a complaint of the browser.
 */
export function setUpStage({ viewport, signedIn = true, settings }: StageOptions = {}): Stage {
  const stage = {} as { -readonly [Field in keyof Stage]: Stage[Field] };
  beforeAll(async () => {
    [stage.browser, stage.hub] = await Promise.all([launchBrowser(), startConsoleHub(settings)]);
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.hub?.end();
  });
  beforeEach(async () => {
    const { browser, hub } = stage;
    stage.workspace = await hub.workspace();
    stage.view = await ConsolePage.open(browser, hub.url, viewport ? { viewport } : {});
    stage.email = signedIn ? await signUpOwner(stage.view, hub, stage.workspace) : '';
  });
  afterEach(async () => {
    expect(stage.view.takeComplaints()).toEqual([]);
    await stage.view.close();
  });
  return stage;
}
