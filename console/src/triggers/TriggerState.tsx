import type { Schemas } from '../api/schemas.ts';
import { cn } from '../ui/cn.ts';
import { triggerWords } from '../words/triggers.ts';

const TONES: Readonly<Record<string, string>> = {
  active: 'border-for/40 text-for',
  disabled: 'border-against/40 text-against',
  failed: 'border-against/40 text-against',
  delivered: 'border-for/40 text-for',
};

/** The state of an endpoint, or of a delivery, in a word. */
export function StateWord({ state, label }: { state: string; label: string }) {
  return (
    <span
      className={cn(
        'rounded-full border px-2 py-0.5 text-xs whitespace-nowrap',
        TONES[state] ?? 'border-line text-quiet',
      )}
    >
      {label}
    </span>
  );
}

/** The state of a webhook endpoint. */
export function TriggerState({ trigger: { state } }: { trigger: Schemas['Trigger'] }) {
  return <StateWord state={state} label={triggerWords.state[state]} />;
}
