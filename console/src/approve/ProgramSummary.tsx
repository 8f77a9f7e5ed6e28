import type { Schemas } from '../api/schemas.ts';
import { approveWords } from '../words/approve.ts';
import { describeRedirect, describeVerification } from './program.ts';

/** The details by which a person can recognize a program: its code, name, verification, redirect target and IP address. */
export function ProgramSummary({ program }: { program: Schemas['RequestingProgram'] }) {
  const { name, user_code, redirect_uri, address } = program;
  const rows: (readonly [string, string])[] = [
    [approveWords.program, name],
    [approveWords.verifiedBy, describeVerification(program)],
    ...(redirect_uri === null ? [] : [[approveWords.redirectsTo, describeRedirect(redirect_uri)] as const]),
    [approveWords.requestedFrom, address],
  ];
  return (
    <div className="space-y-4">
      {user_code !== null && (
        <div className="space-y-1.5 text-center">
          <p className="rounded-md bg-sunk py-3 font-mono text-2xl font-semibold tracking-widest">{user_code}</p>
          <p className="text-xs text-quiet">{approveWords.compare}</p>
        </div>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {rows.map(([label, value]) => (
          <div key={label} className="flex flex-wrap gap-x-4 py-2">
            <dt className="w-28 text-quiet">{label}</dt>
            <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
