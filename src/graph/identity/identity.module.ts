import { Module } from '@nestjs/common';
import { FinderService } from './finder.service.js';
import { IdentityService } from './identity.service.js';

/** Who is who. */
@Module({ providers: [FinderService, IdentityService], exports: [FinderService, IdentityService] })
export class IdentityModule {}
