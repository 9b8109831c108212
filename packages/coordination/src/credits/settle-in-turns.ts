import type { Charge } from '@harvestman/ports'
import { nextTurn } from '@harvestman/toolbox/next-turn'

type Settle = (team: string, charges: readonly Charge[]) => Promise<unknown>

/**
 * Batches charges without a reservation: one write settles all charges of a team in the same turn of the event loop.
 * Each `settle` resolves or rejects with that write; `idle` waits for all writes and never rejects.
 */
export function settleInTurns(settle: Settle) {
  const waiting = new Map<string, { readonly charges: Charge[]; readonly done: Promise<void> }>()
  const working = new Set<Promise<void>>()
  const settleLater = async (team: string, charges: readonly Charge[]): Promise<void> => {
    await nextTurn()
    waiting.delete(team)
    await settle(team, charges)
  }
  return {
    settle: (charge: Charge): Promise<void> => {
      const { team } = charge
      const group = waiting.get(team)
      if (group) {
        group.charges.push(charge)
        return group.done
      }
      const charges = [charge]
      const done = settleLater(team, charges).finally(() => working.delete(done))
      waiting.set(team, { charges, done })
      working.add(done)
      return done
    },
    idle: async () => void (await Promise.allSettled(working)),
  }
}
