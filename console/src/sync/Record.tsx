import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../api/workspace.tsx';
import { useSync } from './SyncContext.ts';

/** The name of a record, which leads to its account where there is one. */
export function Record({
  object,
  id,
  name,
  entityId,
}: {
  object: string;
  id: string | null;
  name: string | null;
  entityId?: string | null;
}) {
  const { words } = useSync();
  const { workspace } = useWorkspace();
  const text = name ?? [words.object[object] ?? object, id].filter(Boolean).join(' ');
  if (!entityId) return <span className="font-medium">{text}</span>;
  return (
    <Link
      to="/w/$workspace/accounts/$id"
      params={{ workspace: workspace.id, id: entityId }}
      className="font-medium hover:underline"
    >
      {text}
    </Link>
  );
}

/** A value before and after a change. */
export function Turn({ before, after }: { before: string | null; after: string | null }) {
  const { words } = useSync();
  return (
    <span>
      <Value value={before} isOld /> <span aria-label={words.becomes}>→</span> <Value value={after} />
    </span>
  );
}

function Value({ value, isOld = false }: { value: string | null; isOld?: boolean }) {
  const { words } = useSync();
  if (value === null) return <span className="text-quiet italic">{words.empty}</span>;
  return <span className={isOld ? 'text-quiet line-through' : 'font-medium'}>{value}</span>;
}
