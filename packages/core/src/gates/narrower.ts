import type { TeamLimits } from '../schema/team.ts'

/** How much a team may do at once, narrowed by what something else says, such as the limits of its key. Of rates it keeps the first. */
export function narrower(team: TeamLimits, key: TeamLimits): TeamLimits {
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
