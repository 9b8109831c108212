import { fetcherContract, secureFetcherContract } from '@harvestman/testing'
import { describe, test } from 'vitest'

import { undiciFetcher } from '../src/fetcher/undici.ts'

describe('undiciFetcher keeps the contract', () => {
  for (const { name, run } of [...fetcherContract, ...secureFetcherContract]) test(name, () => run(undiciFetcher()))
})
