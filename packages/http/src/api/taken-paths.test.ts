import { defineFeature } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'

import { routesOf } from './routes.ts'

const feature = (path: `/v2/${string}`) =>
  defineFeature({
    name: 'notes',
    open: () => ({}),
    endpoints: (endpoint) => ({
      get: endpoint({ method: 'GET', path, summary: 'Returns a note.', run: () => undefined }),
    }),
  })

test('a feature with the path of an endpoint of the server is refused with both', () => {
  expect(() => routesOf([], [feature('/v2/crawl/{note}')])).toThrow(
    /^The feature notes has the path GET \/v2\/crawl\/\{note\}, which the server has as \/v2\/crawl\/\{id\}: "Returns the status of a crawl/,
  )
  expect(routesOf([], [feature('/v2/notes/{note}')]).map(({ path }) => path)).toContain('/v2/notes/{note}')
})
