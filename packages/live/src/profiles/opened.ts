import type { OpenProfile, profileOption, Profiles } from '@harvestman/core/plugin'
import type { z } from 'zod'

type Requested = NonNullable<z.output<typeof profileOption>>

/** Opens the profile of a live browser. Its marker is saved with the state. Rejects as `Profiles.open` does. */
export async function openedProfile(
  profiles: Profiles,
  team: string,
  { name, saveChanges, loggedInMarker }: Requested,
): Promise<OpenProfile> {
  const opened = await profiles.open(team, name, saveChanges)
  return loggedInMarker ? { ...opened, save: (state) => opened.save(state, loggedInMarker) } : opened
}
