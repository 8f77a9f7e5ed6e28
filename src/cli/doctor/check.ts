/** What a check has found. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What is the case. */
  readonly detail: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** All is well. */
export const ok = (name: string, detail: string): DoctorCheck => ({ name, state: 'ok', detail });

/** It works, but somebody should know. */
export const warning = (name: string, detail: string, mend: string): DoctorCheck => ({
  name,
  state: 'warning',
  detail,
  mend,
});

/** It does not work. */
export const failed = (name: string, detail: string, mend: string): DoctorCheck => ({
  name,
  state: 'failed',
  detail,
  mend,
});

/** It could not be looked at. */
export const skipped = (name: string, detail: string): DoctorCheck => ({ name, state: 'skipped', detail });
