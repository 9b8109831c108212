// The plugin, which adds `engine.live` and `engine.profiles`.
import {
  check,
  defineFeature,
  definePlugin,
  type FeatureKit,
  llmPort,
  missingPort,
  proxiesPort,
  sessionsPort,
} from '@harvestman/core/plugin'
import { codeLanguages } from '@harvestman/ports'
import { faultText } from '@harvestman/toolbox/guarded'

import { browsersEndpoints } from './browsers/endpoints.ts'
import { livePort, type Live, type OfTeam } from './live-port.ts'
import { type GivenOptions, type LiveOptions, liveOptionsSchema } from './options.ts'
import { sandboxPort } from './ports.ts'
import { sessionSchema } from './requests.ts'
import { profileEndpoints } from './profiles/endpoints.ts'
import { makeLiveSessions, type LiveSessions } from './sessions/sessions.ts'

const browsers = defineFeature({
  name: 'browsers',
  group: 'interact',
  summary: 'Opens, drives and ends live browsers.',
  examples: [
    'browsers open --ttl 600',
    'browsers list --status active',
    'browsers close 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
  ],
  // Empty: requests that open a browser are added to the activity list by `engine.live`.
  activities: {},
  notFound: 'Browser session not found.',
  open: (kit) => kit,
  endpoints: browsersEndpoints,
})

const profiles = defineFeature({
  name: 'profiles',
  group: 'interact',
  summary: 'Imports, exports, lists and deletes browser profiles.',
  examples: [
    'profiles import shop storage-state.json',
    'profiles export shop --output storage-state.json',
    'profiles list',
  ],
  activities: { profile: 'interact' },
  notFound: 'Profile not found.',
  open: (kit) => kit,
  endpoints: profileEndpoints,
})

/**
 * Creates the plugin for live browsers: `createEngine({ plugins: [live({ sessions: puppeteerSessions() })] })` has
 * `engine.live` and `engine.profiles`. Throws `invalid_request` if an option is invalid. Without `sessions` it has no browsers: calls of
 * `engine.live` reject with `not_configured`, except `languages`.
 */
export function live(options: LiveOptions = {}) {
  const checked = check(liveOptionsSchema, options)
  const feature = defineFeature({
    name: 'live',
    activities: { interact: 'interact', browser: 'interact' },
    usesReplays: checked.sessions !== undefined,
    open: (kit) => openLive(kit, checked),
    close: async (value) => value[Symbol.asyncDispose](),
  })
  return definePlugin({ name: 'live', gives: { sessions: checked.sessions }, features: [feature, browsers, profiles] })
}

/** The plugin that `live` returns. */
export type LivePlugin = ReturnType<typeof live>

function openLive(kit: FeatureKit, { sandbox, limits, pageTools }: GivenOptions): Live {
  const sessions = kit.port(sessionsPort)
  if (sandbox) kit.provide(sandboxPort, sandbox)
  const all =
    sessions &&
    makeLiveSessions({
      ...kit,
      ...{ sessions, sandbox, pageTools, llm: kit.port(llmPort), proxies: kit.port(proxiesPort) },
      ...{ maxOpen: limits.sessions, maxPerTeam: limits.teamSessions, life: kit.keep.results },
      hasEnded: ({ at, duration: ms, credits }, team, id) =>
        kit.observe({ kind: 'session.ended', credits, ms, team, id, at }),
      onFault: (fault, team, id) =>
        kit.observe({ kind: 'fault', where: 'connection', message: faultText(fault), team, id, at: kit.clock.now() }),
    })
  const made = {
    ...doors(kit, () => {
      if (all) return all
      throw missingPort(sessionsPort, 'engine.live', { subject: 'This request' })
    }),
    languages: async () => (sandbox ? (sandbox.languages?.() ?? codeLanguages) : []),
    [Symbol.asyncDispose]: async () => {
      try {
        await all?.close()
      } finally {
        await sandbox?.close()
      }
    },
  }
  if (all) kit.provide(livePort, made)
  return made
}

function doors(kit: FeatureKit, all: () => LiveSessions): Omit<Live, 'languages' | typeof Symbol.asyncDispose> {
  const teamOf = ({ team = kit.team }: OfTeam): string => team
  return {
    ofScrape: (scrapeId, call = {}) =>
      kit.admit({ endpoint: 'interact', input: {}, idOf: ({ id }) => id }, call, async ({ team, key, limits }) => {
        const { ttl, activityTtl, record, recordSession } = call
        const life = {
          ...check(sessionSchema, { ttl, activityTtl, record, recordSession }),
          most: limits?.browsers,
          key,
        }
        return all().ofScrape(scrapeId, { team, scopes: call.scopes }, life, call.signal)
      }),
    open: (request = {}, call = {}) =>
      kit.admit({ endpoint: 'browser', input: request, idOf: ({ id }) => id }, call, async ({ team, key, limits }) =>
        all().open({ ...check(sessionSchema, request), most: limits?.browsers, key }, team, call.signal),
      ),
    find: async (id, call = {}) => all().find(id, teamOf(call)),
    list: async (call = {}) => all().list(teamOf(call)),
    record: async (id, call = {}) => all().record(id, teamOf(call)),
    stop: async (id, call = {}) => all().stop(id, teamOf(call)),
    stopOfScrape: async (scrapeId, call = {}) =>
      all().stopOfScrape(scrapeId, { team: teamOf(call), scopes: call.scopes }),
    enter: async (id, token) => all().enter(id, token),
    findOwner: async (id) => all().owners.find(id),
    announce: async (url) => all().owners.announce(url),
  }
}
