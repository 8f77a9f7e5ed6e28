/** Files that can be imported, for a file input. */
export const FILE_TYPES = '.csv,.tsv,.txt,.xlsx';

const ENDINGS = FILE_TYPES.split(',');

/** Returns whether the name of a file is that of a table. */
export function isTable({ name }: { readonly name: string }): boolean {
  return ENDINGS.some(ending => name.toLowerCase().endsWith(ending));
}

/** Returns pasted rows as a file. Spreadsheets copy their cells with tabs. */
export function toPastedFile(text: string): File {
  const [name, type] = text.includes('\t') ? ['pasted.tsv', 'text/tab-separated-values'] : ['pasted.csv', 'text/csv'];
  return new File([text], name, { type });
}
