import { Module } from '@nestjs/common';
import { ViewsController } from './views.controller.js';
import { ViewsService } from './views.service.js';

/** Provides the endpoints for saved views. */
@Module({ controllers: [ViewsController], providers: [ViewsService] })
export class ViewsModule {}
