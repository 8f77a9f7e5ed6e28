/** Result of a check. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What the check found. */
  readonly detail: string;
  /** How to fix the problem. */
  readonly mend?: string;
}

/** Creates the result of a check that passed. */
export const ok = (name: string, detail: string): DoctorCheck => ({ name, state: 'ok', detail });

/** Creates a result for something that works but needs attention. */
export const warning = (name: string, detail: string, mend: string): DoctorCheck => ({
  name,
  state: 'warning',
  detail,
  mend,
});

/** Creates the result of a check that failed. */
export const failed = (name: string, detail: string, mend: string): DoctorCheck => ({
  name,
  state: 'failed',
  detail,
  mend,
});

/** Creates the result of a check that could not run. */
export const skipped = (name: string, detail: string): DoctorCheck => ({ name, state: 'skipped', detail });
