import { Module } from '@nestjs/common';
import { AcmeDialerConnection } from './connection.js';
import { CallHandlers } from './calls.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [AcmeDialerConnection, CallHandlers] })
export class AcmeDialerPlugin {}

export default AcmeDialerPlugin;
