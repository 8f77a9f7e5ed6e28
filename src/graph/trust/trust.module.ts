import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { ClaimRebuildJob } from './claim-rebuild.job.js';
import { TrustController } from './trust.controller.js';
import { TrustService } from './trust.service.js';

/** Trust settings, and the claim rebuild after a change. */
@Module({ imports: [ClaimsModule], controllers: [TrustController], providers: [TrustService, ClaimRebuildJob] })
export class TrustModule {}
