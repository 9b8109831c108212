// Other people's clients, unmodified, from the registry, pointed at our server.
import { fakeBrowser, scriptedLLM } from '@harvestman/testing'
import { describe, test } from 'vitest'

import { openHouse } from '../bench.ts'
import { key } from './cases.ts'
import { areOthersInstalled, otherCases } from './others.ts'
import { firstSdkCases } from './sdk-1.ts'
import { sdkCases } from './sdk.ts'

const browser = fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } })
const replies = Array.from({ length: 20 }, () => ({ value: { legs: 8 } }))
const house = openHouse(key, { browser, llm: scriptedLLM(replies) })

if (!areOthersInstalled) {
  console.log(
    `${otherCases.length} cases of larger clients are left out. \`npm ci\` in test/api/clients/others brings them.`,
  )
}
const all = [...sdkCases, ...firstSdkCases, ...(areOthersInstalled ? otherCases : [])]

describe.each([...Map.groupBy(all, ({ client }) => client)])('%s', (_, cases) => {
  test.each(cases.map((one) => [one.method, one] as const))('%s', async (__, { run }) => run(house))
})
