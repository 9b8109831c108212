import type { ClusterPlan } from './cluster.ts'

/** What a page costs, as `run.ts` measures it on one machine with a Redis of its own. */
export const constants = {
  cpu: 3.5,
  store: { roundTrip: 0.5, call: 0.02, megabyte: 1 },
} satisfies Pick<ClusterPlan, 'cpu' | 'store'>
