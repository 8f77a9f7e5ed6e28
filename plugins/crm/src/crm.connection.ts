import { Injectable } from '@nestjs/common';
import { type CheckResult, type ConnectionLifecycle, Lifecycle, type TestResult } from '@rapport/plugin-sdk';
import { adapterOf } from './adapters/adapters.js';
import type { Hub } from './plugin.js';

/** Connects a workspace to its CRM. Nothing is registered there, and nothing is read before somebody starts a sync. */
@Lifecycle()
@Injectable()
export class CrmConnection implements ConnectionLifecycle {
  test(hub: Hub): Promise<TestResult> {
    return adapterOf(hub).test(hub);
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  async check(): Promise<CheckResult> {
    return { webhook_active: null, message: 'Changes are read every 10 minutes if auto_sync is on.' };
  }
}
