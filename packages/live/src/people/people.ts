// The plugin for the option `person`.
import {
  check,
  defineFeature,
  definePlugin,
  missingPort,
  pageWaitsPort,
  sessionsPort,
  type FeatureKit,
} from '@harvestman/core/plugin'
import { makeNotifier } from '@harvestman/toolbox/notifier'

import { livePort } from '../live-port.ts'
import { makePersonBrowsers } from './browser.ts'
import { findPerson, peopleEndpoints, type OpenPeople } from './endpoints.ts'
import { peopleOptionsSchema, type PeopleOptions } from './options.ts'
import { personRecords } from './records.ts'
import { makePersonWaits } from './waits.ts'

/**
 * Creates the plugin for the option `person`: `createEngine({ plugins: [live({ sessions }), people({ onNeeded })] })`. Pages that
 * need a person wait until one has logged in by a link. Throws `invalid_request` if an option is invalid. Without live
 * browsers, the option and the calls of `engine.people` reject with `not_configured`.
 */
export function people(options: PeopleOptions = {}) {
  const checked = check(peopleOptionsSchema, options)
  return definePlugin({
    name: 'people',
    features: [
      defineFeature({
        name: 'people',
        group: 'interact',
        summary: 'Lists and ends requests to people, who log in where a page needs them.',
        examples: ['people list', 'people finish 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11 --result done'],
        notFound: 'Request not found.',
        activities: { people: 'interact' },
        secretFields: ['linkToken', 'viewToken'],
        open: (kit) => openPeople(kit, checked),
        endpoints: peopleEndpoints,
        more: (open) => ({
          /** Resolves when a person is done. Rejects if the request fails or expires. */
          wait: async (id: string, { team = open.kit.team }: { readonly team?: string | undefined } = {}) =>
            open.waits.wait(await findPerson(open, team, id)),
        }),
      }),
    ],
  })
}

/** The plugin that `people` returns. */
export type PeoplePlugin = ReturnType<typeof people>

function openPeople(base: FeatureKit, options: PeopleOptions): OpenPeople {
  const kit = {
    ...base,
    ...{ options, records: personRecords(base), changes: makeNotifier() },
    live: () => {
      const live = base.port(livePort)
      if (live) return live
      throw missingPort(sessionsPort, 'The option person')
    },
  }
  const browsers = makePersonBrowsers(kit)
  const waits = makePersonWaits(kit, browsers)
  if (base.port(sessionsPort)) base.provide(pageWaitsPort, waits)
  return { kit, browsers, waits }
}
