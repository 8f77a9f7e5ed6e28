import { Module } from '@nestjs/common';
import { Deliverer } from './deliverer.js';
import { Deliveries } from './deliveries.routes.js';
import { Endpoints } from './endpoints.routes.js';
import { Planner } from './planner.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [Endpoints, Deliveries, Planner, Deliverer] })
export class TriggersPlugin {}

export default TriggersPlugin;
