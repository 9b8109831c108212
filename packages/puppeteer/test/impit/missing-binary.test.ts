import { expect, test, vi } from 'vitest'

import { ask, soon } from '../../../net/test/fetching.ts'
import { openImpit } from './fetching.ts'

// What the package does on a platform without a binary, or if it was installed without optional dependencies.
vi.mock('impit', () => {
  throw new Error('Cannot find native binding. npm has a bug related to optional dependencies.')
})

test('impit without a binary is not configured, and the error has the remedy', async () => {
  const fetcher = openImpit()
  for (let count = 0; count < 2; count += 1) {
    const error: unknown = await fetcher.exchange(ask('https://a.example/'), soon()).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'not_configured', message: expect.stringContaining('npm install impit') })
  }
})
