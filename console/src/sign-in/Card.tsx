import type { ReactNode } from 'react';

/** A page of a person without a session: one card. */
export function Card({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center p-4">
      <title>{`${title} · Rapport`}</title>
      <div className="w-full max-w-[352px] space-y-5 py-8">
        <header className="space-y-2">
          <img src="/icon.svg" alt="" className="mb-5 size-9" />
          <h1 className="text-xl font-semibold text-balance">{title}</h1>
          {text !== undefined && <p className="text-quiet">{text}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}
