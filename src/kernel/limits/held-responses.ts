import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** How long a refusal is held by default, in milliseconds. */
const HOLD_MS = 1_000;
/** Maximum number of responses that are held at the same time. */
const MAX_HELD = 2_000;
/** Maximum number of responses to one network that are held at the same time. */
const MAX_HELD_PER_NETWORK = 500;

/**
 * Delays refusals, so that a caller who ignores them sends at most one request per connection and second. A held
 * response costs a timer; beyond {@link MAX_HELD} responses are not delayed, and their connection is closed.
 */
@Injectable()
export class HeldResponses {
  private readonly heldByNetwork = new Map<string, number>();
  private heldCount = 0;

  /** Returns the number of responses that are held now. */
  get held(): number {
    return this.heldCount;
  }

  /**
   * Waits before a refusal is sent.
   * @param network network of the caller, see `toNetwork`
   * @param maxPerNetwork maximum number of held responses of this network
   * @returns whether the response was held; if not, too many are held already
   */
  async hold(network: string, delayMs = HOLD_MS, maxPerNetwork = MAX_HELD_PER_NETWORK): Promise<boolean> {
    const heldHere = this.heldByNetwork.get(network) ?? 0;
    if (this.heldCount >= MAX_HELD || heldHere >= maxPerNetwork) return false;
    this.heldCount++;
    this.heldByNetwork.set(network, heldHere + 1);
    try {
      await pause(delayMs);
    } finally {
      this.release(network);
    }
    return true;
  }

  private release(network: string): void {
    this.heldCount--;
    const left = this.heldByNetwork.get(network)! - 1;
    if (left === 0) this.heldByNetwork.delete(network);
    else this.heldByNetwork.set(network, left);
  }
}
