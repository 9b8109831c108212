import type { Json } from '@harvestman/ports'

/** Browser states that persist between scrapes and live browsers, by name. Many can read a profile, but only one can write it. */
export interface Profiles {
  /**
   * Rejects with `conflict` if it should write a profile that another is writing, or a new one although the team has 100. A new
   * profile has no state.
   */
  open(team: string, name: string, mayWrite: boolean): Promise<OpenProfile>
  /** Rejects with `conflict` if a live browser is writing the profile. */
  remove(team: string, name: string): Promise<void>
  /** Returns the profiles of a team, by name. */
  list(team: string): Promise<readonly ProfileSummary[]>
}

/** A saved profile without its state. */
export interface ProfileSummary {
  readonly name: string
  /** When it was last saved, in milliseconds since 1970. */
  readonly savedAt: number
  /** Size of its state as JSON, in characters. */
  readonly size: number
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
  /** Stores a new state of at most 5,000,000 characters of JSON, and a new marker if there is one. Ignored for a profile that was opened read-only. */
  save(state: Json, loggedInMarker?: LoggedInMarker): Promise<void>
  close(): Promise<void>
}
