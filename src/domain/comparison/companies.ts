import { toWords } from './canonical-key.js';

/**
 * Legal forms, as folded words with dots removed. Forms of several words are written with spaces. Only whole words at
 * the end of a name (or, where usual, at its beginning) are cut.
 */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    'inc|incorporated|corp|corporation|co|company|llc|l l c|ltd|limited|plc|lp|llp|lllp|pllc|pc|pbc|gmbh|mbh|ug|ag|kg|kgaa|' +
    'ohg|gbr|ev|eg|se|gmbh co kg|gmbh and co kg|ag co kg|co kg|and co kg|ug haftungsbeschrankt|haftungsbeschrankt|ges m b h|sa|sas|sasu|sarl|' +
    'eurl|snc|sci|scop|sl|slu|s l|s a|s a s|s r l|s p a|sau|scl|srl|srls|spa|sapa|ltda|eireli|epp|sgps|lda|unipessoal lda|' +
    'bv|b v|nv|n v|vof|cv|bvba|ab|aktiebolag|hb|as|a s|asa|aps|a p s|oy|oyj|ou|uab|sia|as|sp z o o|sp zoo|sp z oo|spzoo|spolka akcyjna|' +
    'spolka z o o|sro|s r o|spol s r o|doo|d o o|d d|kft|zrt|nyrt|ead|eood|ood|ooo|oao|zao|pao|pty|pty ltd|pte|' +
    'pte ltd|pvt|pvt ltd|private limited|bhd|sdn bhd|tbk|kk|k k|gk|co ltd|company limited|jsc|pjsc|ojsc|fze|fzco|fzc|wll|' +
    'ehf|hf'
  ).split('|'),
);
const LEADING_FORMS: ReadonlySet<string> = new Set(['the', 'pt', 'ooo', 'zao', 'oao', 'pao', 'sas', 'sarl']);
const CYRILLIC_AND_JAPANESE =
  /株式会社|有限会社|合同会社|有限公司|股份有限公司|(?:^|\s)(?:ооо|зао|оао|пао|тов)(?=\s|$)/gu;
const DOTTED = /(?<=\p{L})\.(?=\p{L}|\s|$|,|\))/gu;
const MAX_FORM_WORDS = 4;
const MAX_NAME_LENGTH = 300;

/**
 * Returns the words of a company name without its legal form: `ACME GmbH & Co. KG` and `Acme, Inc.` are both `acme`. A
 * name that consists of legal forms keeps them. Empty for text without words.
 */
export function companyKey(name: string): string {
  const text = name.slice(0, MAX_NAME_LENGTH).normalize('NFKC').toLowerCase();
  const plain = text.replace(CYRILLIC_AND_JAPANESE, ' ').replace(DOTTED, '').replaceAll('&', ' and ');
  const all = toWords(plain.trim() === '' ? text : plain);
  let words = all;
  while (words.length > 1 && LEADING_FORMS.has(words[0]!)) words = words.slice(1);
  for (let form = trailingForm(words); form > 0 && form < words.length; form = trailingForm(words)) {
    words = words.slice(0, -form);
    while (words.length > 1 && words.at(-1) === 'and') words = words.slice(0, -1);
  }
  return words.join(' ');
}

function trailingForm(words: readonly string[]): number {
  for (let length = Math.min(MAX_FORM_WORDS, words.length); length > 0; length -= 1) {
    if (LEGAL_FORMS.has(words.slice(-length).join(' '))) return length;
  }
  return 0;
}
