const LINE_END = /\r\n|\n|\r(?!$)/;

/** Yields the data of each event of a `text/event-stream`. */
export async function* readEventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(LINE_END);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
