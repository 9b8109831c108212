// Live browsers that are recorded and open in this process, with the responses that their pages have received.
import { AsyncLocalStorage } from 'node:async_hooks'

import type { EngineWork } from '@harvestman/core/plugin'
import { EngineError, isRecord, type LiveBrowser, type Proxy, type Sessions } from '@harvestman/ports'
import { joinTraffic } from '@harvestman/toolbox/join-traffic'
import { pageOptionsOf, type PageOptions } from '@harvestman/toolbox/page-options'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { z } from 'zod'

import { makeExchanges, type Exchange } from './exchanges.ts'
import { limits } from './recipe.ts'
import { readShown } from './page-scripts.ts'

/** A live browser that is open. */
export interface OpenBrowser {
  readonly exchanges: readonly Exchange[]
  readonly options: PageOptions
  readonly proxy: Proxy | undefined
  readonly live: Pick<LiveBrowser, 'call'>
}

/** The page in front of a live browser. Everything in it is untrusted. */
export interface ShownPage {
  readonly url: URL
  readonly text: string
  readonly cookies: string
}

/** The live browsers of an engine whose traffic is collected. */
export interface OpenBrowsers {
  /**
   * Runs an operation of the engine. If it is a live browser with `record: true`, its responses are collected. The engine adds
   * `engineHeaders` to each request.
   */
  around<Result>(
    work: EngineWork,
    engineHeaders: Readonly<Record<string, string>>,
    run: () => Promise<Result>,
  ): Promise<Result>
  /** Wraps `Sessions` to collect the responses. Other live browsers are unchanged. */
  watched(sessions: Sessions): Sessions
  /** Returns an open live browser of a team, or `undefined` if it is not recorded or not open in this process. */
  find(team: string, id: string): OpenBrowser | undefined
}

/** Creates the empty list. A live browser is removed when it has closed. */
export function makeOpenBrowsers(): OpenBrowsers {
  const current = new AsyncLocalStorage<(EngineWork & Pick<OpenBrowser, 'options'>) | undefined>()
  const open = new Map<string, OpenBrowser>()
  const keyOf = (team: string, id: string): string => JSON.stringify([team, id])
  return {
    around: (work, engineHeaders, run) => {
      const isCollected = work.isRecorded && !work.isOfJob
      const options = pageOptionsOf(work.request, engineHeaders)
      return current.run(isCollected ? { ...work, options } : undefined, run)
    },
    watched: (sessions) => ({
      open: async (wish, signal) => {
        const work = current.getStore()
        if (!work) return sessions.open(wish, signal)
        const exchanges = makeExchanges({ keeps: 'last' })
        const { traffic: own } = exchanges
        const traffic = wish.profile.traffic ? joinTraffic(wish.profile.traffic, own) : own
        const live = await sessions.open({ ...wish, profile: { ...wish.profile, traffic } }, signal)
        const key = keyOf(work.team, work.id)
        if (live.gone.aborted) return live
        open.set(key, { exchanges: exchanges.list, options: work.options, proxy: wish.profile.proxy, live })
        live.gone.addEventListener('abort', () => open.delete(key), { once: true })
        return live
      },
      close: () => sessions.close(),
    }),
    find: (team, id) => open.get(keyOf(team, id)),
  }
}

const shownPage = z.object({ url: z.url({ protocol: /^https?$/ }), text: z.string(), cookies: z.string() })

/** Reads the page in front of a live browser. Rejects with `conflict` if it shows no page of the web. */
export async function readShownPage({ live }: OpenBrowser, signal: AbortSignal): Promise<ShownPage> {
  const read = parseJson(await untilAborted(live.call(readShown, [limits.shown], signal), signal))
  const { data } = shownPage.safeParse(isRecord(read) ? read : {})
  if (data) return { ...data, url: new URL(data.url) }
  throw new EngineError('conflict', 'The live browser shows no page of the web. Open a page with a list first.')
}
