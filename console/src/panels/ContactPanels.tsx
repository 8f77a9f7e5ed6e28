import { Disclosure } from '../ui/Disclosure.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { panelWords } from '../words/panels.ts';
import { useIntegrations } from '../integrations/useIntegrations.ts';
import { PanelView } from './PanelView.tsx';
import { isUsable } from './usable.ts';

/** What integrations show of a person. It loads when somebody opens it: each panel may ask its provider. */
export function ContactPanels({ focus }: { focus: string }) {
  return (
    <section aria-label={panelWords.title} className="px-5 pt-6">
      <Disclosure title={panelWords.title}>
        <Panels focus={focus} />
      </Disclosure>
    </section>
  );
}

function Panels({ focus }: { focus: string }) {
  const list = useIntegrations();
  if (list.isPending) return <Skeleton rows={1} height={32} />;
  if (list.error) return <ProblemNote error={list.error} onRetry={() => void list.refetch()} />;
  const panels = list.data
    .filter(isUsable)
    .flatMap(integration => integration.panels.map(panel => ({ panel, name: integration.display_name })))
    .filter(({ panel }) => panel.slot === 'contact');
  if (panels.length === 0) return <p className="pb-2 text-quiet">{panelWords.noPanels}</p>;
  return (
    <div className="space-y-5 pt-1 pb-3">
      {panels.map(({ panel, name }) => (
        <PanelView
          key={panel.path + panel.title}
          panel={{ ...panel, title: `${panel.title} · ${name}` }}
          focus={focus}
        />
      ))}
    </div>
  );
}
