/** Words by which a company names its legal form, folded and without dots. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  [
    'ab ag aps as asa bhd bv bvba corp corporation co company cia doo eg eirl ek eurl gbr gesmbh gmbh gmbhcokg',
    'holding holdings inc incorporated kft kg kgaa kk limited llc llp lp ltd ltda mbh nv ohg oy oyj pbc plc pte pty',
    'pvt sa sab sp sapi sarl sas sasu sca scs sdn se sl slu snc sociedad spa spol spzoo srl sro ug ulc zoo zrt',
  ].flatMap(line => line.split(' ')),
);

/** Returns whether a folded word names a legal form, such as `gmbh` or `inc`. */
export function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.has(word);
}

/** Returns the words of a name without those of a legal form; all of them if nothing else is left. */
export function withoutLegalForms(words: readonly string[]): readonly string[] {
  const rest = words.filter(word => !isLegalForm(word));
  return rest.length === 0 ? words : rest;
}
