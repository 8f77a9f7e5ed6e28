/** The sections that tell an agent what the workspace sells, to whom, and against whom. */
export const PLAYBOOK_SECTIONS = ['market', 'products', 'pricing', 'competitors', 'positioning'] as const;

/** How far a workspace is set up. */
export interface WorkspaceSetup {
  /** Fields of the profile that are missing; empty: it is whole. */
  readonly missingFields: readonly string[];
  /** Whether leads can be scored: there is a model, not prose. */
  readonly hasModel: boolean;
  /** Sections of {@link PLAYBOOK_SECTIONS} that say nothing. */
  readonly missingSections: readonly string[];
  readonly hasRecords: boolean;
  readonly isConnected: boolean;
  /** Whether anything could be connected that the plan includes. */
  readonly canConnect: boolean;
}

/** What to do next, in words for people, with the tool that does it. */
export interface NextStep {
  readonly id: 'profile' | 'icp' | 'playbook' | 'records' | 'integrations';
  readonly title: string;
  readonly why: string;
  readonly how: string;
}

/** What is left to set up, what matters most first. */
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

/** Share of the steps that are done, in percent. */
export function computeCompleteness(setup: WorkspaceSetup): number {
  return Math.round((100 * (STEP_COUNT - listNextSteps(setup).length)) / STEP_COUNT);
}
