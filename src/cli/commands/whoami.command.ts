import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatFieldLines } from '../base/terminal.js';
import { whoAmI } from '../api/identity.js';

/** `whoami` */
export const addWhoamiCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'whoami',
    summary: 'show the current workspace, key and hub',
    examples: ['rapport whoami', 'rapport whoami --json | jq -r .workspace.id'],
  }).action(
    action(terminal, holder, async context => {
      const hub = await context.client();
      const { baseUrl, baseUrlFrom, apiKey = '', apiKeyFrom, keyId } = hub.settings;
      const { workspace, plan, key } = await whoAmI(hub);
      const key_id = key?.id ?? keyId ?? null;
      const looks_like = `${apiKey.slice(0, 13)}…${apiKey.slice(-4)}`;
      const shown = { name: key?.name, scopes: key?.scopes, expires_at: key?.expires_at };
      const data = { base_url: baseUrl, workspace, plan, key: { id: key_id, looks_like, from: apiKeyFrom, ...shown } };
      const lines = formatFieldLines({
        workspace: [workspace?.name, workspace?.id && `(${workspace.id})`].filter(Boolean).join(' ') || 'unknown',
        plan,
        hub: `${baseUrl} (from: ${baseUrlFrom})`,
        key: `${looks_like} (from: ${apiKeyFrom})`,
        'key id': key_id,
        'key name': key?.name,
        scopes: key?.scopes.join(', '),
        expires: key ? (key.expires_at ?? 'never') : undefined,
      });
      context.print(data, lines);
    }),
  );
};
