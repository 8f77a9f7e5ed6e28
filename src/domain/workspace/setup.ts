/** Sections about the market, products and competitors of the workspace, which agents read. */
export const PLAYBOOK_SECTIONS = ['market', 'products', 'pricing', 'competitors', 'positioning'] as const;

/** Setup state of a workspace. */
export interface WorkspaceSetup {
  /** Missing fields of the profile; empty if it is complete. */
  readonly missingFields: readonly string[];
  /** Whether a scoring model exists; prose is not enough. */
  readonly hasModel: boolean;
  /** Missing sections of {@link PLAYBOOK_SECTIONS}. */
  readonly missingSections: readonly string[];
  readonly hasRecords: boolean;
  readonly isConnected: boolean;
  /** Whether the plan includes an integration that could be connected. */
  readonly canConnect: boolean;
}

/** A suggested next step, with the tool for it. */
export interface NextStep {
  readonly id: 'profile' | 'icp' | 'playbook' | 'records' | 'integrations';
  readonly title: string;
  readonly why: string;
  readonly how: string;
}

/** Returns the remaining setup steps, the most important first. */
export function listNextSteps(setup: WorkspaceSetup): NextStep[] {
  const { missingFields, missingSections } = setup;
  const steps: [isOpen: boolean, step: NextStep][] = [
    [
      missingFields.length > 0,
      {
        id: 'profile',
        title: 'Say who the workspace is',
        why: 'Its own people and domains are never taken for prospects.',
        how: `set_workspace_profile with ${missingFields.join(', ')}`,
      },
    ],
    [
      !setup.hasModel,
      {
        id: 'icp',
        title: 'Describe the ideal customer',
        why: 'Without a model the Fit of every lead is unknown.',
        how: 'build_icp_model with a description, won and lost customers, or rules; first with dry_run',
      },
    ],
    [
      !setup.hasRecords,
      {
        id: 'records',
        title: 'Bring in the first people',
        why: 'There is nobody yet to find, score or prepare for.',
        how: 'record what you know of somebody, or import a list over REST',
      },
    ],
    [
      !setup.isConnected && setup.canConnect,
      {
        id: 'integrations',
        title: 'Connect the calendar',
        why: 'Meetings then appear on timelines by themselves.',
        how: 'connect_integration with the provider and its credentials',
      },
    ],
    [
      missingSections.length > 0,
      {
        id: 'playbook',
        title: 'Write down how the workspace sells',
        why: 'Context for outreach draws on it.',
        how: `set_workspace_profile with section (${missingSections.join(', ')}) and content`,
      },
    ],
  ];
  return steps.flatMap(([isOpen, step]) => (isOpen ? [step] : []));
}

const STEP_COUNT = 5;

/** Returns the share of completed steps in percent. */
export function computeCompleteness(setup: WorkspaceSetup): number {
  return Math.round((100 * (STEP_COUNT - listNextSteps(setup).length)) / STEP_COUNT);
}
