import { elapsed, type Fetcher } from '@harvestman/ports'
import { cookiesIn, fetchFollowing, makeCookies, pageHeaders, withChanges } from '@harvestman/net'
import { defineLoader } from '../plugin/define.ts'
import type { LoaderKit } from '../plugin/parts.ts'

const truncated = 'The compressed response ends early, so the page may be incomplete. Scrape it again later.'

/** Fetches the page over HTTP with the headers of a browser and the cookies of the profile, without running scripts. */
export const httpLoader = defineLoader({
  name: 'http',
  cost: 1,
  offers: ['proxy', 'profile'],
  load: async (job, { fetcher, guard, clock, browser }) => {
    const { url, request, headers, validators, signal, maxBytes, proxy, mayVisit, team } = job
    const cookies = makeCookies(cookiesIn(job.state))
    const watch = stopwatch(fetcher, clock)
    const { location, skipTlsVerification } = request
    const answer = await fetchFollowing(
      watch.fetcher,
      guard,
      {
        url,
        method: 'GET',
        headers: pageHeaders(
          { ...headers, ...validators },
          { languages: location.languages, browser: await browser?.identity?.() },
        ),
        ownHeaders: Object.keys({ ...request.headers, ...validators }),
        skipTlsVerification,
        maxBytes,
        proxy,
        owner: `pages of ${team}`,
      },
      signal,
      { mayVisit, followsRefresh: true, cookies },
    )
    const state = job.savesState ? withChanges(job.state, cookies.changes()) : undefined
    return {
      url: answer.url.href,
      status: answer.status,
      headers: joined(answer.headers),
      body: answer.body,
      latency: watch.latency(),
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      ...(state !== undefined && { state }),
      warnings: [
        ...(skipTlsVerification ? ['The certificate of the host was not checked.'] : []),
        ...(answer.isTruncated ? [truncated] : []),
      ],
    }
  },
})

/** Wraps a fetcher to measure the response time of the last host requested. */
function stopwatch(fetcher: Fetcher, clock: LoaderKit['clock']) {
  let latency: number | undefined
  const exchange: Fetcher['exchange'] = (request, signal) => {
    const startedAt = elapsed(clock)
    latency = undefined
    // Returns `undefined` so that the body stays in the response: only the time of the call matters.
    const take = (): undefined => {
      latency = elapsed(clock) - startedAt
    }
    return fetcher.exchange({ ...request, take }, signal)
  }
  return { fetcher: { exchange, close: () => fetcher.close() }, latency: () => latency }
}

function joined(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of headers) all[name] = name in all ? `${all[name]}, ${value}` : value
  return all
}
