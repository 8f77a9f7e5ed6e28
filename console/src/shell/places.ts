import { Building2, CircleAlert, Settings, Users } from 'lucide-react';

/** The pages of the rail, with the key that follows G. */
export const PLACES = [
  { id: 'attention', to: '/w/$workspace/attention', key: 'a', Icon: CircleAlert },
  { id: 'people', to: '/w/$workspace/people', key: 'p', Icon: Users },
  { id: 'companies', to: '/w/$workspace/companies', key: 'c', Icon: Building2 },
  { id: 'settings', to: '/w/$workspace/settings', key: 's', Icon: Settings },
] as const;
