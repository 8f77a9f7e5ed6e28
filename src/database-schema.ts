import { DeviceRequestEntity, GrantEntity, OAuthClientEntity } from '#auth-server/oauth.entities.js';
import { InvitationEntity, MembershipEntity } from '#auth-server/users/users.entities.js';
import { WorkspaceFactEntity } from '#graph/facts/workspace-fact.entity.js';
import { fillClaimSources } from '#graph/claims/claim-sources.backfill.js';
import { LeadListEntity } from '#graph/leads/lead-list.entity.js';
import { SavedViewEntity } from '#graph/views/saved-view.entity.js';
import { ClaimRebuildEntity, StoredTrustVersionEntity } from '#graph/trust/trust.entities.js';
import { ApiKeyEntity } from '#kernel/auth/api-key.entity.js';
import { FileEntity } from '#kernel/files/file.entity.js';
import type { DatabaseSchema } from '#kernel/db/orm.js';
import { WorkspaceEntity } from '#kernel/workspaces/workspace.entity.js';
import { ConnectionEntity } from '#plugin-host/connections/connection.js';
import { ProviderAuthorizationEntity } from '#plugin-host/oauth2/provider-authorization.js';
import { DirectoryMigration } from './migrations/0001-baseline/01-directory.migration.js';
import { ConnectionsMigration } from './migrations/0001-baseline/02-connections.migration.js';
import { PluginsMigration } from './migrations/0001-baseline/03-plugins.migration.js';
import { OAuthMigration } from './migrations/0001-baseline/04-oauth.migration.js';
import { EntitiesMigration } from './migrations/0001-baseline/05-entities.migration.js';
import { ClaimsMigration } from './migrations/0001-baseline/06-claims.migration.js';
import { LeadsMigration } from './migrations/0001-baseline/07-leads.migration.js';
import { FactsMigration } from './migrations/0001-baseline/08-facts.migration.js';
import { NotesMigration } from './migrations/0001-baseline/09-notes.migration.js';
import { AuditMigration } from './migrations/0001-baseline/10-audit.migration.js';
import { OperationsMigration } from './migrations/0001-baseline/11-operations.migration.js';
import { ErasuresMigration } from './migrations/0001-baseline/12-erasures.migration.js';
import { RetentionMigration } from './migrations/0001-baseline/13-retention.migration.js';
import { FilesMigration } from './migrations/0001-baseline/16-files.migration.js';
import { RunsMigration } from './migrations/0001-baseline/17-runs.migration.js';
import { ChangesMigration } from './migrations/0001-baseline/18-changes.migration.js';
import { ConnectionVersionsMigration } from './migrations/0001-baseline/19-connection-versions.migration.js';
import { ProviderAuthorizationsMigration } from './migrations/0001-baseline/20-provider-authorizations.migration.js';
import { SeveralConnectionsMigration } from './migrations/0001-baseline/21-several-connections.migration.js';
import { ProviderLimitsMigration } from './migrations/0001-baseline/22-provider-limits.migration.js';
import { UsersMigration } from './migrations/0001-baseline/24-users.migration.js';
import { AttentionMarksMigration } from './migrations/0001-baseline/25-attention-marks.migration.js';
import { AboutAddressesMigration } from './migrations/0002-about-addresses.migration.js';
import { SavedViewsMigration } from './migrations/0003-saved-views.migration.js';
import { ClaimSourcesMigration } from './migrations/0004-claim-sources.migration.js';
import { SecondFactorsMigration } from './migrations/0005-second-factors.migration.js';
import { RefreshTokensMigration } from './migrations/0006-refresh-tokens.migration.js';
import { PasskeysMigration } from './migrations/0007-passkeys.migration.js';
import { NewWorkspacesMigration } from './migrations/0008-new-workspaces.migration.js';
import { ReportColumnsMigration } from './migrations/0009-report-columns.migration.js';
import { RetractionsMigration } from './migrations/0001-baseline/23-retractions.migration.js';
import { UsageMigration } from './migrations/0001-baseline/15-usage.migration.js';

/** Lists the entities that MikroORM maps and all migrations in the order in which they run. */
export const databaseSchema: DatabaseSchema = {
  entities: [
    WorkspaceEntity,
    ApiKeyEntity,
    OAuthClientEntity,
    DeviceRequestEntity,
    GrantEntity,
    MembershipEntity,
    InvitationEntity,
    ConnectionEntity,
    ProviderAuthorizationEntity,
    LeadListEntity,
    WorkspaceFactEntity,
    StoredTrustVersionEntity,
    ClaimRebuildEntity,
    FileEntity,
    SavedViewEntity,
  ],
  migrations: [
    DirectoryMigration,
    ConnectionsMigration,
    PluginsMigration,
    OAuthMigration,
    EntitiesMigration,
    ClaimsMigration,
    LeadsMigration,
    FactsMigration,
    NotesMigration,
    AuditMigration,
    OperationsMigration,
    ErasuresMigration,
    RetentionMigration,
    UsageMigration,
    FilesMigration,
    RunsMigration,
    ChangesMigration,
    ConnectionVersionsMigration,
    ProviderAuthorizationsMigration,
    SeveralConnectionsMigration,
    ProviderLimitsMigration,
    RetractionsMigration,
    UsersMigration,
    AttentionMarksMigration,
    AboutAddressesMigration,
    SavedViewsMigration,
    ClaimSourcesMigration,
    SecondFactorsMigration,
    RefreshTokensMigration,
    PasskeysMigration,
    NewWorkspacesMigration,
    ReportColumnsMigration,
  ],
  deferredMigrations: [fillClaimSources],
};
