import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

/** Provides the endpoint of the audit log. */
@Module({ controllers: [AuditController], providers: [AuditService] })
export class AuditModule {}
