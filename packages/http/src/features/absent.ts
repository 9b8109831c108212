// Public API endpoints that plugins add. Each has a route, so that clients of a server without the plugin get an error that
// names it.
import type { Refusal } from '../answer/answer.ts'
import { missingNeed, missingPlugin } from '../refusals/refusals.ts'
import { route, type Method, type Route } from '../route/route.ts'
import { neverCalled } from '../route/never-called.ts'

type Added = readonly [methods: string, path: `/${string}`]

interface Plugin {
  readonly refusal: Refusal
  readonly endpoints: readonly Added[]
}

const browsers = ['/v2/browser', '/v2/interact'] as const

const plugins: readonly Plugin[] = [
  {
    refusal: missingNeed('sessions'),
    endpoints: [
      ...browsers.flatMap((path): readonly Added[] => [
        ['GET POST', path],
        ['GET DELETE', `${path}/{id}`],
        ['POST', `${path}/{id}/execute`],
        ['GET POST', `${path}/{id}/shares`],
        ['DELETE', `${path}/{id}/shares/{share}`],
        ['DELETE', `${path}/profiles/{name}`],
      ]),
      ['POST DELETE', '/v2/scrape/{id}/interact'],
    ],
  },
  {
    refusal: missingPlugin(
      'This server has no monitors. Its operator can add the plugin monitors() of @harvestman/monitors.',
    ),
    endpoints: [
      ['GET POST', '/v2/monitor'],
      ['GET PATCH DELETE', '/v2/monitor/{id}'],
      ['POST', '/v2/monitor/{id}/run'],
      ['GET', '/v2/monitor/{id}/checks'],
      ['GET', '/v2/monitor/{id}/checks/{checkId}'],
      ['POST', '/v2/monitor/email/confirm'],
      ['POST', '/v2/monitor/email/unsubscribe'],
    ],
  },
  {
    refusal: missingPlugin(
      'This server stores no feedback. Its operator can add the plugin hosting() of @harvestman/http/hosting.',
    ),
    endpoints: [
      ['POST', '/v2/feedback'],
      ['POST', '/v2/search/{id}/feedback'],
    ],
  },
]

const rows: readonly Route[] = plugins.flatMap(({ refusal, endpoints }) =>
  endpoints.flatMap(([methods, path]) =>
    methods.split(' ').map((method) =>
      route({
        method: method as Method,
        path,
        group: 'out of scope',
        summary: refusal.error,
        absent: refusal,
        ...neverCalled(path),
      }),
    ),
  ),
)

/**
 * Returns routes for the endpoints of known plugins that this server does not serve. They respond with 503 and a message that
 * names the plugin or port that is missing.
 */
export function absentRows(served: readonly Route[]): readonly Route[] {
  const known = new Set(served.map(keyOf))
  return rows.filter((row) => !known.has(keyOf(row)))
}

function keyOf({ method, path }: Route): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}
