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
export const addLoginCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'login',
    summary: 'sign in by browser and save an API key',
    description:
      'Sign in. Prints an address and a code, and opens a browser if there is one. You can use any browser, ' +
      'also on another machine. When you approve the code, an API key is saved that only you can read.',
    examples: [
      'rapport login',
      'rapport login --base-url https://rapport.example.com',
      'rapport login --no-browser',
      'pass show rapport | rapport login --key',
    ],
  })
    .option('--key', 'read an API key from stdin instead')
    .option('--no-browser', 'do not open a browser')
    .option('--scopes <scopes>', 'scopes of the key: read, write, settings, admin', 'read,write')
    .option('--name <name>', 'name of this machine on the page and in the list of keys; default: its host name')
    .action(
      action(terminal, holder, async (context, options: LoginOptions) => {
        const hub = await context.anonymousClient();
        const granted = options.key
          ? { apiKey: await readPastedKey(context) }
          : await deviceLogin(context, hub, { name: hostname(), ...options });
        await saveKey(context, hub.settings.baseUrl, granted);
      }),
    );
};
