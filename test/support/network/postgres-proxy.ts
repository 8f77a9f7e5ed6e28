import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way to a PostgreSQL, which can fail as networks do. */
export interface PostgresProxy {
  /** The same database, through the link. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Takes every byte and passes none on, in either direction; new connections are accepted, and hang as well. */
  stall(): void;
  /** The connection that next sends `word` falls silent from there on, for good; others work. Resolves when it has. */
  silenceAt(word: string): Promise<void>;
  /** Cuts when the connection that next sends `word` is about to learn that it has committed. Resolves then. */
  cutAfterCommitOf(word: string): Promise<void>;
  /** The same, but like a pooler whose server has gone, which says so in an error of its own; others work. */
  giveUpAfterCommitOf(word: string): Promise<void>;
  /** New connections work. Those that were stalled are broken: a network forgets them too. */
  restore(): void;
  close(): void;
}

/** What shall befall the connection that sends a word, and who waits for it. */
interface Trap {
  readonly word: string;
  readonly kind: 'silence' | 'cut after commit' | 'give up after commit';
  readonly sprung: () => void;
}

/** What a pooler tells its client when the server has left it. */
const GIVEN_UP = errorResponse({ S: 'FATAL', V: 'FATAL', C: '08P01', M: 'server conn crashed?' });

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(fields).map(([kind, text]) => `${kind}${text}\0`);
  const body = Buffer.from(`${texts.join('')}\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Opens a link to the server that a URL names. */
export async function postgresProxy(target: string): Promise<PostgresProxy> {
  const server = new URL(target);
  const sockets = new Set<Socket>();
  let mood: 'passing' | 'stalled' | 'cut' = 'passing';
  let trap: Trap | undefined;

  const hangUp = () => sockets.forEach(socket => socket.destroy());
  const cut = () => {
    mood = 'cut';
    hangUp();
  };
  const accept = (near: Socket) => {
    if (mood === 'cut') return void near.resetAndDestroy();
    const far = connect(Number(server.port), server.hostname);
    let caught: Trap | undefined;
    carry(near, far, chunk => {
      if (trap && chunk.includes(trap.word)) {
        [caught, trap] = [trap, undefined];
        if (caught.kind === 'silence') caught.sprung();
      }
      return caught?.kind !== 'silence';
    });
    carry(far, near, chunk => {
      if (caught && caught.kind !== 'silence' && chunk.includes('COMMIT')) {
        if (caught.kind === 'cut after commit') cut();
        else near.end(GIVEN_UP);
        caught.sprung();
      }
      return !caught;
    });
  };
  const carry = (from: Socket, to: Socket, mayPass: (chunk: Buffer) => boolean) => {
    sockets.add(from);
    from.on('data', chunk => void (mood === 'passing' && mayPass(chunk) && to.write(chunk)));
    from
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
  };
  const set = (kind: Trap['kind'], word: string) => new Promise<void>(sprung => (trap = { kind, word, sprung }));

  const listener = createServer(accept);
  await new Promise<void>(resolve => void listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut,
    stall: () => void (mood = 'stalled'),
    silenceAt: word => set('silence', word),
    cutAfterCommitOf: word => set('cut after commit', word),
    giveUpAfterCommitOf: word => set('give up after commit', word),
    restore: () => {
      if (mood === 'stalled') hangUp();
      mood = 'passing';
    },
    close: () => {
      cut();
      listener.close();
    },
  };
}
