import { figuresOf, type JudgedQuestion, RECALL_AT } from '../../test/support/graph/notes-quality.ts';

type Rankings = ReadonlyMap<string, string[]>;

const head = ['ranking', 'questions', 'recall@8', 'answers@8', 'nDCG@10'];

/** The figures of several rankings as a table in Markdown: for all questions, for paraphrases, and for the others. */
export function tableOf(questions: readonly JudgedQuestion[], rankings: ReadonlyMap<string, Rankings>): string {
  const groups = {
    all: questions,
    paraphrases: questions.filter(({ paraphrase }) => paraphrase),
    others: questions.filter(({ paraphrase }) => !paraphrase),
  };
  const rows = [...rankings].flatMap(([name, found]) =>
    Object.entries(groups).map(([group, response]) => {
      const { recall, answers, ndcg } = figuresOf(response, found);
      return [name, `${group} (${response.length})`, ...[recall, answers, ndcg].map(figure => figure.toFixed(3))];
    }),
  );
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** The questions of which less than half of the answers are among the first, the worst first, with what is missing. */
export function missesOf(questions: readonly JudgedQuestion[], rankings: Rankings): string {
  return questions
    .map(each => ({ ...each, recall: figuresOf([each], rankings).answers, found: rankings.get(each.id) ?? [] }))
    .filter(({ recall }) => recall < 0.5)
    .toSorted((one, other) => one.recall - other.recall)
    .map(({ question, relevant, found, recall }) => {
      const missing = Object.keys(relevant).filter(id => relevant[id] === 2 && !found.slice(0, RECALL_AT).includes(id));
      return `${recall.toFixed(2)} ${question} Missing ${missing.join(' ')}; found ${found.join(' ')}`;
    })
    .join('\n');
}
