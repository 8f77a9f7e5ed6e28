import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { panelWords } from '../words/panels.ts';
import { useIntegrations } from '../integrations/useIntegrations.ts';
import { PanelView } from './PanelView.tsx';
import { isUsable } from './usable.ts';

/** What integrations show of a person. It loads when somebody opens it: each panel may ask its provider. */
export function ContactPanels({ focus }: { focus: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label={panelWords.title} className="px-5 pt-6">
      <details className="group" onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-9 cursor-pointer items-center gap-2 font-semibold max-md:min-h-11">
          {panelWords.title}
          <ChevronRight className="size-4 text-quiet group-open:rotate-90" aria-hidden="true" />
        </summary>
        {isOpen && <Panels focus={focus} />}
      </details>
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
