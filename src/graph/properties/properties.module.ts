import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesService } from './properties.service.js';

/** The properties that a workspace knows, for those who build filters, columns and mappings. */
@Module({ imports: [ClaimsModule], controllers: [PropertiesController], providers: [PropertiesService] })
export class PropertiesModule {}
