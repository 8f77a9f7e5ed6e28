import { hostname } from 'node:os';
import { type AddCommands, at, declare } from '../base/desk.js';
import { deviceLogin } from '../login/device-login.js';
import { pastedKey } from '../login/pasted-key.js';
import { keepKey } from '../login/keep-key.js';

interface LoginOptions {
  readonly key?: boolean;
  readonly browser: boolean;
  readonly scopes: string;
  readonly name?: string;
}

/** `login` */
export const addLoginCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
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
      at(terminal, seat, async (desk, options: LoginOptions) => {
        const hub = await desk.stranger();
        const granted = options.key
          ? { apiKey: await pastedKey(desk) }
          : await deviceLogin(desk, hub, { name: hostname(), ...options });
        await keepKey(desk, hub.settings.baseUrl, granted);
      }),
    );
};
