const TITLE_WORD =
  /\b(?:c[a-z]{1,2}o|chief|[es]?vp|vice president|president|head|director|manager|lead|leader|officer|founder|co-founder|owner|partner|principal|analyst|consultant|specialist|representative|rep|executive|coordinator|administrator|architect|developer|designer|engineer|buyer|counsel|controller|accountant|assistant|associate|intern|professor|recruiter|scientist|strategist|supervisor|secretary|treasurer|chair|chairman|chairwoman|advisor|adviser|planner|producer|editor|marketer|ae|sdr|bdr|csm|pm|gm|md|coo)\b/i;
const NO_TITLE =
  /\b(?:not|no|never|he|she|they|we|i|you|is|are|was|were|has|have|had|will|would|can|busy|available|happy|interested|hiring|looking|expected|named|able|sure|customer|client|member|user)\b/i;
const ENDS_TITLE =
  /,|;| [-–—] |\(|"|(?<!\s)\s+(?:and|but)\s+(?=(?:he|she|they|i|we|is|has|had|will|wants?|would|asked|owns|runs|leads|reports|now)\b)|(?<!\s)\s+(?:since|effective|starting|as of|from|after|this|last|next|who|which|where|because|so|today|yesterday|there|here|recently|until|before|when|while|instead)\b|(?<!\s)\s+(?:in|on)\s+(?=\d|q\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i;
const COMPANY =
  /^(?:the\s+)?(?<name>[\p{Lu}\p{N}][\p{L}\p{N}&.'+-]*(?:\s+(?:[\p{Lu}\p{N}&][\p{L}\p{N}&.'+-]*|of(?=\s+\p{Lu})|and(?=\s+\p{Lu})|de|du))*)/u;
const NO_COMPANY =
  /^(?:zoom|teams|google meet|slack|i|he|she|they|we|it|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|\d+)$/i;
const MAX_TITLE_WORDS = 8;

/** A job as text: `VP of Sales at Acme`. `length` counts its characters. */
export interface JobRole {
  readonly title?: string;
  readonly company?: string;
  readonly length: number;
}

/** Parses `TITLE (at COMPANY)` at the beginning of a text; undefined if it does not start with a title. */
export function parseRole(text: string): JobRole | undefined {
  const lead = /^(?:(?:the|our|their|its|a|an|new|his|her|my)\s+)*/i.exec(text)![0].length;
  const at = /(?<!\s)\s+(?:at|for|with|@)\s+(?=(?:the\s+)?[\p{Lu}\p{N}])/u.exec(text.slice(lead));
  const cut = ENDS_TITLE.exec(text.slice(lead));
  const ends = Math.min(at?.index ?? Infinity, cut?.index ?? Infinity, text.length - lead);
  const title = trimPunctuation(text.slice(lead, lead + ends));
  if (!isTitle(title)) return undefined;
  if (!at || at.index !== ends) return { title, length: lead + title.length };
  const from = lead + at.index + at[0].length;
  const company = parseCompany(text.slice(from));
  if (!company) return { title, length: lead + title.length };
  return { title, company: company.name, length: from + company.length };
}

/** Parses the name of a company at the beginning of a text. */
export function parseCompany(text: string): { readonly name: string; readonly length: number } | undefined {
  const found = COMPANY.exec(text);
  if (!found) return undefined;
  const name = trimPunctuation(found.groups!['name']!).replace(/'s$/, '');
  if (NO_COMPANY.test(name)) return undefined;
  return { name, length: found[0].indexOf(name) + name.length };
}

function isTitle(text: string): boolean {
  return (
    TITLE_WORD.test(text) &&
    !NO_TITLE.test(text) &&
    !/\bit\b|^It\b/.test(text) &&
    text.split(/\s+/).length <= MAX_TITLE_WORDS
  );
}

function trimPunctuation(text: string): string {
  return text.replace(/(?<=(?:^|[^.])[\p{L}\p{N}]{2})\.+$|(?<![\s,;:!?"'–-])[\s,;:!?"'–-]+$/gu, '').trim();
}
