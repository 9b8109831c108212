// @module-tag long
// Bodies that hold far too much: the work that is done for them is bounded, and so is what they are answered.
// How long others wait meanwhile is measured by test/bench/hostile/bodies.ts.
import { answers } from '@harvestman/answers'
import { routesOf } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { expect, test, vi } from 'vitest'

import { monsters } from '../bench/hostile/monsters.ts'
import { openHouse } from './bench.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const house = openHouse('fc-key')
const paths = routes.filter(({ input }) => input).map(({ path }) => path.replaceAll(/\{\w+\}/g, crypto.randomUUID()))

// They are many megabytes, which a busy machine takes its time for.
const timeout = 180_000

test(
  'each kind is refused or carried out, with a small answer, and too large ones are not even parsed',
  { timeout },
  async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const headers = { 'content-type': 'application/json', authorization: 'Bearer fc-key' }
    const seen = new Set<number>()
    for (const [index, { kind, body }] of [...monsters(60)].entries()) {
      const url = house.server.url + paths[index % paths.length]
      const response = await fetch(url, { method: 'POST', headers, body })
      const text = await response.text()
      seen.add(response.status)
      // What is out of scope or not set up says so before it reads anything.
      expect({ kind, isFault: response.status === 500 }).toEqual({ kind, isFault: false })
      expect(text.length).toBeLessThanOrEqual(16_384)
      const wasParsed = parse.mock.calls.some(([given]) => given === body)
      if (response.status === 413) expect({ kind, wasParsed }).toEqual({ kind, wasParsed: false })
      parse.mockClear()
    }
    expect(seen).toContain(413)
    expect(seen).toContain(400)
  },
)
