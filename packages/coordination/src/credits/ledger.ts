import { systemClock, type Clock, EngineError, type Json, type Ledger, type Store } from '@harvestman/ports'
import { frozenJson } from '@harvestman/ports/values'
import {
  accountOf,
  creditsLeft,
  removeCreditLimit,
  dropExpired,
  emptyAccount,
  grantCredits,
  holdCredits,
  settleAll,
  settleTask,
  type AccountRow,
} from './account.ts'
import { coordinationKeys } from '../keys.ts'
import { makeGroupCommit } from '../records/group-commit.ts'
import { layout } from '../records/layout.ts'
import { settleInTurns } from './settle-in-turns.ts'

/** Options of `storeLedger`. */
export interface StoreLedgerOptions {
  readonly clock?: Clock
  /** Returns whether an engine is known to be dead: its reservations are then released early if their credits are needed. */
  readonly isGone?: (engine: string) => boolean
  /** Called when the account of a team cannot be read or written. If it returns true, work continues without counting. */
  readonly goesOn?: (team: string, error: unknown) => boolean
}

const accountLayout = layout<AccountRow>(1, { spent: 'number', used: 'number', tasks: 'record', days: 'record' })
/** Milliseconds for which a team is assumed to be still without a limit. */
const boundKnownFor = 1_000

/**
 * Creates a ledger on any store, with one value per team. `hold` rejects with `insufficient_credits` if the team has too few. A
 * failed write rejects, unless `goesOn` accepts its error: then a charge with `isUnheld` is not counted, and a reservation
 * without `bits` reserves nothing. That a team has no limit is cached for a second.
 */
export function storeLedger(
  store: Store,
  { clock = systemClock, isGone, goesOn = () => false }: StoreLedgerOptions = {},
): Ledger {
  const keyOf = coordinationKeys.account
  const open = (team: string, kept: Parameters<typeof accountLayout.open>[1]): AccountRow =>
    accountLayout.open(`The account of ${team}`, kept) ?? emptyAccount
  const unbound = makeUnbound(clock)
  const remember = (team: string, row: AccountRow): AccountRow => {
    unbound.note(team, row)
    return row
  }
  const commit = makeGroupCommit<AccountRow>(async (team, changes) => {
    let changed = emptyAccount
    await store.update(keyOf(team), (old) => {
      const row = open(team, old)
      changed = changes(row)
      return changed === row ? old : frozenJson(accountLayout.seal(changed) as object as Json & object)
    })
    return remember(team, changed)
  })
  const change = (team: string, make: (row: AccountRow, now: number) => AccountRow): Promise<AccountRow> =>
    commit.add(team, (row) => make(dropExpired(row, clock.now()), clock.now()))
  const unheld = settleInTurns((team, charges) =>
    change(team, (row, now) => settleAll(row, charges, now)).catch((error: unknown) => {
      if (!goesOn(team, error)) throw error
    }),
  )

  return {
    account: async (team) =>
      accountOf(dropExpired(remember(team, open(team, await store.get(keyOf(team)))), clock.now())),
    hold: async (wanted) => {
      const { team, bits } = wanted
      if (!bits && unbound.has(team)) return { isBound: false }
      const held = (row: AccountRow, now: number): AccountRow => {
        try {
          return holdCredits(row, wanted)
        } catch (error) {
          // Checking for dead engines is slow, so it is done only if credits are short.
          if (!isGone || !isTooFew(error)) throw error
          return holdCredits(dropExpired(row, now, isGone), wanted)
        }
      }
      try {
        const credits = creditsLeft(await change(team, held))
        return credits === undefined ? { isBound: false } : { isBound: true, credits }
      } catch (error) {
        if (bits || isTooFew(error) || !goesOn(team, error)) throw error
        return { isBound: false }
      }
    },
    settle: async (charge) => {
      if (charge.isUnheld) await unheld.settle(charge)
      else await change(charge.team, (row, now) => settleTask(row, charge, now))
    },
    grant: async (given) => accountOf(await change(given.team, (row) => grantCredits(row, given))),
    unbind: async (team) => void (await change(team, removeCreditLimit)),
    close: () => unheld.idle().then(commit.idle),
  }
}

/** Caches which teams had no limit a moment ago. */
function makeUnbound(clock: Clock) {
  const unbound = new Map<string, number>()
  return {
    note: (team: string, row: AccountRow): void => {
      if (row.granted === undefined) unbound.set(team, clock.now() + boundKnownFor)
      else unbound.delete(team)
    },
    has: (team: string): boolean => {
      const until = unbound.get(team) ?? 0
      const now = clock.now()
      // A clock that was set back must not extend the cached entry.
      return until > now && until <= now + boundKnownFor
    },
  }
}

function isTooFew(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}
