/** What an export of a list asks the API for. */
export interface ExportRequest {
  readonly sort: string | undefined;
  readonly search: string | undefined;
  readonly filter: string | undefined;
  /** Fields that the columns show. */
  readonly fields: string;
}

/** Loads the rows of a list as CSV. */
export type LoadCsv = (request: ExportRequest) => Promise<Blob>;

/** Filters are part of the address, which is limited; so many identifiers fit into it. */
const MAX_IDS = 200;

/** Loads some rows of a list as CSV, by their identifiers. @param field that has the identifier */
export async function loadTicked(
  load: LoadCsv,
  request: Pick<ExportRequest, 'sort' | 'fields'>,
  field: string,
  ids: readonly string[],
): Promise<Blob> {
  const parts: string[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const filter = JSON.stringify({ [field]: { $in: ids.slice(start, start + MAX_IDS) } });
    const csv = await (await load({ ...request, search: undefined, filter })).text();
    // The names of the columns stand once, at the beginning of the file.
    parts.push(start === 0 ? csv : csv.slice(csv.indexOf('\n') + 1));
  }
  return new Blob(parts, { type: 'text/csv' });
}
