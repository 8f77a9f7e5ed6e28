import type { ExtractionContext, ExtractionRule, Match } from '../extraction.js';
import { checkSubject, SUBJECT_PATTERN } from '../review-rules.js';

/** Well known software that companies say they use, as written. */
export const SOFTWARE: readonly string[] = (
  'Salesforce|HubSpot|Pipedrive|Zoho|Zendesk|Intercom|Freshdesk|Freshsales|Attio|Copper|Close|Dynamics 365|Microsoft Dynamics|' +
  'SAP|SAP S/4HANA|Oracle|NetSuite|Workday|Personio|BambooHR|Sage|DATEV|Xero|QuickBooks|Lexware|Odoo|' +
  'Slack|Microsoft Teams|Zoom|Notion|Asana|Jira|Confluence|Trello|Monday.com|ClickUp|Linear|Airtable|' +
  'Mailchimp|Marketo|Pardot|Klaviyo|Braze|Iterable|ActiveCampaign|Brevo|Customer.io|Segment|Amplitude|Mixpanel|' +
  'Google Analytics|Looker|Tableau|Power BI|Metabase|Snowflake|BigQuery|Databricks|Redshift|dbt|Fivetran|Airbyte|' +
  'Outreach|Salesloft|Apollo|Gong|Chorus|Clari|Lemlist|Instantly|Clay|ZoomInfo|Cognism|Lusha|' +
  'Shopify|Magento|WooCommerce|Shopware|WordPress|Webflow|Contentful|Stripe|Adyen|Mollie|PayPal|' +
  'AWS|Azure|Google Cloud|Kubernetes|Docker|PostgreSQL|MongoDB|MySQL|Redis|Kafka|Elasticsearch|' +
  'GitHub|GitLab|Bitbucket|Jenkins|Datadog|New Relic|Sentry|PagerDuty|Splunk|Okta|Auth0|' +
  'ServiceNow|Figma|Miro|DocuSign|PandaDoc|Dropbox|Box|Twilio|Aircall|Zapier|Make|n8n|Celonis'
).split('|');

const BEGIN = String.raw`(?<![\p{L}\p{N}'-])`;
const SUBJECT = SUBJECT_PATTERN;
const FOREIGN_SUBJECT = String.raw`(?<who>[Ww]ir|[Nn]ous|[Ss]ie|[Ee]r|[Ii]ls?|[Ee]lles?|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3})`;
const COUNT = String.raw`(?<count>(?<!\d)\d[\d.,']{0,10}(?:\s?(?:-|–)\s?\d[\d.,']{0,10})?)\+?`;
const ABOUT = String.raw`(?:(?:about|around|roughly|approximately|some|currently|now|rund|etwa|circa|ca\.|derzeit|environ|unos|cerca de|alrededor de)\s+)?`;
const MORE = String.raw`(?<more>(?:over|more than|mehr als|über|plus de|más de)\s+)?`;

const headcounts = [
  String.raw`${BEGIN}${SUBJECT}(?:\s+(?:currently|now))?\s+(?:has|have|employs?)\s+${ABOUT}${MORE}${COUNT}\s+(?:full-time\s+)?(?:employees|staff|FTEs?)(?![\p{L}])`,
  String.raw`${BEGIN}${SUBJECT}\s+employs?\s+${ABOUT}${MORE}${COUNT}\s+people(?![\p{L}])`,
  String.raw`${BEGIN}(?:company|firm|team) (?:of|with)\s+${ABOUT}${MORE}${COUNT}\s+(?:employees|people)(?![\p{L}])`,
  String.raw`${BEGIN}${COUNT}[ -](?:person|people|employee) (?:company|firm|business)(?![\p{L}])`,
  String.raw`^\W*(?:[Ee]mployees|[Hh]eadcount|[Mm]itarbeiter|[Ee]mployés|[Ee]mpleados)\s*:\s*${ABOUT}${MORE}${COUNT}`,
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:hat|haben|beschäftigt|beschäftigen|zählt)\s+${ABOUT}${MORE}${COUNT}\s+(?:Mitarbeiter(?:innen)?|Mitarbeitende|Beschäftigte|Angestellte)(?![\p{L}])`,
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:a|ont|avons|compte|comptent|emploie|emploient)\s+${ABOUT}${MORE}${COUNT}\s+(?:salariés|employés|collaborateurs)(?![\p{L}])`,
  String.raw`(?:${BEGIN}${FOREIGN_SUBJECT}\s+|^)(?:[Tt]ienen?|[Tt]enemos|[Ee]mplean?|[Cc]uentan? con)\s+${ABOUT}${MORE}${COUNT}\s+(?:empleados|trabajadores)(?![\p{L}])`,
].map(pattern => new RegExp(pattern, 'u'));

const PLACE = String.raw`(?<place>\p{Lu}[\p{L}'-]{1,40}(?:\s(?:am|an der|upon|de|la|del)?\s?\p{Lu}[\p{L}'-]{1,40}){0,2})`;
const locations = [
  String.raw`(?:${BEGIN}${SUBJECT}(?:\s+(?:is|are|am)|'s|'re|'m)(?:\s+(?:now|currently))?\s+|^)(?<how>[Bb]ased|[Hh]eadquartered)\s+(?:in|out of)\s+${PLACE}`,
  String.raw`${BEGIN}${SUBJECT}\s+lives?\s+in\s+${PLACE}`,
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:hat|haben)\s+(?:seinen|ihren|den|unseren)\s+(?<how>Hauptsitz|Firmensitz|Sitz)\s+in\s+${PLACE}`,
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:est|sont|sommes)\s+(?<how>basée?s?|située?s?|installée?s?)\s+(?:à|au|en)\s+${PLACE}`,
  String.raw`(?:${BEGIN}${FOREIGN_SUBJECT}\s+|^)(?:(?<how>[Tt]ienen? su sede)|[Ee]stán? (?:basad|ubicad)[oa]s?)\s+en\s+${PLACE}`,
].map(pattern => new RegExp(pattern, 'u'));
/** Capitalised words after `in` that are no places. */
const NO_PLACE =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|Sales|Marketing|Finance|Zoom|Teams|Slack)\b/;

const PRODUCT = String.raw`(?<product>\p{Lu}[\p{L}\p{N}./+-]{1,30}(?:\s\p{Lu}[\p{L}\p{N}./+-]{1,30}){0,2})`;
const uses = [
  String.raw`${BEGIN}${SUBJECT}(?:\s+(?:currently|now|already|all|still|mostly|mainly))?\s+(?:uses?|(?:is|are|am) using|runs? on|rel(?:y|ies) on|work(?:s)? with)\s+${PRODUCT}(?=[.,;!)]|$|\s+(?:as|for|and|to|since|in|today|across|at|with|now)(?![\p{L}]))`,
].map(pattern => new RegExp(pattern, 'u'));
const foreignUses = [
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:nutzt|nutzen|verwendet|verwenden|arbeitet mit|arbeiten mit|setzt auf|setzen auf)\s+${PRODUCT}`,
  String.raw`${BEGIN}${FOREIGN_SUBJECT}\s+(?:utilise|utilisent|utilisons|travaillent avec)\s+${PRODUCT}`,
  String.raw`(?:${BEGIN}${FOREIGN_SUBJECT}\s+|^)(?:[Uu]san?|[Uu]samos|[Uu]tilizan?|[Uu]tilizamos|[Tt]rabajan con)\s+${PRODUCT}`,
].map(pattern => new RegExp(pattern, 'u'));
const NO_PRODUCT =
  /^(?:Agile|Scrum|Kanban|English|German|French|Spanish|LinkedIn Premium|Our|The|A|An|This|That|It|Them|Us|Something|Nothing|Everything|Another|Other|Many|Several|Excel sheets?)\b/;
const knownSoftware = new Set(SOFTWARE.map(name => name.toLowerCase()));

/** All patterns of this rule, so that their cost can be measured. */
export const COMPANY_FACT_PATTERNS: readonly RegExp[] = [...headcounts, ...locations, ...uses, ...foreignUses];

/** Finds headcount, seat and software: `has 450 employees`, `based in Munich`, `they use HubSpot`. */
export const companyFactsRule: ExtractionRule = {
  id: 'company_facts',
  find: (sentence, context) => [
    ...findFirst(headcounts, sentence, match => readHeadcount(match, sentence, context)),
    ...findFirst(locations, sentence, match => readLocation(match, context)),
    ...findFirst(uses, sentence, match => readProduct(match, context, false)),
    ...findFirst(foreignUses, sentence, match => readProduct(match, context, true)),
  ],
};

function findFirst(
  patterns: readonly RegExp[],
  sentence: string,
  read: (match: RegExpExecArray) => Match | undefined,
): Match[] {
  for (const pattern of patterns) {
    const match = pattern.exec(sentence);
    const found = match && read(match);
    if (found) return [found];
  }
  return [];
}

function readHeadcount(match: RegExpExecArray, sentence: string, context: ExtractionContext): Match | undefined {
  const { count = '', more } = match.groups!;
  const ends = count.split(/\s?[-–]\s?/).map(end => Number(end.replaceAll(/[.,']/g, '')));
  const [low, high] = ends;
  if (low === undefined || ends.some(end => !Number.isInteger(end) || end < 1 || end > 5_000_000)) return undefined;
  const isOpen = more !== undefined || sentence[match.index + match[0].indexOf(count) + count.length] === '+';
  const value = high !== undefined ? `${low}-${high}` : isOpen ? `${low}+` : low;
  return toMatch(match, 'headcount', value, checkCompany(match, context, true));
}

function readLocation(match: RegExpExecArray, context: ExtractionContext): Match | undefined {
  const { place = '', how = '' } = match.groups!;
  if (NO_PLACE.test(place)) return undefined;
  const isSeat = /headquartered|sitz|sede/i.test(how);
  return toMatch(match, 'location', place.trim(), checkCompany(match, context, isSeat));
}

function readProduct(match: RegExpExecArray, context: ExtractionContext, mustBeKnown: boolean): Match | undefined {
  const product = match.groups!['product']!.replace(/[.,]$/, '');
  const name = product.toLowerCase();
  const isOwnList = [...context.technologies, ...context.competitors].some(
    known => known.trim().toLowerCase() === name,
  );
  if (isOwnList || NO_PRODUCT.test(product) || (mustBeKnown && !knownSoftware.has(name))) return undefined;
  return toMatch(match, 'technologies', product, checkCompany(match, context, true));
}

/** Checks whose fact it is. A fact of a company in a text about a person is not the person's. */
function checkCompany(match: RegExpExecArray, context: ExtractionContext, isOfCompany: boolean): Match['reviewReason'] {
  const who = match.groups?.['who'];
  const isOurs = who !== undefined && /^(?:wir|nous)$/i.test(who);
  if (isOurs) return context.isAuthor ? undefined : 'first_person';
  const isPronoun = who !== undefined && /^(?:sie|er|ils?|elles?)$/i.test(who);
  const all = { ...context, names: [...context.names, ...context.companies] };
  const reviewReason = isPronoun ? undefined : checkSubject(who, all);
  return reviewReason ?? (isOfCompany && context.subject === 'person' ? 'about_company' : undefined);
}

function toMatch(
  match: RegExpExecArray,
  property: string,
  value: string | number,
  reviewReason: Match['reviewReason'],
): Match {
  const lead = match[0].length - match[0].trimStart().length;
  return { property, value, start: match.index + lead, end: match.index + match[0].length, reviewReason };
}
