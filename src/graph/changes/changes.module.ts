import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChangeFeedService } from './change-feed.service.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

/** What changed since a cursor. */
@Module({
  imports: [AccountsModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangeFeedService],
  exports: [ChangesService],
})
export class ChangesModule {}
