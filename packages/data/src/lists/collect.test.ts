import { createEngine } from '@harvestman/core'
import { engineErrorOf } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { data } from '../plugin.ts'

test('collecting may take longer than requests may wait, and has a bound of its own', async () => {
  await using engine = createEngine({ plugins: [data()] })
  const collecting = (time: number) =>
    engineErrorOf(engine.scrape({ url: 'https://shop.test/', actions: [{ type: 'collect', time }], timeout: 300_000 }))
  expect((await collecting(240_000)).code).toBe('not_configured')
  expect(await collecting(240_001)).toMatchObject({ code: 'invalid_request' })
})
