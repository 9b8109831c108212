// Built-in feature `engine.team`: credits and queue of a team, and the price of a request.
import { defineFeature } from '../plugin/feature.ts'
import { teamEndpoints } from './endpoints.ts'

/** Feature with the credits, usage and queue of a team: `engine.team`. */
export const teamFeature = defineFeature({
  name: 'team',
  summary: 'Shows the credits, usage and queue of your team.',
  examples: ['team usage', 'team usage-by-period --time-range day', 'team queue'],
  // Reads are not listed in the activity log.
  activities: {},
  open: (kit) => kit,
  endpoints: teamEndpoints,
})

/** Type of `engine.team`. */
export type TeamOperations = NonNullable<(typeof teamFeature)['api']>
