import { onTestFinished } from 'vitest'

import type { Fetcher, Guard } from '@harvestman/ports'
import { createGuard } from '@harvestman/net'

import { loopback } from '../../../net/test/fetching.ts'
import { impitFetcher, type ImpitOptions } from '../../src/impit.ts'

/** A fetcher that ends with the test. */
export function openImpit(guard: Guard = createGuard({ allowPrivate: loopback }), options?: ImpitOptions): Fetcher {
  const fetcher = impitFetcher(options)(guard)
  onTestFinished(() => fetcher.close())
  return fetcher
}
