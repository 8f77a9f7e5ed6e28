/** A parsed focus. The rules are simpler than those of the hub. */
export interface TestFocus {
  readonly form: 'id' | 'email' | 'linkedin' | 'domain' | 'name';
  /** Equal for focuses that identify the same entity. */
  readonly key: string;
}

/** Parses the focus of a call. */
export function readFocus(text: string): TestFocus {
  const plain = String(text).trim().toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plain)) return { form: 'id', key: plain };
  const profile = /linkedin\.com\/(?:in|company)\/([^/?#]+)/.exec(plain);
  if (profile) return { form: 'linkedin', key: `linkedin:${profile[1]}` };
  if (/^[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+$/.test(plain)) return { form: 'email', key: plain };
  const domain = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/.*)?$/.exec(plain);
  return domain ? { form: 'domain', key: domain[1]! } : { form: 'name', key: plain.replaceAll(/\s+/g, ' ') };
}
