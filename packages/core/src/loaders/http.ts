import { elapsed, EngineError, type Fetcher } from '@harvestman/ports'
import { cookiesIn, fetchFollowing, makeCookies, pageHeaders, withChanges } from '@harvestman/net'
import { defineLoader, pass } from '../plugin/define.ts'
import type { LoaderKit, LoadJob, Page } from '../plugin/parts.ts'

const truncated = 'The compressed response ends early, so the page may be incomplete. Scrape it again later.'

/** Fetches the page over HTTP with the headers of a browser and the cookies of the profile, without running scripts. */
export const httpLoader = defineLoader({
  name: 'http',
  cost: 1,
  offers: ['proxy', 'profile'],
  load: async (job, kit) => loadWith(kit.fetcher, job, kit),
})

/** Fetches the page as `httpLoader` does, but with the TLS and the HTTP/2 of a browser. */
export const identityLoader = defineLoader({
  name: 'http-identity',
  cost: 5,
  offers: ['proxy', 'profile'],
  // Without TLS, it would be the same request again.
  schemes: ['https'],
  onlyAfter: ['status', 'wall', 'soft', 'broken'],
  load: async (job, kit) => {
    const { identityFetcher } = kit
    if (!identityFetcher) return pass('This engine has no identityFetcher.')
    if (job.request.record)
      return pass('A recorded page is fetched by the default fetcher, so that it can be replayed.')
    if ('user-agent' in job.headers)
      return pass('The request has a user agent of its own, so it is not that of a browser.')
    try {
      return await loadWith(identityFetcher, job, kit)
    } catch (error) {
      if (EngineError.is(error) && error.code === 'not_configured') return pass(error.message)
      throw error
    }
  },
})

async function loadWith(fetcher: Fetcher, job: LoadJob, { guard, clock, browser }: LoaderKit): Promise<Page> {
  const { url, request, headers, validators, signal, maxBytes, proxy, mayVisit, team } = job
  const watch = stopwatch(fetcher, clock)
  const { location, skipTlsVerification } = request
  const cookies = makeCookies(cookiesIn(job.state))
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
  const state = job.passesState ? withChanges(job.state, cookies.changes(), clock.now()) : undefined
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
}

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
