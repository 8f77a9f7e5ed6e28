import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Database } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

/** Injection token of the open {@link Database}. */
export const DATABASE = Symbol.for('rapport:database');

/** Makes the database injectable everywhere, which for services means the {@link UnitOfWork}. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DATABASE, useValue: database },
        { provide: UnitOfWork, useValue: database.work },
      ],
      exports: [DATABASE, UnitOfWork],
    };
  }
}
