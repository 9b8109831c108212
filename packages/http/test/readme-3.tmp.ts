import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'

const api = createApi(createEngine(), { authenticate: apiKeys('acme:secret') })

const timed = async (request: Request): Promise<Response> => {
  const started = performance.now()
  const response = await api(request)
  response.headers.set('server-timing', `total;dur=${performance.now() - started}`)
  return response
}

await serve(timed, { isOpen: false })
