import { serve } from '../env/serve.ts';
import { HttpConnection } from './http-connection.ts';
import { type RequestParts, requestsOf, type Workload } from './requests.ts';
import { type Extent, driveLoad, type Sample } from './sample.ts';

/** Load on a server over HTTP. */
export interface HttpJob {
  readonly url: string;
  /** API key; absent where the server wants none. */
  readonly key?: string;
  readonly connections: number;
  readonly extent: Extent;
  readonly workload: Workload;
}

const RECORDED = /"recorded":(\d+)/;

let sent = 0;

serve<HttpJob, Sample>(async ({ url, key, connections, extent, workload }) => {
  const next = requestsOf(workload);
  const write = writerFor(url, key);
  const lanes = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(url)));
  const sample = await driveLoad(lanes, extent, async (lane, tally) => {
    const request = write(next(sent++));
    const began = performance.now();
    const { status, body } = await lane.send(request);
    if (status === 200 || status === 201)
      tally.done(performance.now() - began, Number(RECORDED.exec(body())?.[1] ?? 0));
    else tally.fail(status);
  });
  for (const lane of lanes) lane.close();
  return sample;
});

/** Puts requests to one server into HTTP. */
function writerFor(url: string, key: string | undefined): (parts: RequestParts) => string {
  const auth = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const common = ` HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${auth}`;
  return ({ path, body, headers = {} }) => {
    const more = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    if (body === undefined) return `GET ${path}${common}\r\n`;
    const length = Buffer.byteLength(body);
    return `POST ${path}${common}${more}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  };
}
