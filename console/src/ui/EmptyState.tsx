import type { ReactNode } from 'react';

/** Says what a page is for, and the one step that fills it. */
export function EmptyState({
  title,
  text,
  level = 2,
  children,
}: {
  title: string;
  text: ReactNode;
  /** Level of the heading: 1 where the page has no other. */
  level?: 1 | 2;
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className="mx-auto max-w-xl space-y-3 px-6 py-14 text-center">
      <Heading className="text-lg font-semibold">{title}</Heading>
      <p className="text-quiet">{text}</p>
      {children}
    </div>
  );
}
