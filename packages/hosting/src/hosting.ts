import { defineFeature, defineGate, definePlugin, check } from '@harvestman/core/plugin'
import { z } from 'zod'

import { errorMessage } from '@harvestman/ports/adapters'
import { makeActivity } from './activity/activity.ts'
import { admitTeams } from './teams/gate.ts'
import { makeRates } from './teams/rates.ts'
import { makeTeams } from './teams/teams.ts'
import { makeUploads } from './uploads/uploads.ts'

const optionsSchema = z.strictObject({ uploadBytes: z.int().min(1).default(2_000_000_000) })

/** What `hosting` is given. */
export interface HostingOptions {
  /**
   * The most bytes that files have together which were sent before they are read; those of one team a quarter of it. 2 GB
   * when absent. What would be more is refused until others are read, or their 15 minutes are over.
   */
  readonly uploadBytes?: number | undefined
}

const teams = defineFeature({
  name: 'teams',
  open: ({ store, clock, groups, team: ofNone }) =>
    // What names no team goes on while its record cannot be read.
    makeTeams(store, clock, { groups, goesOn: (team) => team === ofNone }),
})

const activity = defineFeature({
  name: 'activity',
  open: ({ store, clock, team, warn }) => {
    const lost = (error: unknown): void => warn(`An entry of the activity could not be kept. ${errorMessage(error)}`)
    return makeActivity({ store, clock, team, lost })
  },
  close: ({ idle }) => idle(),
})

function uploadsOf(allBytes: number) {
  return defineFeature({
    name: 'uploads',
    open: ({ store, clock, limits }) => makeUploads({ store, clock, maxBytes: limits.bodyBytes, allBytes }),
  })
}

const gate = defineGate({
  name: 'hosting',
  open: ({ store, clock, feature }) => ({
    admit: admitTeams({ limitsOf: feature(teams).limitsOf, rates: makeRates(store, clock) }),
    noted: feature(activity).note,
    told: feature(activity).told,
  }),
})

/** What an engine for many customers has: teams with keys and limits, what they asked for, and files that come before their request. */
export function hosting(options: HostingOptions = {}) {
  const { uploadBytes } = check(optionsSchema, options)
  return definePlugin({ name: 'hosting', features: [teams, activity, uploadsOf(uploadBytes)], gates: [gate] })
}
