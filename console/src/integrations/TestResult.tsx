import type { Schemas } from '../api/schemas.ts';

/** What the provider said to a test of the credentials. */
export function TestResult({ result: { ok, message } }: { result: Schemas['ConnectionTestResult'] }) {
  return (
    <p role="status" className={ok ? 'text-for' : 'text-against'}>
      {message}
    </p>
  );
}
