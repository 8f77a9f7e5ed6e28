import { parseHost, type ParsedHost } from './domain.js';
import { mailboxKey } from './mailboxes.js';
import { toInvalidFocus, type EmailFocus, type InvalidFocus } from './types.js';

const MAX_LOCAL_BYTES = 64;
// RFC 5321 and 6531 without quoted strings, "/" and "?", which occur in broken links, never in real mailboxes.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~-]+)*$/u;

/** Parses one unwrapped e-mail address. A `?query`, as in mailto links, is dropped. */
export function parseEmail(text: string): EmailFocus | InvalidFocus {
  const address = toNormalizedLowerCase(text).trim();
  const at = address.indexOf('@');
  const local = address.slice(0, at);
  const [hostText = ''] = address.slice(at + 1).split('?');
  const problem = findAddressProblem(at, local, hostText);
  if (problem) return toInvalidFocus(problem);
  const host = parseHost(hostText);
  if (host.kind === 'registrable') return toEmailFocus(local, host.host, host.domain);
  if (host.kind === 'suffix' && host.isPrivate) return toEmailFocus(local, host.host, null);
  return toInvalidFocus(describeInvalidHost(host));
}

function toEmailFocus(local: string, host: string, domain: string | null): EmailFocus {
  return { form: 'email', value: `${local}@${host}`, key: mailboxKey(local, host), local, host, domain };
}

// Lower-casing can decompose a letter, hence the second normalisation.
function toNormalizedLowerCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function findAddressProblem(at: number, local: string, host: string): string | undefined {
  if (at < 0) return 'The e-mail address has no "@"; send it in the form name@company.com.';
  if (local === '') return 'The e-mail address has nothing before its "@"; send it in the form name@company.com.';
  if (host === '') return 'The e-mail address has nothing after its "@"; send it in the form name@company.com.';
  if (host.includes('@')) return 'The text has more than one "@"; send exactly one e-mail address.';
  if (/\s/.test(local + host)) return 'The e-mail address has a space in it; send the address alone, without spaces.';
  if (/^\.|\.$|\.\./.test(local) || /^\.|\.$|\.\./.test(host)) {
    return 'The e-mail address has a dot too many (at an end or two in a row); send it without that dot.';
  }
  if (/[/\\]/.test(local))
    return 'The text is a link with an "@" in it, not an e-mail address; send the address alone.';
  if (!LOCAL.test(local)) return 'The part before the "@" has a character that no mailbox has; check the spelling.';
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES) {
    return `The part before the "@" is longer than the ${MAX_LOCAL_BYTES} bytes of a mailbox; check it.`;
  }
  return undefined;
}

function describeInvalidHost(host: Exclude<ParsedHost, { kind: 'registrable' }>): string {
  switch (host.kind) {
    case 'suffix':
      return `"${host.host}" is a public suffix, not a mail domain; part of the e-mail address is missing.`;
    case 'ip':
      return 'The e-mail address has an IP address in place of a domain; send one with a domain.';
    case 'single-label':
      return 'The domain of the e-mail address has no ending, such as ".com"; complete it.';
    case 'unknown-suffix':
      return `No public domain ends in ".${host.suffix}"; check the spelling of the e-mail address.`;
    case 'malformed':
      return 'The domain of the e-mail address is wrongly spelt; send it in the form name@company.com.';
  }
}
