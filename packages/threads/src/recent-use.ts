/** What each team has used of something lately: what was used long ago counts less and less. */
export interface RecentUse {
  add(team: string, amount: number): void
  /** Whether it uses more than its share while others use some too, and more than `least` of all the time there is. */
  isOverShare(team: string, least: number): boolean
}

/** After this time something counts half. */
const halfLife = 1_000
// What something that is used all of the time adds up to.
const always = halfLife / Math.LN2
const forgotten = always / 1_000
// Teams that use nearly the same must not change places all of the time.
const margin = 1.25

/** Amounts are milliseconds, and so is the clock. */
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
      // What others used while this team wanted nothing is not held against them.
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
