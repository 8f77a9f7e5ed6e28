import { textOf } from './reading.js';
import type { Json } from '@rapport/plugin-sdk';

/** What Cal.com puts into the addresses of users that a platform manages. */
const MANAGED = /\+[a-zA-Z0-9]{25}(?=@)/;
/** Made from the number of somebody who booked by phone. */
const SYNTHETIC = /@sms\.cal\.com$/;
const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** The first of these that is an e-mail address, in lower case and without what Cal.com has put in; else undefined. */
export function addressOf(...values: readonly (Json | undefined)[]): string | undefined {
  const addresses = values.map(value => textOf(value)?.toLowerCase().replace(MANAGED, ''));
  return addresses.find(address => address !== undefined && ADDRESS.test(address));
}

/** Whether somebody can be written to there. */
export function isReachable(address: string): boolean {
  return !SYNTHETIC.test(address);
}
