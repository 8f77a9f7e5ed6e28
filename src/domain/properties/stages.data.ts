/** Groups of deal stages. */
export type StageGroup = 'prospecting' | 'qualification' | 'proposal' | 'negotiation' | 'customer' | 'closed';

/** Known stages by group. */
export const STAGES: Readonly<Record<StageGroup, readonly string[]>> = {
  prospecting: ['prospecting', 'identified', 'aware', 'connected'],
  qualification: ['qualification', 'interested', 'meeting_booked', 'discovery'],
  proposal: ['proposal', 'evaluating', 'demo'],
  negotiation: ['negotiation'],
  customer: ['customer', 'client', 'closed_won'],
  closed: ['closed', 'lost', 'closed_lost', 'disqualified', 'churned'],
};
