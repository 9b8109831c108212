import type { Json } from '@harvestman/ports'

/** Browser states that persist between scrapes and live browsers, by name. Many can read a profile, but only one can write it. */
export interface Profiles {
  /** Rejects with `conflict` if it should write a profile that another is writing. A new profile has no state. */
  open(team: string, name: string, mayWrite: boolean): Promise<OpenProfile>
  /** Rejects with `conflict` if a live browser is writing the profile. */
  remove(team: string, name: string): Promise<void>
}

/** A profile in use. */
export interface OpenProfile {
  readonly state: Json | undefined
  /** Changes whenever the profile is saved. Absent if it is new. */
  readonly version: string | undefined
  /** Stores a new state. Ignored for a profile that was opened read-only. */
  save(state: Json): Promise<void>
  close(): Promise<void>
}
