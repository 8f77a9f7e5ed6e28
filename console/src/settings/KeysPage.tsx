import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { keyWords } from '../words/keys.ts';
import { ago } from '../words/when.ts';
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './KeyDialogs.tsx';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

const PAGE_KEYS = 50;

type Key = Schemas['ApiKey'];

/** The API keys of the workspace. */
export function KeysPage() {
  const { hub, workspace } = useWorkspace();
  const mayManage = useMay('settings');
  const [isCreating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<Key>();
  const [revoking, setRevoking] = useState<Key>();
  const list = usePages({
    queryKey: [workspace.id, 'keys'],
    enabled: mayManage,
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/api-keys', {
          signal,
          params: { query: { state: 'active', limit: PAGE_KEYS, cursor } },
        }),
      ),
    next: page => page.next_cursor,
  });
  const keys = list.data?.pages.flatMap(page => page.api_keys) ?? [];
  const reason = mayManage ? undefined : w.needs.settings;
  return (
    <>
      <SettingsHeader title={settingsWords.keys} text={settingsWords.keysText}>
        <Button look="main" reason={reason} onClick={() => setCreating(true)}>
          <KeyRound className="size-4" aria-hidden="true" />
          {settingsWords.createKey}
        </Button>
      </SettingsHeader>
      {mayManage ? (
        <LoadedList
          list={list}
          isEmpty={keys.length === 0}
          empty={<EmptyState title={settingsWords.keys} text={settingsWords.noKeys} />}
          rows={3}
          height={44}
        >
          {keys.length > 0 && (
            <Table
              label={settingsWords.keys}
              head={[
                settingsWords.name,
                settingsWords.key,
                settingsWords.scopes,
                settingsWords.lastUsed,
                settingsWords.expires,
                '',
              ]}
            >
              {keys.map(key => (
                <tr key={key.id}>
                  <td className="font-medium">{key.name}</td>
                  <td className="num whitespace-nowrap text-quiet">
                    {key.prefix}…{key.last_four}
                  </td>
                  <td className="text-quiet">{key.scopes.map(scope => settingsWords.scope[scope]).join(', ')}</td>
                  <td className="whitespace-nowrap text-quiet">
                    {key.last_used_at === null ? settingsWords.never : <Moment at={key.last_used_at} />}
                  </td>
                  <td className="whitespace-nowrap text-quiet">
                    {key.expires_at === null ? settingsWords.never : ago(key.expires_at)}
                  </td>
                  <td className="text-right whitespace-nowrap">
                    <Button look="quiet" onClick={() => setRotating(key)}>
                      {keyWords.rotate} <span className="sr-only">{key.name}</span>
                    </Button>
                    <Button look="quiet" onClick={() => setRevoking(key)}>
                      {settingsWords.revoke}
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </LoadedList>
      ) : (
        <EmptyState title={settingsWords.keys} text={w.needs.settings} />
      )}
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {rotating && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(undefined)} />}
      {revoking && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}
