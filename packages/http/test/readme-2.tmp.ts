import { createEngine } from '@harvestman/core'
import { apiKeys, createApi } from '@harvestman/http'

const api = createApi(createEngine(), { authenticate: apiKeys('acme:secret') })

export const POST = (request: Request): Promise<Response> => api(request)
export const GET = POST
