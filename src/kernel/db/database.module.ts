import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Database } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

/** Injection token of the open {@link Database}. */
export const DATABASE = Symbol.for('rapport:database');

/** Makes the {@link Database} and its {@link UnitOfWork} injectable everywhere. */
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
