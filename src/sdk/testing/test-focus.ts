/** How a focus is understood here: roughly as the hub does, enough for tests. */
export interface TestFocus {
  readonly form: 'id' | 'email' | 'linkedin' | 'domain' | 'name';
  /** Equal for equal subjects. */
  readonly key: string;
}

/** Says what a text means as the subject of a call. */
export function readFocus(text: string): TestFocus {
  const plain = String(text).trim().toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plain)) return { form: 'id', key: plain };
  const profile = /linkedin\.com\/(?:in|company)\/([^/?#]+)/.exec(plain);
  if (profile) return { form: 'linkedin', key: `linkedin:${profile[1]}` };
  if (/^[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+$/.test(plain)) return { form: 'email', key: plain };
  const domain = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/.*)?$/.exec(plain);
  return domain ? { form: 'domain', key: domain[1]! } : { form: 'name', key: plain.replaceAll(/\s+/g, ' ') };
}
