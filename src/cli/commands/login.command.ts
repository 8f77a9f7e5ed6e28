import { hostname } from 'node:os';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { deviceLogin } from '../login/device-login.js';
import { readPastedKey } from '../login/pasted-key.js';
import { saveKey } from '../login/save-key.js';

interface LoginOptions {
  readonly key?: boolean;
  readonly browser: boolean;
  readonly scopes: string;
  readonly name?: string;
}

/** `login` */
export const addLoginCommand: RegisterCommands = (program, terminal, seat) => {
  defineCommand(program, {
    name: 'login',
    summary: 'sign in: approve in a browser, anywhere, and a key is saved here',
    description:
      'Sign in. An address and a code are printed and a browser is opened, if there is one here; any browser will do, ' +
      'also one on another machine. Once the code is approved, an API key is saved, readable by you alone.',
    examples: [
      'rapport login',
      'rapport login --base-url https://rapport.example.com',
      'rapport login --no-browser',
      'pass show rapport | rapport login --key',
    ],
  })
    .option('--key', 'paste an API key instead; it is read from stdin')
    .option('--no-browser', 'open no browser')
    .option('--scopes <scopes>', 'what the key may do: read, write, admin', 'read,write')
    .option('--name <name>', 'what the page and the list of keys call this machine; default: its host name')
    .action(
      action(terminal, seat, async (desk, options: LoginOptions) => {
        const hub = await desk.anonymousClient();
        const granted = options.key
          ? { apiKey: await readPastedKey(desk) }
          : await deviceLogin(desk, hub, { name: hostname(), ...options });
        await saveKey(desk, hub.settings.baseUrl, granted);
      }),
    );
};
