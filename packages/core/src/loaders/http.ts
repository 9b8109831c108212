import { defaultHeaders } from '../net/headers.ts'
import { fetchFollowing } from '../net/redirects.ts'
import { defineLoader } from '../plugin/define.ts'

/** Fetches the page over HTTP, as a browser would ask for it, and runs none of its scripts. */
export const httpLoader = defineLoader({
  name: 'http',
  cost: 1,
  offers: ['proxy'],
  accepts: ({ protocol }) => protocol === 'http:' || protocol === 'https:',
  load: async ({ url, request, signal, maxBytes, proxy }, { fetcher, guard }) => {
    const { location, headers, skipTlsVerification } = request
    const answer = await fetchFollowing(
      fetcher,
      guard,
      {
        url,
        method: 'GET',
        headers: { ...defaultHeaders({ languages: location.languages }), ...headers },
        ownHeaders: Object.keys(headers),
        skipTlsVerification,
        maxBytes,
        proxy,
      },
      signal,
    )
    return {
      url: answer.url.href,
      status: answer.status,
      headers: joined(answer.headers),
      body: answer.body,
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      warnings: skipTlsVerification ? ['The certificate of the host was not checked.'] : [],
    }
  },
})

function joined(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of headers) all[name] = name in all ? `${all[name]}, ${value}` : value
  return all
}
