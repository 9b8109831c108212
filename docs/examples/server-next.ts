// app/web/[...path]/route.ts of a Next app: the API under /web.
import type { Engine } from '@harvestman/core'
import { apiKeys, createApi } from '@harvestman/http'

export function routeOf(engine: Engine, keys: string) {
  const api = createApi(engine, { authenticate: apiKeys(keys), basePath: '/web' })
  const handle = (request: Request): Promise<Response> => api(request)
  return { GET: handle, POST: handle, PUT: handle, DELETE: handle, OPTIONS: handle }
}
