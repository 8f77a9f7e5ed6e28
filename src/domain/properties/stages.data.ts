/** Where in a sale a stage stands. */
export type StageGroup = 'prospecting' | 'qualification' | 'proposal' | 'negotiation' | 'customer' | 'closed';

/** The words for stages that are in use, by where they stand. */
export const STAGES: Readonly<Record<StageGroup, readonly string[]>> = {
  prospecting: ['prospecting', 'identified', 'aware', 'connected'],
  qualification: ['qualification', 'interested', 'meeting_booked', 'discovery'],
  proposal: ['proposal', 'evaluating', 'demo'],
  negotiation: ['negotiation'],
  customer: ['customer', 'client', 'closed_won'],
  closed: ['closed', 'lost', 'closed_lost', 'disqualified', 'churned'],
};
