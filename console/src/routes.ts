import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readAccountSearch } from './accounts/search.ts';
import { readApprovalSearch } from './approve/search.ts';
import { readAskSearch } from './ask/search.ts';
import { readAttentionSearch } from './attention/search.ts';
import { readSyncSearch } from './sync/fieldMap.ts';
import { readConflictsSearch, readDecayingSearch, readProvenanceSearch } from './facts/search.ts';
import { readListSearch } from './lists/search.ts';
import { readAuditSearch } from './settings/auditSearch.ts';
import { readNotesSearch } from './notes/search.ts';
import { HomePage } from './shell/HomePage.tsx';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { readRefusal } from './shell/refusal.ts';
import { toOwnPath } from './shell/ownPath.ts';

const root = createRootRoute({ notFoundComponent: NotFoundPage });
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string | undefined; refused?: string } => ({
    to: toOwnPath(search['to'], location.origin),
    ...readRefusal(search),
  }),
  component: lazyRouteComponent(() => import('./sign-in/SignInPage.tsx'), 'SignInPage'),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup/$code',
  component: lazyRouteComponent(() => import('./sign-in/SetupPage.tsx'), 'SetupPage'),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: lazyRouteComponent(() => import('./sign-in/InvitationPage.tsx'), 'InvitationPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  component: lazyRouteComponent(() => import('./sign-in/ResetPage.tsx'), 'ResetPage'),
});
const approve = createRoute({
  getParentRoute: () => root,
  path: '/approve',
  validateSearch: readApprovalSearch,
  component: lazyRouteComponent(() => import('./approve/ApprovePage.tsx'), 'ApprovePage'),
});
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspace',
  component: lazyRouteComponent(() => import('./shell/WorkspaceLayout.tsx'), 'WorkspaceLayout'),
});
const first = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspace/attention', params });
  },
});
const attention = createRoute({
  getParentRoute: () => workspace,
  path: '/attention',
  validateSearch: readAttentionSearch,
  component: lazyRouteComponent(() => import('./attention/AttentionPage.tsx'), 'AttentionPage'),
});
const people = createRoute({
  getParentRoute: () => workspace,
  path: '/people',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./lists/PeoplePage.tsx'), 'PeoplePage'),
});
const companies = createRoute({
  getParentRoute: () => workspace,
  path: '/companies',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./lists/CompaniesPage.tsx'), 'CompaniesPage'),
});
const leads = createRoute({
  getParentRoute: () => workspace,
  path: '/leads',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./lists/LeadsPage.tsx'), 'LeadsPage'),
});
const notes = createRoute({
  getParentRoute: () => workspace,
  path: '/notes',
  validateSearch: readNotesSearch,
  component: lazyRouteComponent(() => import('./notes/NotesPage.tsx'), 'NotesPage'),
});
const ask = createRoute({
  getParentRoute: () => workspace,
  path: '/ask',
  validateSearch: readAskSearch,
  component: lazyRouteComponent(() => import('./ask/AskPage.tsx'), 'AskPage'),
});
const facts = createRoute({
  getParentRoute: () => workspace,
  path: '/facts',
  component: lazyRouteComponent(() => import('./facts/FactsPage.tsx'), 'FactsPage'),
});
const firstFacts = createRoute({
  getParentRoute: () => facts,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspace/facts/conflicts', params });
  },
});
const conflicts = createRoute({
  getParentRoute: () => facts,
  path: '/conflicts',
  validateSearch: readConflictsSearch,
  component: lazyRouteComponent(() => import('./facts/ConflictsPage.tsx'), 'ConflictsPage'),
});
const decaying = createRoute({
  getParentRoute: () => facts,
  path: '/decaying',
  validateSearch: readDecayingSearch,
  component: lazyRouteComponent(() => import('./facts/DecayingPage.tsx'), 'DecayingPage'),
});
const provenance = createRoute({
  getParentRoute: () => facts,
  path: '/provenance',
  validateSearch: readProvenanceSearch,
  component: lazyRouteComponent(() => import('./facts/ProvenancePage.tsx'), 'ProvenancePage'),
});
const merges = createRoute({
  getParentRoute: () => workspace,
  path: '/merges',
  validateSearch: (search: Record<string, unknown>): { pair?: string | undefined } => ({
    pair: typeof search['pair'] === 'string' ? search['pair'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./merges/MergesPage.tsx'), 'MergesPage'),
});
const imports = createRoute({
  getParentRoute: () => workspace,
  path: '/imports',
  component: lazyRouteComponent(() => import('./imports/ImportsPage.tsx'), 'ImportsPage'),
});
const newImport = createRoute({
  getParentRoute: () => workspace,
  path: '/imports/new',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspace/imports', params });
  },
});
const fileImport = createRoute({
  getParentRoute: () => workspace,
  path: '/imports/$id',
  component: lazyRouteComponent(() => import('./imports/ImportPage.tsx'), 'ImportPage'),
});
const integrations = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations',
  validateSearch: (search: Record<string, unknown>): { open?: string | undefined } => ({
    open: typeof search['open'] === 'string' ? search['open'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./integrations/IntegrationsPage.tsx'), 'IntegrationsPage'),
});
const sync = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/$plugin',
  validateSearch: readSyncSearch,
  component: lazyRouteComponent(() => import('./sync/SyncPage.tsx'), 'SyncPage'),
});
const triggers = createRoute({
  getParentRoute: () => workspace,
  path: '/triggers',
  component: lazyRouteComponent(() => import('./triggers/TriggersPage.tsx'), 'TriggersPage'),
});
const trigger = createRoute({
  getParentRoute: () => workspace,
  path: '/triggers/$id',
  component: lazyRouteComponent(() => import('./triggers/TriggerPage.tsx'), 'TriggerPage'),
});
const delivery = createRoute({
  getParentRoute: () => workspace,
  path: '/triggers/$id/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./triggers/DeliveryPage.tsx'), 'DeliveryPage'),
});
const account = createRoute({
  getParentRoute: () => workspace,
  path: '/accounts/$id',
  validateSearch: readAccountSearch,
  component: lazyRouteComponent(() => import('./accounts/AccountPage.tsx'), 'AccountPage'),
});
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/SettingsPage.tsx'), 'SettingsPage'),
});
const firstSetting = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspace/settings/members', params });
  },
});
const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./settings/MembersPage.tsx'), 'MembersPage'),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('./settings/KeysPage.tsx'), 'KeysPage'),
});
const plan = createRoute({
  getParentRoute: () => settings,
  path: '/workspace',
  component: lazyRouteComponent(() => import('./settings/WorkspacePage.tsx'), 'WorkspacePage'),
});
const scoring = createRoute({
  getParentRoute: () => settings,
  path: '/scoring',
  component: lazyRouteComponent(() => import('./settings/ScoringPage.tsx'), 'ScoringPage'),
});
const trust = createRoute({
  getParentRoute: () => settings,
  path: '/trust',
  component: lazyRouteComponent(() => import('./settings/TrustPage.tsx'), 'TrustPage'),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./settings/AuditPage.tsx'), 'AuditPage'),
});
const health = createRoute({
  getParentRoute: () => settings,
  path: '/health',
  component: lazyRouteComponent(() => import('./settings/HealthPage.tsx'), 'HealthPage'),
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  validateSearch: readRefusal,
  component: lazyRouteComponent(() => import('./settings/ProfilePage.tsx'), 'ProfilePage'),
});
const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./settings/SessionsPage.tsx'), 'SessionsPage'),
});

/** Every page of the console with its address. A page is loaded when it is visited. */
export const routeTree = root.addChildren([
  home,
  signIn,
  setup,
  invite,
  reset,
  approve,
  workspace.addChildren([
    first,
    attention,
    people,
    companies,
    leads,
    notes,
    ask,
    facts.addChildren([firstFacts, conflicts, decaying, provenance]),
    merges,
    imports,
    newImport,
    fileImport,
    integrations,
    sync,
    triggers,
    trigger,
    delivery,
    account,
    settings.addChildren([firstSetting, plan, scoring, trust, members, keys, audit, health, profile, sessions]),
  ]),
]);
