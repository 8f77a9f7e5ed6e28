/** What the address of the notes page holds. */
export interface NotesSearch {
  /** Question that notes are searched by. */
  readonly q?: string | undefined;
  /** Note that is open, by its ID. */
  readonly note?: string | undefined;
  /** Whether a new note is being written. */
  readonly write?: true | undefined;
}

/** Reads the address of the notes page. What it cannot mean is left out. */
export function readNotesSearch({ q, note, write }: Readonly<Record<string, unknown>>): NotesSearch {
  return {
    q: typeof q === 'string' && q !== '' ? q : undefined,
    note: typeof note === 'string' && note !== '' ? note : undefined,
    write: write === true || undefined,
  };
}
