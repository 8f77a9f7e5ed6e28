import { FREE_MAIL_DOMAINS } from './free-mail.data.js';
import { parseHost, type ParsedHost } from './web-address.js';
import { type EmailFocus, toInvalidFocus, type InvalidFocus } from './types.js';

// Hosts at which the provider delivers "name+anything" to "name". Country domains are listed one by one: another
// company may own the same word under another suffix, and merging two mailboxes is worse than missing a pair.
const TAG_HOSTS = new Set([
  ...expandHosts('gmail', 'com'),
  ...expandHosts('outlook', 'com at be cl com.ar com.au com.br com.gr com.tr com.vn co.id co.il co.th cz de'),
  ...expandHosts('outlook', 'dk es fr hu ie in it jp kr lv my ph pt sa sg sk'),
  ...expandHosts('hotmail', 'com at be ca ch cl co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar'),
  ...expandHosts('hotmail', 'com.au com.br com.hk com.tr com.tw com.vn cz de dk es fi fr gr hu it lt lv my nl'),
  ...expandHosts('hotmail', 'no ph rs se sg sk'),
  ...expandHosts('live', 'com at be ca cl cn co.in co.kr co.uk co.za com.ar com.au com.mx com.my com.ph'),
  ...expandHosts('live', 'com.pt com.sg de dk fi fr hk ie in it jp nl no ru se'),
  ...expandHosts('icloud', 'com'),
  ...expandHosts('me', 'com'),
  ...expandHosts('fastmail', 'com fm'),
  ...expandHosts('proton', 'me'),
  ...expandHosts('protonmail', 'com ch'),
  ...expandHosts('pm', 'me'),
  ...expandHosts('yandex', 'com ru by kz ua com.tr'),
  ...expandHosts('ya', 'ru'),
]);

function expandHosts(name: string, endings: string): string[] {
  return endings.split(' ').map(ending => `${name}.${ending}`);
}

/**
 * Returns the key of a mailbox: spellings that the provider delivers to one mailbox share a key. `local` and `host` are
 * lower case. Gmail also ignores dots and accepts googlemail.com; elsewhere a dot or a tag may be another person.
 */
export function mailboxKey(local: string, host: string): string {
  const home = host === 'googlemail.com' ? 'gmail.com' : host;
  if (!TAG_HOSTS.has(home)) return `${local}@${home}`;
  const untagged = stripTag(local) || local;
  return `${home === 'gmail.com' ? untagged.replaceAll('.', '') : untagged}@${home}`;
}

/** Returns the local part of an address up to its first `+`. */
export function stripTag(local: string): string {
  return local.split('+', 1)[0] ?? local;
}

// Known providers that the vendored lists miss.
const EXTRA_FREE_DOMAINS = [
  'outlook.co.uk hey.com duck.com tuta.com tutanota.com tutamail.com keemail.me zohomail.eu zohomail.in',
  'skiff.com mozmail.com simplelogin.com simplelogin.co passmail.net passinbox.com startmail.com',
];

const ROLE_NAMES = new Set(
  [
    'abuse accounting accounts admin administration administrator advertising backoffice billing booking',
    'bookings bookkeeping board careers compliance contact contactus customercare customerservice',
    'customersuccess customersupport dataprotection design dev developers dpo editor editorial education',
    'engineering enquiries enquiry events everyone facilities feedback finance founders frontdesk gdpr',
    'general hello help helpdesk hi hostmaster hr humanresources info information infos inquiries inquiry',
    'investors invoice invoices invoicing ir it itsupport jobs legal library list mail mailbox management',
    'marketing media membership members news newsletter noc office operations ops order orders partner',
    'partners partnership partnerships payable payroll people postmaster pr press privacy procurement',
    'purchasing reception recruiting recruitment registrar returns root sales salesteam secretary security',
    'service services shop staff stay store studio subscribe success support supportteam sysadmin talent',
    'team tech technik training unsubscribe usenet uucp vendor vendors webadmin webmaster welcome workplace',
    'www',
    'anfrage anfragen angebot bestellung bestellungen bewerbung buchhaltung buero datenschutz einkauf empfang',
    'jobsundkarriere karriere kontakt kundendienst kundenservice leitung marketingteam personal personalabteilung',
    'poststelle presse rechnung rechnungen sekretariat verkauf vertrieb verwaltung zentrale',
    'accueil achats bonjour candidature commercial commande commandes compta comptabilite direction',
    'emploi facturation rh recrutement secretariat serviceclient ventes',
    'administracion atencionalcliente clientes compras comercial contabilidad contacto correo empleo facturacion',
    'gerencia hola pedidos prensa recepcion reservas rrhh soporte ventas',
    'amministrazione assistenza commerciale contatti ordini segreteria ufficio vendite',
    'algemeen administratie klantenservice verkoop inkoop comercial contato financeiro suporte vendas biuro kontakty',
  ].flatMap(line => line.split(' ')),
);

// In compact form: without dots, hyphens, underscores and tag.
const AUTOMATED = /noreply|donotreply|dontreply|nepasrepondre|mailerdaemon|autoreply|autoresponder/;
const AUTOMATED_WORD = /^(?:bounces?|postmaster|daemon|notifications?|notify|notifier|alerts?|automated|automailer)$/;
const AUTOMATED_HOST_LABEL = /^(?:bounces?|no-?reply)$/;

let freeDomainCache: ReadonlySet<string> | undefined;

// Built on first use, because a process that handles no e-mail should not pay for it. Constant afterwards.
function loadFreeMailDomains(): ReadonlySet<string> {
  return (freeDomainCache ??= new Set([FREE_MAIL_DOMAINS, ...EXTRA_FREE_DOMAINS].join(' ').trim().split(/\s+/)));
}

/**
 * Returns whether a mail domain offers mailboxes to anybody (free or disposable), so that it identifies no employer.
 * Subdomains count too, except below a public suffix, where other companies are.
 */
export function isFreeMail(domain: string): boolean {
  const read = parseHost(domain);
  if (read.kind !== 'registrable') return loadFreeMailDomains().has(domain.toLowerCase());
  const below = read.host.slice(0, -read.domain.length).split('.').slice(0, -1);
  return [read.domain, ...below.map((_, skip) => [...below.slice(skip), read.domain].join('.'))].some(name =>
    loadFreeMailDomains().has(name),
  );
}

/**
 * Returns whether a mailbox belongs to a function (info, sales, no-reply …) instead of a person. Takes the part before
 * `@`.
 */
export function isRoleMailbox(local: string): boolean {
  return ROLE_NAMES.has(compactLocalPart(local)) || isAutomatedLocal(local);
}

/**
 * Returns the domain of the company that a mailbox of a function belongs to; undefined for a person's mailbox, free mail
 * and automated senders.
 */
export function findRoleDomain(email: EmailFocus): string | undefined {
  return isRoleMailbox(email.local) ? findWorkDomain(email) : undefined;
}

/**
 * Returns whether mail from this address is sent by a machine, so that nobody reads replies and it identifies no
 * employer.
 */
export function isAutomatedSender(email: string): boolean {
  const at = email.lastIndexOf('@');
  const labels = email
    .slice(at + 1)
    .toLowerCase()
    .split('.');
  return isAutomatedLocal(email.slice(0, Math.max(at, 0))) || labels.some(label => AUTOMATED_HOST_LABEL.test(label));
}

/**
 * Returns the registrable domain of the employer behind a work address; undefined for free mail and automated senders.
 */
export function findWorkDomain({ value, host, domain }: EmailFocus): string | undefined {
  if (domain === null || isFreeMail(host) || isAutomatedSender(value)) return undefined;
  return domain;
}

function isAutomatedLocal(local: string): boolean {
  const words = stripTag(local.toLowerCase())
    .split(/[=._-]+/)
    .filter(Boolean);
  return AUTOMATED.test(words.join('')) || words.some(word => AUTOMATED_WORD.test(word));
}

function compactLocalPart(local: string): string {
  return stripTag(local.toLowerCase()).replace(/[._-]/g, '');
}

const MAX_LOCAL_BYTES = 64;
// RFC 5321 and 6531 without quoted strings, "/" and "?", which occur in broken links, never in real mailboxes.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+=^_`{|}~-]+)*$/u;

/** Parses one unwrapped e-mail address. A `?query`, as in mailto links, is dropped. */
export function parseEmail(text: string): EmailFocus | InvalidFocus {
  const address = normalizeAddress(text).trim();
  const at = address.indexOf('@');
  const local = address.slice(0, at);
  const [hostText = ''] = address.slice(at + 1).split('?');
  const problem = findAddressProblem(at, local, hostText);
  if (problem) return toInvalidFocus(problem);
  const host = parseHost(hostText);
  if (host.kind === 'registrable') return toEmailFocus(local, host.host, host.domain);
  if (host.kind === 'suffix' && host.isPrivate) return toEmailFocus(local, host.host, null);
  return toInvalidFocus(describeInvalidMailHost(host));
}

function toEmailFocus(local: string, host: string, domain: string | null): EmailFocus {
  return { form: 'email', value: `${local}@${host}`, key: mailboxKey(local, host), local, host, domain };
}

// Lower-casing can decompose a letter, hence the second normalisation.
function normalizeAddress(text: string): string {
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

function describeInvalidMailHost(host: Exclude<ParsedHost, { kind: 'registrable' }>): string {
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
