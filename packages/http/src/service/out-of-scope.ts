// Endpoints that the hosted service has and Harvestman does not. Each has a route, so that clients get a clear error instead of
// an unknown path.
import { route, type Method, type Route } from '../route/route.ts'
import { neverCalled } from '../route/never-called.ts'

type Missing = readonly [methods: string, path: `/${string}`, instead: string]

const monitors = 'It is `/v2/monitor` in version 2.'
const vendor = 'It belongs to the vendor of the hosted service.'
const indexes = 'There is no index of the vendor here.'
const policies = 'Set such policies in your own network.'

const missing: readonly Missing[] = [
  ['POST', '/v2/support/ask', vendor],
  ['POST', '/v2/support/docs-search', vendor],
  ['GET POST', '/v2/search/developer', indexes],
  ['GET POST', '/v2/developer', indexes],
  ['GET POST', '/v2/developer/search', indexes],
  ['GET POST', '/v2/search/gov', indexes],
  ['GET', '/v2/search/research/github', indexes],
  ['GET', '/v2/search/research/papers', indexes],
  ['GET', '/v2/search/research/papers/{id}', indexes],
  ['GET', '/v2/search/research/papers/{id}/similar', indexes],
  ['GET', '/v2/research/papers', indexes],
  ['GET', '/v2/research/papers/{id}', indexes],
  ['GET', '/v2/research/papers/{id}/similar', indexes],
  ['GET PUT', '/v2/team/siem', policies],
  ['POST', '/v2/team/siem/test', policies],
  ['POST', '/v2/exchange', vendor],
  ['GET', '/v2/keyless/eligibility', vendor],
  ['GET POST', '/v2/mcp/action-logs', vendor],
  ['GET POST', '/v1/schedules', monitors],
  ['GET PUT DELETE', '/v1/schedules/{id}', monitors],
  ['POST', '/v1/fireclaw', vendor],
  ['POST', '/v1/x402/search', vendor],
]

export const outOfScopeRoutes: readonly Route[] = missing.flatMap(([methods, path, instead]) =>
  methods.split(' ').map((method) =>
    route({
      method: method as Method,
      path,
      group: 'out of scope',
      summary: `Not offered. ${instead}`,
      unsupported: instead,
      ...neverCalled(path),
    }),
  ),
)
