// The feature of every engine about its callers: the credits of a team, its queue, and the price of a request.
import { defineFeature } from '../plugin/feature.ts'
import { teamEndpoints } from './endpoints.ts'

/** The operations of an engine on the credits and the queue of a team: `engine.team`. */
export const teamFeature = defineFeature({
  name: 'team',
  summary: 'Shows the credits, usage and queue of your team.',
  examples: ['team usage', 'team usage-by-period --time-range day', 'team queue'],
  // It only reads.
  activities: {},
  open: (kit) => kit,
  endpoints: teamEndpoints,
})

/** The operations of an engine on the credits and the queue of a team. */
export type TeamOperations = NonNullable<(typeof teamFeature)['api']>
