/**
 * Counts the credits of teams. Credits are reserved before the work and charged after it, by the key of the task, so that a
 * task is charged once, whatever crashes in between. A team that was never granted credits is unlimited, but its usage is
 * counted all the same.
 */
export interface Ledger {
  /** Must return the balance and usage of a team. An unknown team has no usage and no limit. */
  account(team: string): Promise<Account>
  /**
   * Must reserve credits for a task; if the team has too few, must reject with `insufficient_credits` and change nothing. A
   * second reservation of a task replaces the first. A reservation that is neither charged nor renewed by `until` is released.
   */
  hold(hold: Hold): Promise<Held>
  /**
   * Must charge the total cost of a task minus earlier charges for it, so that repeating a charge has no effect. Without
   * `hold` the task is complete, and the rest of its reservation is released. A task without a reservation, or a completed
   * one, is not charged, unless `isUnheld`. Usage is counted in full, but the balance never becomes negative.
   */
  settle(charge: Charge): Promise<void>
  /** Must add credits to a team, once for each id; the team is limited from then on. */
  grant(grant: Grant): Promise<Account>
  /** Must remove the limit of a team, and its granted credits. */
  unbind(team: string): Promise<void>
  /** Must let pending writes finish. Closing again does nothing. */
  close(): Promise<void>
}

/** The credits of a team. */
export interface Account {
  /** Credits available now; absent when the team has no limit. */
  readonly credits?: number
  /** Total credits granted. */
  readonly granted?: number
  /** Credits reserved for running work. */
  readonly held: number
  /** Total credits used. */
  readonly used: number
  /** Credits used in each period, by the API key; '' is for work without a key. */
  readonly days: Readonly<Record<string, UsedByKey>>
  readonly months: Readonly<Record<string, UsedByKey>>
}

/** Credits by the id of the API key they were used with. */
export type UsedByKey = Readonly<Record<string, number>>

/** A reservation of credits for a task. */
export interface Hold {
  readonly team: string
  /** The key of the task: the same in every attempt and after every restart. */
  readonly task: string
  /** Credits to reserve from now on. */
  readonly credits: number
  /** Time at which the reservation expires, in milliseconds since 1970. */
  readonly until: number
  /**
   * The engine that made the reservation. If that engine is known to be dead, a reservation without `bits` is released early.
   */
  readonly by?: string | undefined
  /** Set for a task that is charged in parts. */
  readonly bits?: Bits | undefined
}

/** State of a task that is charged in parts. */
export interface Bits {
  /** Cost of the task according to its last saved progress; used if the ledger does not know the task. */
  readonly from: number
  /** Time until which the ledger remembers the charges of the task, in milliseconds since 1970. */
  readonly until: number
}

/** The result of a reservation. */
export interface Held {
  /** False if the team has no limit: nothing is reserved, and a task without `bits` is charged with `isUnheld`. */
  readonly isBound: boolean
  /** Credits still available; a job reserves more at once while a team has plenty. Absent when unknown. */
  readonly credits?: number | undefined
}

/** The cost of a task. */
export interface Charge {
  readonly team: string
  readonly task: string
  /** Credits that the task has cost since its beginning. */
  readonly credits: number
  /** Credits that stay reserved for a task that continues; `rest` keeps whatever the charge leaves of the reservation. */
  readonly hold?: number | 'rest' | undefined
  /** The task was started while the team had no limit, so nothing was reserved. It must be charged only once. */
  readonly isUnheld?: boolean | undefined
  /** The API key that was used, for the usage by key. */
  readonly key?: string | undefined
}

/** A grant of credits to a team. */
export interface Grant {
  readonly team: string
  readonly credits: number
  /** A grant with the same id adds nothing. */
  readonly id: string
}
