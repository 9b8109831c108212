import { fetcherContract, secureFetcherContract } from '@harvestman/testing'
import { describe, test } from 'vitest'

import { impitFetcher } from '../../src/impit.ts'

describe('impitFetcher keeps the contract', () => {
  for (const { name, run } of [...fetcherContract, ...secureFetcherContract]) test(name, () => run(impitFetcher()))
})
