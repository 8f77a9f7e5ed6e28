import { FREE_MAIL_DOMAINS } from './free-mail.data.js';
import { parseHost } from './hosts.js';
import { stripTag } from './mailbox-providers.js';
import type { EmailFocus } from './types.js';

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
