import { check, defineFeature, defineGate, definePlugin, definePort, lastRequestPort } from '@harvestman/core/plugin'
import { z } from 'zod'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeActivity } from './activity/activity.ts'
import { activityEndpoints } from './activity/endpoints.ts'
import { feedbackEndpoints } from './feedback/endpoints.ts'
import { openFeedback, type FindRequest } from './feedback/feedback.ts'
import { admitTeams } from './teams/gate.ts'
import { makeRates } from './teams/rates.ts'
import { makeTeams } from './teams/teams.ts'
import { makeUploads } from './uploads/uploads.ts'

const optionsSchema = z.strictObject({ uploadBytes: z.int().min(1).default(2_000_000_000) })

/** Options of `hosting`. */
export interface HostingOptions {
  /**
   * Maximum bytes of all uploaded files that have not been parsed yet; one team may use a quarter. Default: 2 GB. Further
   * uploads are rejected until files are parsed or expire after 15 minutes.
   */
  readonly uploadBytes?: number | undefined
}

const teams = defineFeature({
  name: 'teams',
  open: ({ store, clock, groups, team: ofNone }) =>
    // Calls without a team continue while the team's record cannot be read.
    makeTeams(store, clock, { groups, goesOn: (team) => team === ofNone }),
})

const findRequestPort = definePort<FindRequest>({
  name: 'findRequest',
  description: 'a search in the requests of teams',
  remedy: 'Add hosting() of @harvestman/http/hosting to plugins.',
})

const activity = defineFeature({
  name: 'activity',
  group: 'team',
  summary: 'Lists the requests of your team and their costs.',
  examples: ['activity list --limit 20', 'activity costs'],
  // Reading the activity is not recorded in the activity.
  activities: {},
  open: ({ store, clock, team, warn, engine, provide }) => {
    const lost = (error: unknown): void => warn(`An entry of the activity could not be stored. ${errorMessage(error)}`)
    const opened = makeActivity({ store, clock, team, lost })
    provide(lastRequestPort, async (team) => {
      const { entries } = await opened.list({ limit: 20 }, { team })
      return entries.find(({ refused }) => refused === undefined)?.createdAt
    })
    provide(findRequestPort, (team, id, since) => opened.find(id, { team, since }))
    return { ...opened, endpointsOf: () => engine.capabilities().endpoints }
  },
  close: ({ idle }) => idle(),
  more: ({ note, onEvent }) => ({ note, told: onEvent }),
  endpoints: activityEndpoints,
})

const feedback = defineFeature({
  name: 'feedback',
  group: 'team',
  summary: 'Stores and lists feedback on the results of your team.',
  examples: ['feedback list --limit 20'],
  activities: {},
  open: ({ store, clock, port }) =>
    openFeedback({ store, clock, find: async (...request) => port(findRequestPort)?.(...request) }),
  endpoints: feedbackEndpoints,
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
    onEvent: feature(activity).told,
  }),
})

/**
 * Creates the plugin for servers with many customers: teams with keys and limits, an activity log for each team, and file
 * uploads. Throws `invalid_request` if an option is invalid.
 */
export function hosting(options: HostingOptions = {}) {
  const { uploadBytes } = check(optionsSchema, options)
  return definePlugin({ name: 'hosting', features: [teams, activity, feedback, uploadsOf(uploadBytes)], gates: [gate] })
}
