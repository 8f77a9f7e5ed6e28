import type { NoteSearchResponse } from '#graph/notes/notes-search.service.js';
import type { SaveNoteResponse } from '#graph/notes/notes.presenter.js';
import type { ErrorBody } from './graph-calls.js';
import type { Answer, Client } from '../hub.js';

/** Saves a note, which must succeed. */
export async function saveNote(
  client: Client,
  focus: string,
  content: string,
  more: object = {},
): Promise<SaveNoteResponse> {
  const { status, body } = await client.post<SaveNoteResponse>('/v2/notes', { focus, content, ...more });
  if (status > 201) throw new Error(`the note on ${focus} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Searches notes and gives the answer whatever it is. */
export function trySearch(client: Client, body: object): Promise<Answer<NoteSearchResponse & ErrorBody>> {
  return client.post('/v2/notes/search', body);
}

/** Searches notes, which must succeed. */
export async function searchNotes(client: Client, question: string, more: object = {}): Promise<NoteSearchResponse> {
  const { status, body } = await trySearch(client, { question, ...more });
  if (status !== 200) throw new Error(`"${question}" was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The ids of what is found, the closest first. */
export async function foundIds(client: Client, question: string, more: object = {}): Promise<string[]> {
  return (await searchNotes(client, question, more)).documents.map(({ id }) => id);
}
