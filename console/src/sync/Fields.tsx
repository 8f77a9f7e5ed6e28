import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { DetailHeader } from '../shell/DetailHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { Choices } from '../ui/Choices.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Table } from '../ui/Table.tsx';
import { toLabel, w } from '../words/en.ts';
import { FieldDialog } from './FieldDialog.tsx';
import { changeMap, MAPPED_OBJECTS, type MappedObject } from './fieldMap.ts';
import type { SyncField } from './types.ts';
import { useFieldMap } from './useFieldMap.ts';
import { useSync } from './SyncContext.ts';

/** CRMs have hundreds of fields; those that are synced or proposed come first, and the search finds the others. */
const MAX_SHOWN = 60;

/** The fields of the CRM, and what each states. */
export function Fields({ object }: { object: MappedObject }) {
  const { plugin, path, words } = useSync();
  const { hub, workspace } = useWorkspace();
  const fieldMap = useFieldMap();
  const list = useQuery({
    queryKey: [workspace.id, 'sync', plugin, 'fields', object],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET(path('/v2/plugins/crm/fields/{object}'), { signal, params: { path: { object } } })).fields,
  });
  const { error } = list;
  return (
    <div className="flex h-full flex-col">
      <FieldsHeader object={object} />
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={words.fields.title}>
        <div className="mx-auto max-w-5xl space-y-4 p-5">
          <p className="text-quiet">{words.fields.text}</p>
          {error && <ProblemNote error={error} onRetry={() => void list.refetch()} />}
          {fieldMap.save.error && <ProblemNote error={fieldMap.save.error} />}
          {!error && !(list.data && fieldMap.isLoaded) && <Skeleton rows={10} />}
          {list.data && fieldMap.isLoaded && (
            <FieldTable key={object} object={object} fields={list.data} fieldMap={fieldMap} />
          )}
        </div>
      </div>
    </div>
  );
}

function FieldsHeader({ object }: { object: MappedObject }) {
  const { plugin, words } = useSync();
  const { workspace } = useWorkspace();
  const params = { workspace: workspace.id, plugin };
  return (
    <DetailHeader list="integrations" name={words.fields.title}>
      <div className="flex flex-wrap items-center gap-3">
        <LinkChoices object={object} />
        <Link to="/w/$workspace/integrations/$plugin" params={params} className="text-accent underline">
          {words.fields.back}
        </Link>
      </div>
    </DetailHeader>
  );
}

function LinkChoices({ object }: { object: MappedObject }): ReactNode {
  const { plugin, words } = useSync();
  const { workspace } = useWorkspace();
  return (
    <nav aria-label={words.fields.of} className="flex gap-0.5">
      {MAPPED_OBJECTS.map(each => (
        <Link
          key={each}
          to="/w/$workspace/integrations/$plugin"
          params={{ workspace: workspace.id, plugin }}
          search={{ fields: each }}
          aria-current={each === object ? 'page' : undefined}
          className={
            'soft inline-flex h-7 items-center rounded-md px-2.5 text-xs max-md:h-11 ' +
            (each === object ? 'bg-sunk font-medium' : 'text-quiet hover:text-ink')
          }
        >
          {words.object[each]}
        </Link>
      ))}
    </nav>
  );
}

const AS_USUAL = { direction: undefined, wins: undefined, confidenceField: undefined, freshnessField: undefined };
const SHOWN = ['all', 'synced', 'proposed'] as const;

function FieldTable({
  object,
  fields,
  fieldMap,
}: {
  object: MappedObject;
  fields: readonly SyncField[];
  fieldMap: ReturnType<typeof useFieldMap>;
}) {
  const { words } = useSync();
  const maySet = useMay('settings');
  const [typed, setTyped] = useState('');
  const [shown, show] = useState<(typeof SHOWN)[number]>('all');
  const [edited, edit] = useState<SyncField>();
  const search = typed.trim().toLowerCase();
  const found = fields.filter(
    ({ name, label, property, proposed }) =>
      (shown === 'all' || (shown === 'synced' ? property !== null : proposed !== null)) &&
      `${name} ${label} ${property ?? ''}`.toLowerCase().includes(search),
  );
  const reason = maySet ? undefined : w.needs.settings;
  const { map, save } = fieldMap;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full max-w-72">
          <Field
            label={words.fields.search}
            type="search"
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        </div>
        <Choices
          label={words.fields.shown}
          values={SHOWN}
          chosen={shown}
          nameOf={each => words.fields.show[each]}
          onChoose={show}
        />
      </div>
      <Table label={words.fields.table} head={[...words.fields.head, '']}>
        {found.slice(0, MAX_SHOWN).map(field => (
          <tr key={field.name}>
            <th scope="row" className="text-left font-normal">
              <span className="font-medium">{field.label}</span>{' '}
              <span className="font-mono text-xs text-quiet">{field.name}</span>
            </th>
            <td>
              {field.property !== null && toLabel(field.property)}
              {field.property === null && field.proposed === null && (
                <span className="text-quiet">{words.fields.notSynced}</span>
              )}
              {field.proposed !== null && (
                <Button
                  reason={reason}
                  disabled={save.isPending}
                  onClick={() => save.run(changeMap(map, object, field, { ...AS_USUAL, property: field.proposed! }))}
                >
                  {words.fields.take(toLabel(field.proposed))}
                </Button>
              )}
            </td>
            <td>{field.direction !== null && words.fields.direction[field.direction]}</td>
            <td>{field.wins !== null && field.direction !== 'pull' && words.fields.wins[field.wins]}</td>
            <td className="text-right">
              <Button look="quiet" reason={reason} onClick={() => edit(field)}>
                {words.fields.change} <span className="sr-only">{field.label}</span>
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      <p aria-live="polite" className="text-quiet">
        {words.fields.count(Math.min(found.length, MAX_SHOWN), found.length)}
      </p>
      {edited && (
        <FieldDialog
          object={object}
          field={edited}
          fields={fields}
          fieldMap={fieldMap}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}
