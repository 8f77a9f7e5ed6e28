import { Module } from '@nestjs/common';
import { Deliverer } from './deliverer.js';
import { DeliveryRoutes } from './deliveries.routes.js';
import { EndpointRoutes } from './endpoints.routes.js';
import { Planner } from './planner.js';
import { RunFailurePlanner } from './run-failures.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [EndpointRoutes, DeliveryRoutes, Planner, RunFailurePlanner, Deliverer] })
export class TriggersPlugin {}

export default TriggersPlugin;
