import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test, vi } from 'vitest'

import type { Egress } from '../egress/egress.ts'
import { starter } from './starter.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('without a temporary folder, the error explains that the browser needs one', async () => {
  const { start } = starter({ executablePath: process.execPath })
  vi.stubEnv('TMPDIR', join(tmpdir(), 'harvestman-test-missing'))
  const egress = { address: 'http://127.0.0.1:9' } as Egress
  await expect(start({ pictures: false, where: '' }, egress, new AbortController().signal)).rejects.toMatchObject({
    code: 'browser_failed',
    message: expect.stringMatching(/needs a folder for its profile.*TMPDIR/),
  })
})
