import type { JudgedNote, JudgedQuestion } from '../../test/support/graph/notes-quality.ts';

/** Few notes are longer than a passage. So that neighbours tell something: all notes of a contact as one long note. */
export function historiesOf(notes: readonly JudgedNote[]): JudgedNote[] {
  const byContact = Map.groupBy(notes, note => note.contact);
  return [...byContact].map(([contact, own]) => ({
    ...own.at(-1)!,
    id: contact,
    title: '',
    content: own.map(({ title, content }) => `${title}. ${content.replaceAll('\n', ' ')}`).join('\n\n'),
  }));
}

/** The questions, with the contacts in whose notes the answer is; the best grade of a note is the contact's. */
export function askedOfHistories(questions: readonly JudgedQuestion[], notes: readonly JudgedNote[]): JudgedQuestion[] {
  const contactOf = new Map(notes.map(({ id, contact }) => [id, contact]));
  return questions.map(question => {
    const relevant: Record<string, number> = {};
    for (const [id, grade] of Object.entries(question.relevant)) {
      const contact = contactOf.get(id)!;
      relevant[contact] = Math.max(grade, relevant[contact] ?? 0);
    }
    return { ...question, relevant };
  });
}
