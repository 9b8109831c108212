import type { Feature, JobPart } from '@harvestman/core/plugin'

import { absentRows } from '../features/absent.ts'
import { adminRoutes } from '../teams/admin.ts'
import { changeRoutes } from '../pages/changes.ts'
import { featureListRow } from '../features/list.ts'
import { featureRows } from '../features/rows.ts'
import { kindListRow } from '../kinds/kind-list.ts'
import { kindRows } from '../kinds/kinds.ts'
import { fileRoutes } from '../pages/files.ts'
import { liveRows } from '../live/rows.ts'
import { replayRows } from '../live/replay.ts'
import { jobListRoute } from '../jobs/listing.ts'
import { jobRoutes } from '../jobs/any-kind.ts'
import { jobRows } from '../jobs/rows.ts'
import { outOfScopeRoutes } from '../service/out-of-scope.ts'
import { parseFormatsRoute } from '../pages/parse-formats.ts'
import { parseRoutes } from '../pages/parse.ts'
import { previewRoutes } from '../pages/preview.ts'
import type { Route } from '../route/route.ts'
import { refuseTakenPaths } from './taken-paths.ts'
import { scrapeRows } from '../pages/scrape.ts'
import { searchRow } from '../pages/search.ts'
import { serviceRoutes } from '../service/service.ts'
import { v1TeamRows } from '../v1/team.ts'
import { v1Api } from '../v1/v1-api.ts'
import { v2Api } from '../v2/v2-api.ts'

/**
 * Returns all routes of the API in the order of the docs, including the routes of the given job kinds and features, and routes
 * that respond with 503 for known plugins that are missing. Endpoints of both API versions are built from the same code, with
 * the schemas and field names of each version. Throws `invalid_request` if a feature has the method and path of an endpoint of
 * the server or of a job kind.
 */
export function routesOf(kinds: readonly JobPart[], features: readonly Feature[] = []): readonly Route[] {
  const served = features.filter(({ endpoints }) => Object.keys(endpoints).length > 0)
  const ofFeatures = served.map((feature) => ({ name: feature.name, routes: featureRows(feature) }))
  const before = [
    ...[v2Api, v1Api].flatMap((api) => [...scrapeRows(api), searchRow(api), ...jobRows(api)]),
    jobListRoute,
    ...jobRoutes,
    parseFormatsRoute,
    ...parseRoutes,
    ...previewRoutes,
    kindListRow(kinds),
    ...kinds.flatMap(kindRows),
    featureListRow(served),
  ]
  const after = [
    ...changeRoutes,
    ...liveRows,
    ...replayRows,
    ...v1TeamRows,
    ...fileRoutes,
    ...serviceRoutes,
    ...adminRoutes,
    ...outOfScopeRoutes,
  ]
  refuseTakenPaths(ofFeatures, [...before, ...after])
  const rows = [...before, ...ofFeatures.flatMap(({ routes }) => routes), ...after]
  return [...rows, ...absentRows(rows)]
}
