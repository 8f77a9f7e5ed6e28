import { type AddCommands, at, declare } from '../base/desk.js';
import { pairs } from '../base/lines.js';
import { identify } from '../hub/identity.js';

/** `whoami` */
export const addWhoamiCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'whoami',
    summary: 'which workspace, which key, at which hub',
    examples: ['rapport whoami', 'rapport whoami --json | jq -r .workspace.id'],
  }).action(
    at(terminal, seat, async desk => {
      const hub = await desk.hub();
      const { baseUrl, baseUrlFrom, apiKey = '', apiKeyFrom, keyId } = hub.settings;
      const { workspace, plan, key } = await identify(hub);
      const key_id = key?.id ?? keyId ?? null;
      const looks_like = `${apiKey.slice(0, 13)}…${apiKey.slice(-4)}`;
      const shown = { name: key?.name, scopes: key?.scopes, expires_at: key?.expires_at };
      const data = { base_url: baseUrl, workspace, plan, key: { id: key_id, looks_like, from: apiKeyFrom, ...shown } };
      const lines = pairs({
        workspace: [workspace?.name, workspace?.id && `(${workspace.id})`].filter(Boolean).join(' ') || 'not told',
        plan,
        hub: `${baseUrl} (from: ${baseUrlFrom})`,
        key: `${looks_like} (from: ${apiKeyFrom})`,
        'key id': key_id,
        'key name': key?.name,
        scopes: key?.scopes.join(', '),
        expires: key ? (key.expires_at ?? 'never') : undefined,
      });
      desk.answer(data, lines);
    }),
  );
};
