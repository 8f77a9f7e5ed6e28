import { findText } from './json-fields.js';
import type { Json } from '@rapport/plugin-sdk';

/** What Cal.com puts into the addresses of users that a platform manages. */
const MANAGED_SUFFIX = /\+[a-zA-Z0-9]{25}(?=@)/;
/** Made from the number of somebody who booked by phone. */
const SMS_DOMAIN = /@sms\.cal\.com$/;
const EMAIL_PATTERN = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** The first of these that is an e-mail address, in lower case and without what Cal.com has put in; else undefined. */
export function findAddress(...values: readonly (Json | undefined)[]): string | undefined {
  const addresses = values.map(value => findText(value)?.toLowerCase().replace(MANAGED_SUFFIX, ''));
  return addresses.find(address => address !== undefined && EMAIL_PATTERN.test(address));
}

/** Whether somebody can be written to there. */
export function isReachable(address: string): boolean {
  return !SMS_DOMAIN.test(address);
}
