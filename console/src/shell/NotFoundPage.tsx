import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState.tsx';
import { w } from '../words/en.ts';

/** Says that an address names no page. */
export function NotFoundPage() {
  return (
    <main>
      <EmptyState level={1} title={w.notFound.title} text={w.notFound.text}>
        <Link to="/" className="font-medium text-accent underline underline-offset-2">
          {w.noWorkspace.home}
        </Link>
      </EmptyState>
    </main>
  );
}
