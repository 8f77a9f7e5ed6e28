import { type FakeWeb, startFakeWeb } from './fake-web.js';

/** An OpenAI-compatible endpoint of a test's own. */
export interface FakeLlm extends FakeWeb {
  /** What it does with the next questions; a string is said as it stands, anything else as JSON. */
  answer: ((question: { readonly system: string; readonly user: string }) => unknown) | 'down' | 'silent';
  /** The bodies of the questions so far. */
  asked(): { model: string; temperature: number; response_format?: { type: string } }[];
}

/** Starts the endpoint on a free port; it begins with saying `{}`. */
export async function startFakeLlm(): Promise<FakeLlm> {
  const llm = { answer: (() => ({})) as FakeLlm['answer'] };
  const web = await startFakeWeb(({ body }, response) => {
    if (llm.answer === 'silent') return;
    if (llm.answer === 'down') return void response.writeHead(503).end();
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const output = llm.answer({ system: messages[0]!.content, user: messages[1]!.content });
    const content = typeof output === 'string' ? output : JSON.stringify(output);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  return Object.assign(llm, web, { asked: () => web.seen.map(({ body }) => JSON.parse(body)) });
}
