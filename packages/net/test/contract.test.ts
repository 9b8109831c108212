import { fetcherContract } from '@harvestman/testing'
import { describe, test } from 'vitest'

import { undiciFetcher } from '../src/fetcher/undici.ts'

describe('undiciFetcher keeps the contract', () => {
  for (const { name, run } of fetcherContract) test(name, () => run(undiciFetcher()))
})
