/**
 * Counts the credits of teams. Credits are held before the work and settled after it, under the key of the task, so that
 * a task costs what it costs once, whatever crashes in between. A team that was never granted any has no bound: it may
 * use what it likes, and that is counted all the same.
 */
export interface Ledger {
  /** Must say what a team has and has used. One that is not known has used nothing and has no bound. */
  account(team: string): Promise<Account>
  /**
   * Must set credits aside for a task, and reject with `insufficient_credits`, changing nothing, when the team has not so
   * many. A second hold of a task takes the place of the first. What is held and neither settled nor held anew by
   * `until` is given back.
   */
  hold(hold: Hold): Promise<Held>
  /**
   * Must take what a task has cost since its beginning, less what was taken for it before: so the same charge again takes
   * nothing. Without `hold` the task is done, and what was held of it is given back. A task that is not held, or is done,
   * is charged nothing, unless `isUnheld`. What was used is counted in full, and no more is taken than the team has.
   */
  settle(charge: Charge): Promise<void>
  /** Must add to what the team has, once for each id; the team has a bound from then on. */
  grant(grant: Grant): Promise<Account>
  /** Must take the bound of a team away, and what it was granted. */
  unbind(team: string): Promise<void>
  /** Must let pending writes finish. Closing again does nothing. */
  close(): Promise<void>
}

/** The credits of a team. */
export interface Account {
  /** Credits that may be held now; absent when the team has no bound. */
  readonly credits?: number
  /** Credits granted in all. */
  readonly granted?: number
  /** Credits set aside for work under way. */
  readonly held: number
  /** Credits used in all. */
  readonly used: number
  /** Credits used in each period, by the key that was used; '' stands for work without a key. */
  readonly days: Readonly<Record<string, UsedByKey>>
  readonly months: Readonly<Record<string, UsedByKey>>
}

/** Credits by the id of the key they were used with. */
export type UsedByKey = Readonly<Record<string, number>>

/** Credits that are set aside for a task. */
export interface Hold {
  readonly team: string
  /** The key of the task: the same in every try and after every restart. */
  readonly task: string
  /** Credits to set aside from now on. */
  readonly credits: number
  /** Time at which it is given back, in milliseconds since 1970. */
  readonly until: number
  /** The engine that holds it: when that is known to be gone, the hold is given back before its time, if it has no `bits`. */
  readonly by?: string | undefined
  /** Set for a task that is settled bit by bit. */
  readonly bits?: Bits | undefined
}

/** The cost of a task that is settled part by part. */
export interface Bits {
  /** Cost of the task when it was last done; counts when the ledger does not know the task. */
  readonly from: number
  /** Time until which what was taken for the task is remembered. */
  readonly until: number
}

/** The answer to a hold. */
export interface Held {
  /** False when the team has no bound: nothing is set aside, and a task without `bits` is settled as `isUnheld`. */
  readonly isBound: boolean
  /** Credits that may still be held; a job sets more aside at once while a team has plenty. Absent when not known. */
  readonly credits?: number | undefined
}

/** Cost of a task. */
export interface Charge {
  readonly team: string
  readonly task: string
  /** Credits that the task has cost since its beginning. */
  readonly credits: number
  /** Credits that stay set aside for a task that goes on; `rest` is what the charge leaves of them. */
  readonly hold?: number | 'rest' | undefined
  /** The task was begun when the team had no bound, and nothing was set aside. It must be settled once only. */
  readonly isUnheld?: boolean | undefined
  /** The key that was used, for the usage by key. */
  readonly key?: string | undefined
}

/** Credits for a team. */
export interface Grant {
  readonly team: string
  readonly credits: number
  /** The same grant again adds nothing. */
  readonly id: string
}
