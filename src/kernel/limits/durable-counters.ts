import { SharedCounters } from './shared-counters.js';

/** Counters that must outlive Redis: observations of a day and stored bytes. Always in PostgreSQL. */
export class DurableCounters extends SharedCounters {}
