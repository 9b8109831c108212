import { createEngine } from '@harvestman/core'
import { createApi } from '@harvestman/http'

const teams = new Map([['token-of-acme', 'acme']])

const api = createApi(createEngine(), {
  authenticate: (request) => {
    const team = teams.get(request.headers.get('x-token') ?? '')
    return team === undefined ? undefined : { team }
  },
})
