import { check, defineFeature, defineGate, definePlugin, lastRequestPort } from '@harvestman/core/plugin'
import { z } from 'zod'

import { errorMessage } from '@harvestman/ports/adapters'
import { makeActivity } from './activity/activity.ts'
import { activityEndpoints } from './activity/endpoints.ts'
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
  group: 'team',
  summary: 'Lists the requests of your team and their costs.',
  examples: ['activity list --limit 20', 'activity costs'],
  // It only reads.
  activities: {},
  open: ({ store, clock, team, warn, engine, provide }) => {
    const lost = (error: unknown): void => warn(`An entry of the activity could not be kept. ${errorMessage(error)}`)
    const opened = makeActivity({ store, clock, team, lost })
    provide(lastRequestPort, async (team) => {
      const { entries } = await opened.list({ limit: 20 }, { team })
      return entries.find(({ refused }) => refused === undefined)?.createdAt
    })
    return { ...opened, endpointsOf: () => engine.capabilities().endpoints }
  },
  close: ({ idle }) => idle(),
  more: ({ note, told }) => ({ note, told }),
  endpoints: activityEndpoints,
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
