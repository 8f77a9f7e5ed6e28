import { type DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '#graph/audit/audit.module.js';
import { RetentionModule } from '#graph/retention/retention.module.js';
import { ExportsModule } from '#graph/exports/exports.module.js';
import { AccountsModule } from '#graph/accounts/accounts.module.js';
import { ChangesModule } from '#graph/changes/changes.module.js';
import { CompaniesModule } from '#graph/companies/companies.module.js';
import { PropertiesModule } from '#graph/properties/properties.module.js';
import { SampleDataModule } from '#graph/sample-data/sample-data.module.js';
import { SearchModule } from '#graph/search/search.module.js';
import { AttentionModule } from '#graph/attention/attention.module.js';
import { DedupModule } from '#graph/dedup/dedup.module.js';
import { ContextModule } from '#graph/context/context.module.js';
import { ErasuresModule } from '#graph/erasures/erasures.module.js';
import { FactsModule } from '#graph/facts/facts.module.js';
import { ScoreModule } from '#graph/score/score.module.js';
import { MergesModule } from '#graph/merges/merges.module.js';
import { NoteVectorsModule } from '#graph/notes/embedder/note-vectors.module.js';
import { NotesModule } from '#graph/notes/notes.module.js';
import { LeadsModule } from '#graph/leads/leads.module.js';
import { ObservationsModule } from '#graph/observations/observations.module.js';
import { OpenTextModule } from '#graph/open-text/open-text.module.js';
import { TrustModule } from '#graph/trust/trust.module.js';
import { PeopleModule } from '#graph/people/people.module.js';
import { GraphPortModule } from '#graph/graph-port/graph-port.module.js';
import { ViewsModule } from '#graph/views/views.module.js';
import { VerifyModule } from '#graph/verify/verify.module.js';
import { QueryModule } from '#graph/query/query.module.js';
import { RetractionsModule } from './graph/retractions/retractions.module.js';
import { IcpModule } from '#graph/icp/icp.module.js';
import { WorkspaceModule } from '#graph/workspace/workspace.module.js';
import { CrmSyncModule } from '#graph/crm-sync/crm-sync.module.js';
import { TriggersModule } from '#graph/triggers/triggers.module.js';
import { AuthModule } from '#kernel/auth/auth.module.js';
import { ConfigModule } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DatabaseModule } from '#kernel/db/database.module.js';
import { DatabaseTasksModule } from '#kernel/db/database-tasks.module.js';
import { EgressModule } from '#kernel/egress/egress.module.js';
import { EventsModule } from '#kernel/events/events.module.js';
import { FilesModule } from '#kernel/files/files.module.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { IdempotencyModule } from '#kernel/idempotency/idempotency.module.js';
import { LimitsModule } from '#kernel/limits/limits.module.js';
import { LlmModule } from '#kernel/llm/llm.module.js';
import { QuotasModule } from '#kernel/quotas/quotas.module.js';
import { McpModule } from '#kernel/mcp/mcp.module.js';
import { AuthServerModule } from '#auth-server/auth-server.module.js';
import { ConnectionsModule } from '#plugin-host/connections/connections.module.js';
import { PluginHostModule } from '#plugin-host/plugin-host.module.js';
import { QueueModule } from '#kernel/queue/queue.module.js';
import { SecretsModule } from '#kernel/secrets/secrets.module.js';
import { MetricsModule } from '#kernel/telemetry/metrics.module.js';

/** The composition root of the application: the only module that imports every layer. */
@Module({})
export class AppModule {
  /** @param database an open database with its schema up to date. */
  static forRoot(env: Env, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot(database),
        DatabaseTasksModule,
        SecretsModule,
        EgressModule,
        LimitsModule,
        QuotasModule,
        FilesModule,
        LlmModule,
        MetricsModule,
        QueueModule,
        EventsModule,
        AuthModule,
        IdempotencyModule,
        HttpModule,
        McpModule,
        AuthServerModule,
        FactsModule,
        ScoreModule,
        ObservationsModule,
        AccountsModule,
        ChangesModule,
        AuditModule,
        RetentionModule,
        ExportsModule,
        ContextModule,
        QueryModule,
        GraphPortModule,
        PluginHostModule,
        TriggersModule,
        CrmSyncModule,
        MergesModule,
        RetractionsModule,
        SampleDataModule,
        ErasuresModule,
        NotesModule,
        NoteVectorsModule.forRoot(env),
        PeopleModule,
        CompaniesModule,
        PropertiesModule,
        SearchModule,
        OpenTextModule,
        TrustModule,
        VerifyModule,
        ViewsModule,
        DedupModule,
        AttentionModule,
        ConnectionsModule,
        LeadsModule,
        WorkspaceModule,
        IcpModule,
      ],
    };
  }
}
