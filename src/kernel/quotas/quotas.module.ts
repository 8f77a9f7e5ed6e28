import { Global, Module } from '@nestjs/common';
import { QuotaService } from './quota.service.js';

/** Quotas of workspaces by plan. */
@Global()
@Module({ providers: [QuotaService], exports: [QuotaService] })
export class QuotasModule {}
