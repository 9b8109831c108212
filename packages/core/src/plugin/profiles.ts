import type { Json } from '@harvestman/ports'

/** Browser states that persist between scrapes and live browsers, by name. Many can read a profile, but only one can write it. */
export interface Profiles {
  /** Rejects with `conflict` if it should write a profile that another is writing. A new profile has no state. */
  open(team: string, name: string, mayWrite: boolean): Promise<OpenProfile>
  /** Rejects with `conflict` if a live browser is writing the profile. */
  remove(team: string, name: string): Promise<void>
}

/** What a page shows to visitors who are logged in. With both properties, it shows both. */
export interface LoggedInMarker {
  readonly selector?: string | undefined
  readonly text?: string | undefined
}

/** A profile in use. */
export interface OpenProfile {
  readonly state: Json | undefined
  /** Changes whenever the profile is saved. Absent if it is new. */
  readonly version: string | undefined
  /** What pages show while the profile is logged in, if it was saved with that. */
  readonly loggedInMarker: LoggedInMarker | undefined
  /** Stores a new state, and a new marker if there is one. Ignored for a profile that was opened read-only. */
  save(state: Json, loggedInMarker?: LoggedInMarker): Promise<void>
  close(): Promise<void>
}
