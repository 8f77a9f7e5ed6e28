import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatFieldLines } from '../base/format.js';
import { whoAmI } from '../api/identity.js';

/** `whoami` */
export const addWhoamiCommand: RegisterCommands = (program, terminal, seat) => {
  defineCommand(program, {
    name: 'whoami',
    summary: 'which workspace, which key, at which hub',
    examples: ['rapport whoami', 'rapport whoami --json | jq -r .workspace.id'],
  }).action(
    action(terminal, seat, async desk => {
      const hub = await desk.client();
      const { baseUrl, baseUrlFrom, apiKey = '', apiKeyFrom, keyId } = hub.settings;
      const { workspace, plan, key } = await whoAmI(hub);
      const key_id = key?.id ?? keyId ?? null;
      const looks_like = `${apiKey.slice(0, 13)}…${apiKey.slice(-4)}`;
      const shown = { name: key?.name, scopes: key?.scopes, expires_at: key?.expires_at };
      const data = { base_url: baseUrl, workspace, plan, key: { id: key_id, looks_like, from: apiKeyFrom, ...shown } };
      const lines = formatFieldLines({
        workspace: [workspace?.name, workspace?.id && `(${workspace.id})`].filter(Boolean).join(' ') || 'not told',
        plan,
        hub: `${baseUrl} (from: ${baseUrlFrom})`,
        key: `${looks_like} (from: ${apiKeyFrom})`,
        'key id': key_id,
        'key name': key?.name,
        scopes: key?.scopes.join(', '),
        expires: key ? (key.expires_at ?? 'never') : undefined,
      });
      desk.print(data, lines);
    }),
  );
};
