import {
  Building2,
  ChartColumn,
  CircleAlert,
  FileUp,
  ListChecks,
  Merge,
  NotebookText,
  Plug,
  Scale,
  Settings,
  Users,
  Webhook,
} from 'lucide-react';

/** The pages of the rail, with the key that follows G. */
export const PLACES = [
  { id: 'attention', to: '/w/$workspace/attention', key: 'a', Icon: CircleAlert },
  { id: 'people', to: '/w/$workspace/people', key: 'p', Icon: Users },
  { id: 'companies', to: '/w/$workspace/companies', key: 'c', Icon: Building2 },
  { id: 'leads', to: '/w/$workspace/leads', key: 'l', Icon: ListChecks },
  { id: 'facts', to: '/w/$workspace/facts', key: 'f', Icon: Scale },
  { id: 'notes', to: '/w/$workspace/notes', key: 'n', Icon: NotebookText },
  { id: 'ask', to: '/w/$workspace/ask', key: 'q', Icon: ChartColumn },
  { id: 'merges', to: '/w/$workspace/merges', key: 'm', Icon: Merge },
  { id: 'imports', to: '/w/$workspace/imports', key: 'u', Icon: FileUp },
  { id: 'integrations', to: '/w/$workspace/integrations', key: 'i', Icon: Plug },
  { id: 'triggers', to: '/w/$workspace/triggers', key: 't', Icon: Webhook },
  { id: 'settings', to: '/w/$workspace/settings', key: 's', Icon: Settings },
] as const;
