// The web API under /web.
import { apiKeys, createApi } from '@harvestman/http'

import { engine } from '../../engine'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

const key = process.env['HARVESTMAN_API_KEY']
const api = key ? createApi(engine, { authenticate: apiKeys(key), basePath: '/web' }) : undefined

async function handle(request: Request): Promise<Response> {
  if (api) return api(request)
  return Response.json({ success: false, error: 'Set HARVESTMAN_API_KEY on this server.' }, { status: 503 })
}

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
