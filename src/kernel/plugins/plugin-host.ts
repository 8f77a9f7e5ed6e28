import { hostname } from 'node:os';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { ReadinessProbes } from '#kernel/http/readiness-probes.js';
import { SparingLog } from '#kernel/queue/sparing.log.js';
import { catchStrayErrors } from './cell/stray-errors.js';
import { discoverPlugins } from './find/discover.js';
import { Wishes } from './known-plugin.js';
import { PluginCatalogue } from './plugin-catalogue.js';
import type { PluginDoor } from './plugin-door.js';
import { PluginLoader } from './plugin-loader.js';
import { report } from './wishes/plugin-reports.js';
import { readWishes } from './wishes/plugin-wishes.js';

/** Injection token of the doors, in the order that they are opened. */
export const PLUGIN_DOORS = Symbol.for('rapport:plugin-doors');

/** How often wishes are looked at, in milliseconds. */
const LOOK_EVERY_MS = 2_000;
const REPORT_EVERY_MS = 30_000;

/**
 * Finds the plugins, brings up those that can be, and follows what operators wish while the hub runs. Whatever a
 * plugin does at its start, the hub starts.
 */
@Injectable()
export class PluginHost implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble = new SparingLog(new Logger('plugins'), 'What operators wish of plugins cannot be read');
  private readonly process = `${hostname()}:${process.pid}:${newId().slice(-8)}`;
  private readonly loader: PluginLoader;
  private stopCatching: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private turn: Promise<void> | undefined;
  private wishes = '';
  private reportedAt = -Infinity;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly work: UnitOfWork,
    private readonly catalogue: PluginCatalogue,
    private readonly probes: ReadinessProbes,
    @Inject(PLUGIN_DOORS) doors: readonly PluginDoor[],
  ) {
    this.loader = new PluginLoader(catalogue, doors);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.stopCatching = catchStrayErrors();
    this.probes.show('plugins', () => this.states());
    await this.look();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Drains the handlers at hand and closes all cells, in bounded time. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.turn;
    await this.loader.end();
    await report(this.work, this.process, []).catch(() => undefined);
    this.stopCatching();
  }

  /** Does now what operators wish, or waits for the look that is under way. Never rejects. */
  look(): Promise<void> {
    return (this.turn ??= this.follow()
      .catch(error => this.trouble.warn(error))
      .finally(() => (this.turn = undefined)));
  }

  private async follow(): Promise<void> {
    const wishes = new Wishes(await readWishes(this.work));
    const changed = wishes.toString() !== this.wishes;
    if (changed) {
      const places = { dir: this.env.pluginsDir, packages: this.env.pluginPackages };
      await this.loader.bring(await discoverPlugins(places), wishes);
      this.wishes = wishes.toString();
    }
    if (changed || performance.now() - this.reportedAt > REPORT_EVERY_MS) await this.tell();
    this.trouble.reset();
  }

  /** For machines of the operator; the first of two with one id is the one that counts. */
  private states(): Record<string, string> | undefined {
    const states = this.catalogue.list().toReversed();
    return states.length === 0 ? undefined : Object.fromEntries(states.map(({ id, state }) => [id, state]));
  }

  private async tell(): Promise<void> {
    await report(this.work, this.process, this.catalogue.list());
    this.reportedAt = performance.now();
  }
}
