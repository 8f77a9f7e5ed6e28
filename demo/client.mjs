import { setTimeout as pause } from 'node:timers/promises';

const PATIENT = new Set([429, 503]);
const TRIES = 8;
const LONGEST_PAUSE_S = 30;

/** The hub could not be reached, or answered in a way that nobody expects. */
export class HubTrouble extends Error {}

/**
 * @typedef {{ readonly baseUrl: string, readonly apiKey: string }} Access
 * @typedef {{ readonly status: number, readonly body: any, readonly waits: number }} Answer
 *   `waits`: how often the hub asked us to come again later
 */

/** A client of the REST API that waits when the hub asks it to (429 and 503, `Retry-After`). */
export class HubClient {
  /** @param {Access} access */
  constructor({ baseUrl, apiKey }) {
    this.base = baseUrl.replace(/\/+$/, '');
    this.headers = { authorization: `Bearer ${apiKey}`, 'x-rapport-client': 'demo' };
  }

  /** @returns {Promise<Answer>} */
  record(focus, observations) {
    const body = JSON.stringify({ focus, observations });
    const headers = { ...this.headers, 'content-type': 'application/json' };
    return this.send('/v2/observations', { method: 'POST', headers, body });
  }

  /** The account of a focus with its whole history. @returns {Promise<Answer>} */
  account(focus) {
    return this.send(`/v2/accounts/${encodeURIComponent(focus)}?limit=200`, { headers: this.headers });
  }

  async send(path, init) {
    for (let waits = 0; ; waits++) {
      const response = await reach(this.base + path, init);
      if (!PATIENT.has(response.status) || waits === TRIES) {
        return { status: response.status, body: await jsonOf(response), waits };
      }
      await response.arrayBuffer();
      await pause(1000 * pauseOf(response.headers.get('retry-after')));
    }
  }
}

/** Seconds to wait; one where the hub does not say. @param {string | null} retryAfter */
export function pauseOf(retryAfter) {
  const seconds = Number(retryAfter ?? 1);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_PAUSE_S) : 1;
}

async function reach(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    const reason = error.cause?.message || error.cause?.code || error.message;
    throw new HubTrouble(`The hub at ${new URL(url).origin} cannot be reached: ${reason}.`, { cause: error });
  }
}

async function jsonOf(response) {
  try {
    return await response.json();
  } catch (error) {
    throw new HubTrouble(`The hub answered ${response.status} without JSON.`, { cause: error });
  }
}
