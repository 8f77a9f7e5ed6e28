import { RefreshCw, TriangleAlert } from 'lucide-react';
import { ExplainedError, HubError } from '../api/client.ts';
import { w } from '../words/en.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { RetryCountdown } from './RetryCountdown.tsx';

/** Says what went wrong, what to do, and which request it was. The rest of the page stays. */
export function ProblemNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const known = error instanceof HubError ? error : undefined;
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-md border border-against/30 bg-against-soft px-3 py-2.5"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-against" aria-hidden="true" />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="break-words">{error instanceof ExplainedError ? error.message : w.problem.unreachable}</p>
        {known?.retryAfterSeconds !== undefined && (
          // An error that comes again counts again.
          <RetryCountdown key={known.requestId} seconds={known.retryAfterSeconds} onRetry={onRetry} />
        )}
        {known?.requestId !== undefined && (
          <p className="flex items-center gap-1.5 text-xs text-quiet">
            {w.problem.request} <CopyButton text={known.requestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button look="quiet" onClick={onRetry}>
          <RefreshCw className="size-3.5" aria-hidden="true" />
          {w.problem.retry}
        </Button>
      )}
    </div>
  );
}
