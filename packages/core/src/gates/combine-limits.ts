import type { TeamLimits } from '../schema/team.ts'

/**
 * Combines the limits of a team and its key: the lower value of each, or the only one. The request rate is always the team's.
 */
export function combineLimits(team: TeamLimits, key: TeamLimits): TeamLimits {
  return {
    ...(team.requestsPerMinute && { requestsPerMinute: team.requestsPerMinute }),
    ...least('concurrency', team, key),
    ...least('queue', team, key),
    ...least('browsers', team, key),
  }
}

type Amount = 'concurrency' | 'queue' | 'browsers'

function least(name: Amount, team: TeamLimits, key: TeamLimits): TeamLimits {
  const [a, b] = [team[name], key[name]]
  if (a === undefined && b === undefined) return {}
  return { [name]: Math.min(a ?? Infinity, b ?? Infinity) }
}
