import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Table } from '../ui/Table.tsx';
import { askWords } from '../words/ask.ts';
import { toLabel, w } from '../words/en.ts';
import { toText } from '../words/text.ts';
import { ago } from '../words/when.ts';

type Row = Schemas['QueryObservation'] | Schemas['QueryEntity'];

/** The matches, or the people and companies that they are about. */
export function ResultRows({ items }: { items: readonly Row[] }) {
  const observations = items.filter(each => 'observation_id' in each);
  const entities = items.filter(each => 'most_recent_at' in each);
  return (
    <div className="p-4">
      {observations.length > 0 && (
        <Table
          label={askWords.rowKinds.observations}
          head={[askWords.when, askWords.who, askWords.what, askWords.valueTitle, askWords.source]}
        >
          {observations.map(({ observation_id, when, entity_id, entity_name, type, value, source }) => (
            <tr key={observation_id}>
              <Moment at={when} />
              <Account id={entity_id} name={entity_name} />
              <td className="whitespace-nowrap">{toLabel(type)}</td>
              <td className="max-w-96 truncate">{toText(value)}</td>
              <td className="num text-quiet">{source}</td>
            </tr>
          ))}
        </Table>
      )}
      {entities.length > 0 && (
        <Table
          label={askWords.rowKinds.entities}
          head={[askWords.who, askWords.matches, askWords.latest, askWords.what, askWords.valueTitle]}
        >
          {entities.map(row => (
            <tr key={row.entity_id}>
              <Account id={row.entity_id} name={row.entity_name} />
              <td className="num">{row.matches}</td>
              <Moment at={row.most_recent_at} />
              <td className="whitespace-nowrap">{toLabel(row.most_recent_type)}</td>
              <td className="max-w-96 truncate">{toText(row.most_recent_value)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <td className="num whitespace-nowrap text-quiet">
      <time dateTime={at} title={at}>
        {ago(at)}
      </time>
    </td>
  );
}

function Account({ id, name }: { id: string; name: string | null }) {
  const { workspace } = useWorkspace();
  return (
    <td className="max-w-64 truncate font-medium">
      <Link to="/w/$workspace/accounts/$id" params={{ workspace: workspace.id, id }} className="hover:underline">
        {name ?? <span className="text-quiet">{w.account.noName}</span>}
      </Link>
    </td>
  );
}
