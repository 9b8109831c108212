/** Recent usage of a resource by team. Usage decays over time. */
export interface RecentUse {
  add(team: string, amount: number): void
  /**
   * Returns whether the team uses more than its share while others use the resource too, and more than the fraction `least` of
   * the total time.
   */
  isOverShare(team: string, least: number): boolean
}

/** Half-life of usage in milliseconds. */
const halfLife = 1_000
// The sum for a resource that is in use all the time.
const always = halfLife / Math.LN2
const forgotten = always / 1_000
// Teams with nearly equal usage must not alternate all the time.
const margin = 1.25

/**
 * Creates the measure of how much each team has used recently; amounts count half after each second. Amounts and the clock are
 * in milliseconds. `isOverShare` is true above 1.25 times the average of several teams, if that is more than the fraction
 * `least` of the time.
 */
export function makeRecentUse(now: () => number = () => performance.now()): RecentUse {
  const teams = new Map<string, number>()
  let asOf = now()
  const age = (): void => {
    const left = 2 ** ((asOf - now()) / halfLife)
    asOf = now()
    for (const [team, amount] of teams) {
      if (amount * left > forgotten) teams.set(team, amount * left)
      else teams.delete(team)
    }
  }
  return {
    add: (team, amount) => {
      age()
      // A new team starts with the lowest usage of the others, so that it is not preferred for its idle time.
      const known = teams.get(team) ?? Math.min(...teams.values())
      teams.set(team, (Number.isFinite(known) ? known : 0) + amount)
    },
    isOverShare: (team, least) => {
      age()
      const own = teams.get(team) ?? 0
      const all = [...teams.values()].reduce((sum, amount) => sum + amount, 0)
      return teams.size > 1 && own > (all / teams.size) * margin && own > always * least
    },
  }
}
